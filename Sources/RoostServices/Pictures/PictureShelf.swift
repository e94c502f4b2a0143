import Foundation

/// What the picture cache has, is fetching, and has failed to fetch: the bookkeeping, without disk and network.
struct PictureShelf {
    struct Entry: Equatable {
        var size: Int
        var fetchedAt: Date
        var usedAt: Date
        /// When its use was last written down.
        var stampedAt: Date

        init(size: Int, fetchedAt: Date, usedAt: Date) {
            self.size = size
            self.fetchedAt = fetchedAt
            self.usedAt = usedAt
            stampedAt = usedAt
        }
    }

    /// What is asked for at the same time.
    static let mostAtOnce = 4
    /// What waits to be asked for; what comes beyond it is asked for when the page is looked at again.
    static let mostWaiting = 2_000
    /// In seconds: after it a picture is fetched anew, for people change theirs under the same address.
    static let lifetime = 7 * 86_400.0
    private static let mostFailures = 10_000

    /// In bytes, all pictures together.
    let mostBytes: Int
    private(set) var bytes = 0
    private(set) var entries: [String: Entry] = [:]
    private var waiting: [PictureAddress] = []
    private var running: Set<PictureAddress> = []
    private var waitingSet: Set<PictureAddress> = []
    private var failedUntil: [PictureAddress: Date] = [:]

    init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    var waitingCount: Int { waiting.count }
    var isIdle: Bool { waiting.isEmpty && running.isEmpty }

    /// Whether the picture is here, and whether it has now been noted to be fetched.
    mutating func ask(for address: PictureAddress, now: Date) -> (isHere: Bool, isNew: Bool) {
        let isHere = entries[address.name] != nil
        entries[address.name]?.usedAt = now
        let isFresh =
            entries[address.name].map { now.timeIntervalSince($0.fetchedAt) < Self.lifetime } ?? false
        guard !isFresh, !running.contains(address), waiting.count < Self.mostWaiting,
            failedUntil[address].map({ $0 <= now }) ?? true, waitingSet.insert(address).inserted
        else { return (isHere, false) }
        waiting.append(address)
        return (isHere, true)
    }

    /// What is to be fetched now.
    mutating func next() -> [PictureAddress] {
        let taken = Array(waiting.prefix(max(0, Self.mostAtOnce - running.count)))
        waiting.removeFirst(taken.count)
        waitingSet.subtract(taken)
        running.formUnion(taken)
        return taken
    }

    /// - Parameter until: when it may be asked for again; nil where it has not failed
    mutating func end(_ address: PictureAddress, failedUntil until: Date?, now: Date) {
        running.remove(address)
        failedUntil[address] = until
        guard failedUntil.count > Self.mostFailures else { return }
        failedUntil = failedUntil.filter { $0.value > now }
        if failedUntil.count > Self.mostFailures { failedUntil.removeAll() }
    }

    /// Puts a picture in, and takes those out that have not been used for longest, if it has become too much.
    ///
    /// Answers the names of what has to go.
    mutating func put(_ entry: Entry, as name: String) -> [String] {
        bytes += entry.size - (entries[name]?.size ?? 0)
        entries[name] = entry
        guard bytes > mostBytes else { return [] }
        var gone: [String] = []
        for (name, entry) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard bytes > mostBytes else { break }
            bytes -= entry.size
            entries[name] = nil
            gone.append(name)
        }
        return gone
    }

    /// Its file is gone or no picture any more.
    mutating func drop(_ name: String) {
        bytes -= entries.removeValue(forKey: name)?.size ?? 0
    }

    /// Notes that it was served; true when that should be written down: once a day.
    mutating func use(_ name: String, now: Date) -> Bool {
        guard let stampedAt = entries[name]?.stampedAt else { return false }
        entries[name]?.usedAt = now
        guard now.timeIntervalSince(stampedAt) > 86_400 else { return false }
        entries[name]?.stampedAt = now
        return true
    }
}
