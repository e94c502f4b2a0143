package import Foundation

/// What the picture cache has, is fetching, and has failed to fetch: the bookkeeping, without disk and network.
package struct PictureShelf {
    package struct Entry: Equatable {
        package var size: Int
        package var fetchedAt: Date
        package var usedAt: Date
        /// When its use was last written down.
        var stampedAt: Date

        package init(size: Int, fetchedAt: Date, usedAt: Date) {
            self.size = size
            self.fetchedAt = fetchedAt
            self.usedAt = usedAt
            stampedAt = usedAt
        }
    }

    /// What is asked for at the same time.
    static let mostAtOnce = 4
    /// Of these at strangers' places, which may be slow on purpose.
    static let mostStrangersAtOnce = 2
    /// A small file takes a block of the disk all the same: no more pictures than this, however small.
    package static let mostEntries = 16_384
    /// What waits to be asked for; what comes beyond it is asked for when the page is looked at again.
    static let mostWaiting = 2_000
    /// In seconds: after it a picture is fetched anew, for people change theirs under the same address.
    static let lifetime = 7 * 86_400.0
    private static let mostFailures = 10_000

    /// In bytes, all pictures together.
    let mostBytes: Int
    private(set) var bytes = 0
    package private(set) var entries: [String: Entry] = [:]
    private var waiting: [PictureAddress] = []
    private var running: Set<PictureAddress> = []
    private var waitingSet: Set<PictureAddress> = []
    /// By the steady clock.
    private var failedUntil: [PictureAddress: Date] = [:]

    package init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    package var waitingCount: Int { waiting.count }
    package var isIdle: Bool { waiting.isEmpty && running.isEmpty }

    /// Whether the picture is here, and whether it has now been noted to be fetched.
    ///
    /// - Parameter steady: by which failures are forgotten
    package mutating func ask(for address: PictureAddress, now: Date, steady: Date) -> (
        isHere: Bool, isNew: Bool
    ) {
        let isHere = entries[address.name] != nil
        entries[address.name]?.usedAt = now
        let isFresh =
            entries[address.name].map {
                !ModelTime.isOver($0.fetchedAt, lifetime: Self.lifetime, now: now)
            } ?? false
        let room = address.isOwn ? Self.mostWaiting : Self.mostWaiting / 2
        guard !isFresh, !running.contains(address), waiting.count < room,
            failedUntil[address].map({ $0 <= steady }) ?? true, waitingSet.insert(address).inserted
        else { return (isHere, false) }
        waiting.append(address)
        return (isHere, true)
    }

    /// What is to be fetched now.
    package mutating func next() -> [PictureAddress] {
        var strangers = running.count { !$0.isOwn }
        var taken: [PictureAddress] = []
        for address in waiting {
            guard running.count + taken.count < Self.mostAtOnce else { break }
            if !address.isOwn {
                guard strangers < Self.mostStrangersAtOnce else { continue }
                strangers += 1
            }
            taken.append(address)
        }
        waitingSet.subtract(taken)
        if !taken.isEmpty { waiting.removeAll { !waitingSet.contains($0) } }
        running.formUnion(taken)
        return taken
    }

    /// - Parameter until: when it may be asked for again, by the steady clock as `now`; nil where it has not failed
    package mutating func end(_ address: PictureAddress, failedUntil until: Date?, now: Date) {
        running.remove(address)
        failedUntil[address] = until
        guard failedUntil.count > Self.mostFailures else { return }
        failedUntil = failedUntil.filter { $0.value > now }
        if failedUntil.count > Self.mostFailures { failedUntil.removeAll() }
    }

    /// Puts a picture in, and takes those out that have not been used for longest, if it has become too much.
    ///
    /// Answers the names of what has to go.
    package mutating func put(_ entry: Entry, as name: String) -> [String] {
        bytes += entry.size - (entries[name]?.size ?? 0)
        entries[name] = entry
        guard isFull else { return [] }
        var gone: [String] = []
        for (name, entry) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard isFull else { break }
            bytes -= entry.size
            entries[name] = nil
            gone.append(name)
        }
        return gone
    }

    private var isFull: Bool { bytes > mostBytes || entries.count > Self.mostEntries }

    /// Its file is gone or no picture any more.
    package mutating func drop(_ name: String) {
        bytes -= entries.removeValue(forKey: name)?.size ?? 0
    }

    /// Notes that it was served; true when that should be written down: once a day.
    package mutating func use(_ name: String, now: Date) -> Bool {
        guard let stampedAt = entries[name]?.stampedAt else { return false }
        entries[name]?.usedAt = now
        guard ModelTime.isOver(stampedAt, lifetime: 86_400, now: now) else { return false }
        entries[name]?.stampedAt = now
        return true
    }
}
