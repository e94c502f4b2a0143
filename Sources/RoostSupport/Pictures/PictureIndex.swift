import Foundation

struct PictureIndex {
    package struct Entry: Equatable {
        package var size: Int
        package var fetchedAt: Date
        package var usedAt: Date
        var stampedAt: Date

        package init(size: Int, fetchedAt: Date, usedAt: Date) {
            self.size = size
            self.fetchedAt = fetchedAt
            self.usedAt = usedAt
            stampedAt = usedAt
        }
    }

    /// A limit on the number, because even a small file takes a block of the disk.
    package static let maximumEntries = 16_384
    /// In seconds. Older pictures are fetched again, because people change theirs under the same address.
    static let lifetime = 7 * 86_400.0

    let maximumBytes: Int
    private(set) var bytes = 0
    package private(set) var entries: [String: Entry] = [:]

    /// Records a view of the picture; returns whether it is stored and whether it is fresh.
    package mutating func recordView(of name: String, now: Date) -> (isStored: Bool, isFresh: Bool) {
        guard let index = entries.index(forKey: name) else { return (false, false) }
        entries.values[index].usedAt = now
        let fetchedAt = entries.values[index].fetchedAt
        return (true, !ClockSkew.isExpired(fetchedAt, lifetime: Self.lifetime, now: now))
    }

    /// Adds a picture and removes the least recently used ones if there are too many.
    ///
    /// Returns the names of the removed pictures, whose files must be deleted.
    package mutating func put(_ entry: Entry, as name: String) -> [String] {
        bytes += entry.size - (entries[name]?.size ?? 0)
        entries[name] = entry
        guard isFull else { return [] }
        var removed: [String] = []
        for (name, entry) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard isFull else { break }
            bytes -= entry.size
            entries[name] = nil
            removed.append(name)
        }
        return removed
    }

    private var isFull: Bool { bytes > maximumBytes || entries.count > Self.maximumEntries }

    package mutating func drop(_ name: String) {
        bytes -= entries.removeValue(forKey: name)?.size ?? 0
    }

    /// Records that the picture was served; returns true once a day, when that must be saved.
    package mutating func use(_ name: String, now: Date) -> Bool {
        guard let stampedAt = entries[name]?.stampedAt else { return false }
        entries[name]?.usedAt = now
        guard ClockSkew.isExpired(stampedAt, lifetime: 86_400, now: now) else { return false }
        entries[name]?.stampedAt = now
        return true
    }
}
