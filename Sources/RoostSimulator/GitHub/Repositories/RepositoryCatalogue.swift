import Synchronization

/// 20,000 public repositories and some private ones, indexed by number, name and GraphQL id. Determined by
/// the seed.
final class RepositoryCatalogue: Sendable {
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
        for (index, entry) in entries.enumerated() {
            names[entry.fullName.lowercased()] = index
            nodes[entry.nodeID] = index
            owners[entry.owner.login.lowercased()] = entry.owner
            if let name = entry.formerName { former[name.lowercased()] = index }
        }
        (byName, byFormerName, byNode, byOwner) = (names, former, nodes, owners)
    }

    private static let cache = Mutex<[UInt64: RepositoryCatalogue]>([:])

    /// Returns a cached catalogue: tests create many simulations with the same seed.
    static func of(seed: UInt64) -> RepositoryCatalogue {
        cache.withLock { cache in
            if let catalogue = cache[seed] { return catalogue }
            let catalogue = RepositoryCatalogue(seed: seed)
            if cache.count > 3 { cache = [:] }
            cache[seed] = catalogue
            return catalogue
        }
    }

    func index(name: String) -> Int? { byName[name.lowercased()] }

    func index(formerName: String) -> Int? { byFormerName[formerName.lowercased()] }

    func index(node: String) -> Int? { byNode[node] }

    func owner(_ login: String) -> SimulatedOwner? { byOwner[login.lowercased()] }

    func index(number: Int) -> Int? {
        let index = firstIndex(above: number - 1)
        return index < entries.count && entries[index].number == number ? index : nil
    }

    func firstIndex(above number: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
