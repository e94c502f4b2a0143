import Synchronization

/// The simulated repositories and the changes commands made to them.
package final class RepositoryIndex: Sendable {
    private let seed: UInt64
    private let clock: SimulatorClock
    private let state = Mutex(State())

    private struct State {
        var changes: [Int: SimulatedRepositoryChange] = [:]
        /// Lower-case names that commands added and removed.
        var renamed: [String: Int] = [:]
        var former: [String: Int] = [:]
    }

    init(seed: UInt64, clock: SimulatorClock) {
        self.seed = seed
        self.clock = clock
    }

    /// Returns the current state. The catalogue is generated on first use.
    func moment() -> RepositoryMoment {
        let state = state.withLock { $0 }
        return RepositoryMoment(
            catalogue: RepositoryCatalogue.of(seed: seed), changes: state.changes, renamed: state.renamed,
            former: state.former, now: clock.now() / 1_000 * 1_000)
    }

    /// - Returns: the changed repository, or nil if it does not exist
    func change(_ fullName: String, _ make: (inout SimulatedRepositoryChange) -> Void) -> RepositorySnapshot?
    {
        guard let repository = moment().found(fullName) else { return nil }
        state.withLock { state in
            var change = state.changes[repository.number] ?? SimulatedRepositoryChange()
            make(&change)
            state.changes[repository.number] = change
            guard let name = change.fullName, name != repository.fullName else { return }
            state.former[repository.fullName.lowercased()] = repository.number
            state.renamed[repository.fullName.lowercased()] = nil
            state.former[name.lowercased()] = nil
            state.renamed[name.lowercased()] = repository.number
        }
        return moment().repository(number: repository.number)
    }

    func restore() { state.withLock { $0 = State() } }

    /// Returns the names of the most-starred repositories that have a language, topics and a full README, one
    /// per owner.
    package func showcase(_ count: Int) -> [String] {
        let moment = moment()
        var owners: Set<String> = []
        let found = moment.catalogue.entries.indices.lazy.filter { index in
            let entry = moment.catalogue.entries[index]
            return entry.growth.stars > Self.showcaseStars && entry.topics.count > 1 && entry.language != nil
                && entry.parent == nil && !entry.isUnavailable && !entry.isArchived && !entry.isPrivate
        }
        .map { moment[$0] }
        .filter { SimulatedReadme.kind(of: $0) == .usual }
        .sorted { ($0.stars, $0.number) > ($1.stars, $1.number) }
        return found.filter { owners.insert($0.owner.login).inserted }.prefix(count).map(\.fullName)
    }

    private static let showcaseStars = 1_000
}

struct RepositoryMoment: Sendable {
    let catalogue: RepositoryCatalogue
    fileprivate let changes: [Int: SimulatedRepositoryChange]
    fileprivate let renamed: [String: Int]
    fileprivate let former: [String: Int]
    let now: Int

    fileprivate init(
        catalogue: RepositoryCatalogue, changes: [Int: SimulatedRepositoryChange], renamed: [String: Int],
        former: [String: Int], now: Int
    ) {
        (self.catalogue, self.changes, self.renamed) = (catalogue, changes, renamed)
        (self.former, self.now) = (former, now)
    }

    var count: Int { catalogue.entries.count }

    subscript(index: Int) -> RepositorySnapshot {
        let entry = catalogue.entries[index]
        let parent = entry.parent.map { catalogue.entries[$0] }
        return RepositorySnapshot(
            entry, changes[entry.number], owner: owner(of: entry),
            parent: parent.map { (changes[$0.number]?.fullName ?? $0.fullName, $0.number) }, now: now)
    }

    /// A command may have transferred it to a login that does not exist yet.
    private func owner(of entry: CatalogueEntry) -> SimulatedOwner {
        guard let name = changes[entry.number]?.fullName else { return entry.owner }
        let login = String(name.prefix { $0 != "/" })
        guard login != entry.owner.login else { return entry.owner }
        return catalogue.owner(login)
            ?? SimulatedOwner(login: login, number: 900_000 + entry.number, isOrganisation: false)
    }

    var all: [RepositorySnapshot] { (0..<count).map { self[$0] } }

    func repository(number: Int) -> RepositorySnapshot? {
        catalogue.index(number: number).map { self[$0] }
    }

    func repository(node: String) -> RepositorySnapshot? { catalogue.index(node: node).map { self[$0] } }

    func found(_ fullName: String) -> RepositorySnapshot? {
        let name = fullName.lowercased()
        if let number = renamed[name] { return repository(number: number) }
        guard former[name] == nil else { return nil }
        return catalogue.index(name: name).map { self[$0] }
    }

    func moved(_ fullName: String) -> RepositorySnapshot? {
        let name = fullName.lowercased()
        if let number = former[name] { return repository(number: number) }
        return catalogue.index(formerName: name).map { self[$0] }
    }

    /// Returns public repositories with larger numbers, and whether there are more.
    func page(after number: Int, count: Int) -> (items: [RepositorySnapshot], hasMore: Bool) {
        var items: [RepositorySnapshot] = []
        var index = catalogue.firstIndex(above: number)
        while index < self.count {
            let repository = self[index]
            if !repository.isPrivate, !repository.isDeleted {
                if items.count == count { return (items, true) }
                items.append(repository)
            }
            index += 1
        }
        return (items, false)
    }
}
