import Foundation

/// Which pictures are here and when each was used last, without disk and network.
struct PictureIndex {
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

    /// A small file takes a block of the disk all the same: no more pictures than this, however small.
    package static let maximumEntries = 16_384
    /// In seconds: after it a picture is fetched anew, for people change theirs under the same address.
    static let lifetime = 7 * 86_400.0

    /// In bytes, all pictures together.
    let maximumBytes: Int
    private(set) var bytes = 0
    package private(set) var entries: [String: Entry] = [:]

    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Notes that somebody looks at a picture; answers whether it is here, and young enough.
    package mutating func look(for name: String, now: Date) -> (isHere: Bool, isFresh: Bool) {
        guard let place = entries.index(forKey: name) else { return (false, false) }
        entries.values[place].usedAt = now
        let fetchedAt = entries.values[place].fetchedAt
        return (true, !ClockSkew.isOver(fetchedAt, lifetime: Self.lifetime, now: now))
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

    private var isFull: Bool { bytes > maximumBytes || entries.count > Self.maximumEntries }

    /// Its file is gone or no picture any more.
    package mutating func drop(_ name: String) {
        bytes -= entries.removeValue(forKey: name)?.size ?? 0
    }

    /// Notes that it was served; true when that should be written down: once a day.
    package mutating func use(_ name: String, now: Date) -> Bool {
        guard let stampedAt = entries[name]?.stampedAt else { return false }
        entries[name]?.usedAt = now
        guard ClockSkew.isOver(stampedAt, lifetime: 86_400, now: now) else { return false }
        entries[name]?.stampedAt = now
        return true
    }
}
