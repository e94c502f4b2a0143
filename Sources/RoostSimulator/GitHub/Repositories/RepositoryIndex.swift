import Synchronization

/// The simulated repositories, and what was ordered of them.
package final class RepositoryIndex: Sendable {
    private let seed: UInt64
    private let clock: SimulatorClock
    private let state = Mutex(State())

    private struct State {
        var changes: [Int: SimulatedRepositoryChange] = [:]
        /// Lower-case names that orders gave, and those that they took away.
        var renamed: [String: Int] = [:]
        var former: [String: Int] = [:]
    }

    init(seed: UInt64, clock: SimulatorClock) {
        self.seed = seed
        self.clock = clock
    }

    /// Nothing is made before the first question.
    func moment() -> RepositoryMoment {
        let state = state.withLock { $0 }
        return RepositoryMoment(
            catalogue: RepositoryCatalogue.of(seed: seed), changes: state.changes, renamed: state.renamed,
            former: state.former, now: clock.now() / 1_000 * 1_000)
    }

    /// - Returns: as the order leaves it; nil when there is no such repository
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

    func forgetOrders() { state.withLock { $0 = State() } }

    /// The names of the most starred repositories that have a language, topics and a full README, one of each owner.
    package func showcase(_ count: Int) -> [String] {
        let moment = moment()
        var owners: Set<String> = []
        let found = moment.catalogue.entries.indices.lazy.filter { place in
            let entry = moment.catalogue.entries[place]
            return entry.growth.stars > Self.showcaseStars && entry.topics.count > 1 && entry.language != nil
                && entry.parent == nil && !entry.isGone && !entry.isArchived && !entry.isPrivate
        }
        .map { moment[$0] }
        .filter { SimulatedReadme.kind(of: $0) == .usual }
        .sorted { ($0.stars, $0.number) > ($1.stars, $1.number) }
        return found.filter { owners.insert($0.owner.login).inserted }.prefix(count).map(\.fullName)
    }

    private static let showcaseStars = 1_000
}

/// All simulated repositories as they stand at a moment.
struct RepositoryMoment: Sendable {
    let catalogue: RepositoryCatalogue
    fileprivate let changes: [Int: SimulatedRepositoryChange]
    fileprivate let renamed: [String: Int]
    fileprivate let former: [String: Int]
    /// Milliseconds since 1970, whole seconds.
    let now: Int

    fileprivate init(
        catalogue: RepositoryCatalogue, changes: [Int: SimulatedRepositoryChange], renamed: [String: Int],
        former: [String: Int], now: Int
    ) {
        (self.catalogue, self.changes, self.renamed) = (catalogue, changes, renamed)
        (self.former, self.now) = (former, now)
    }

    var count: Int { catalogue.entries.count }

    /// In the order of their numbers.
    subscript(place: Int) -> RepositorySnapshot {
        let entry = catalogue.entries[place]
        let parent = entry.parent.map { catalogue.entries[$0] }
        return RepositorySnapshot(
            entry, changes[entry.number], owner: owner(of: entry),
            parent: parent.map { (changes[$0.number]?.fullName ?? $0.fullName, $0.number) }, now: now)
    }

    /// Whom it was handed to by an order may be nobody yet.
    private func owner(of entry: CatalogueEntry) -> SimulatedOwner {
        guard let name = changes[entry.number]?.fullName else { return entry.owner }
        let login = String(name.prefix { $0 != "/" })
        guard login != entry.owner.login else { return entry.owner }
        return catalogue.owner(login)
            ?? SimulatedOwner(login: login, number: 900_000 + entry.number, isOrganisation: false)
    }

    /// All of them, those that are gone or private too.
    var all: [RepositorySnapshot] { (0..<count).map { self[$0] } }

    func repository(number: Int) -> RepositorySnapshot? {
        catalogue.place(number: number).map { self[$0] }
    }

    func repository(node: String) -> RepositorySnapshot? { catalogue.place(node: node).map { self[$0] } }

    /// Under the name that it has now, in any case of letters.
    func found(_ fullName: String) -> RepositorySnapshot? {
        let name = fullName.lowercased()
        if let number = renamed[name] { return repository(number: number) }
        guard former[name] == nil else { return nil }
        return catalogue.place(name: name).map { self[$0] }
    }

    /// Under a name that it had before.
    func moved(_ fullName: String) -> RepositorySnapshot? {
        let name = fullName.lowercased()
        if let number = former[name] { return repository(number: number) }
        return catalogue.place(formerName: name).map { self[$0] }
    }

    /// Public ones whose numbers are above, and whether there are more behind them.
    func page(after number: Int, count: Int) -> (items: [RepositorySnapshot], hasMore: Bool) {
        var items: [RepositorySnapshot] = []
        var place = catalogue.first(above: number)
        while place < self.count {
            let repository = self[place]
            if !repository.isPrivate, !repository.isDeleted {
                if items.count == count { return (items, true) }
                items.append(repository)
            }
            place += 1
        }
        return (items, false)
    }
}
