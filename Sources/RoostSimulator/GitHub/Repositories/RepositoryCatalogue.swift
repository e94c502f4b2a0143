import Synchronization

/// 20,000 public repositories and some private ones, by number, name and GraphQL's id; the same for a seed.
final class RepositoryCatalogue: Sendable {
    /// Their numbers ascend, with gaps.
    let entries: [CatalogueEntry]
    private let byName: [String: Int]
    private let byFormerName: [String: Int]
    private let byNode: [String: Int]
    private let byOwner: [String: SimulatedOwner]

    private init(seed: UInt64) {
        var writer = CatalogueWriter(seed: seed)
        entries = writer.write()
        var (names, former, nodes) = ([String: Int](), [String: Int](), [String: Int]())
        var owners: [String: SimulatedOwner] = [:]
        for (place, entry) in entries.enumerated() {
            names[entry.fullName.lowercased()] = place
            nodes[entry.nodeID] = place
            owners[entry.owner.login.lowercased()] = entry.owner
            if let name = entry.formerName { former[name.lowercased()] = place }
        }
        (byName, byFormerName, byNode, byOwner) = (names, former, nodes, owners)
    }

    private static let made = Mutex<[UInt64: RepositoryCatalogue]>([:])

    /// Made once for each seed: a test makes many simulations of the same one.
    static func of(seed: UInt64) -> RepositoryCatalogue {
        made.withLock { made in
            if let catalogue = made[seed] { return catalogue }
            let catalogue = RepositoryCatalogue(seed: seed)
            if made.count > 3 { made = [:] }
            made[seed] = catalogue
            return catalogue
        }
    }

    /// In any case of letters.
    func place(name: String) -> Int? { byName[name.lowercased()] }

    func place(formerName: String) -> Int? { byFormerName[formerName.lowercased()] }

    func place(node: String) -> Int? { byNode[node] }

    func owner(_ login: String) -> SimulatedOwner? { byOwner[login.lowercased()] }

    func place(number: Int) -> Int? {
        let place = first(above: number - 1)
        return place < entries.count && entries[place].number == number ? place : nil
    }

    /// The place of the first whose number is above; `entries.count` if there is none.
    func first(above number: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
