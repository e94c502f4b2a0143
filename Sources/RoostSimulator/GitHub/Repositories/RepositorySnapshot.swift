/// The changes that commands made to a repository. Nil fields are unchanged.
struct SimulatedRepositoryChange: Sendable, Equatable {
    var fullName: String?
    var description: String?
    var language: String?
    var topics: [String]?
    var homepage: String?
    var readme: String?
    var isArchived: Bool?
    var isPrivate: Bool?
    var isDeleted = false
    /// Fixes the number of stars.
    var stars: Int?
    /// The logins that can see it while it is private; nil for all whose tokens see private repositories.
    var readers: Set<String>?
}

struct RepositorySnapshot: Sendable {
    let entry: CatalogueEntry
    let fullName: String
    let owner: SimulatedOwner
    let parent: String?
    let parentNumber: Int?
    private let change: SimulatedRepositoryChange
    private let now: Int

    init(
        _ entry: CatalogueEntry, _ change: SimulatedRepositoryChange?, owner: SimulatedOwner,
        parent: (name: String, number: Int)?, now: Int
    ) {
        self.entry = entry
        self.owner = owner
        self.change = change ?? SimulatedRepositoryChange()
        self.now = now
        fullName = change?.fullName ?? entry.fullName
        (self.parent, parentNumber) = (parent?.name, parent?.number)
    }

    var number: Int { entry.number }
    var name: String { String(fullName.drop { $0 != "/" }.dropFirst()) }
    var description: String? { change.description ?? entry.description }
    var isArchived: Bool { change.isArchived ?? entry.isArchived }
    var isPrivate: Bool { change.isPrivate ?? entry.isPrivate }
    var isFork: Bool { entry.parent != nil }
    var isEmpty: Bool { entry.isEmpty }
    var language: String? { change.language ?? entry.language }
    var topics: [String] { change.topics ?? entry.topics }
    var homepage: String? { change.homepage ?? entry.homepage }
    var readme: String? { change.readme }
    var nodeID: String { entry.nodeID }
    var formerName: String? { entry.formerName }
    var isUnavailable: Bool { entry.isUnavailable || change.isDeleted }
    var isDeleted: Bool { change.isDeleted }
    var visibility: String { isPrivate ? "private" : "public" }
    /// The display name of the licence; "Other" for `NOASSERTION`.
    var licenceName: String? { entry.licence.map { Self.licences[$0] ?? $0 } }

    var createdAt: Int { min(now, entry.growth.created.latest(at: now)) }

    var pushedAt: Int? {
        guard !isEmpty else { return nil }
        let pushed = isArchived ? 0 : entry.growth.pushed.latest(at: now)
        return min(now, max(pushed, createdAt + Timestamp.hour))
    }

    /// Grows every day; a young repository starts with none.
    var stars: Int {
        if let stars = change.stars { return stars }
        let growth = entry.growth
        let day = Double(Timestamp.day)
        if case .every = growth.created {
            let age = Double(max(0, now - createdAt)) / day
            return Int(Double(growth.stars) * age / (age + 5))
        }
        let days = Double(max(0, now - PullScript.origin)) / day
        return growth.stars + Int(Double(growth.stars) * growth.rate * days)
    }

    func isVisible(to caller: GitHubCaller) -> Bool {
        guard !isUnavailable else { return false }
        guard isPrivate else { return true }
        let isReader = change.readers.map { readers in caller.login.map(readers.contains) ?? false } ?? true
        return isReader && caller.canSeePrivate
    }

    private static let licences = [
        "MIT": "MIT License", "Apache-2.0": "Apache License 2.0",
        "GPL-3.0": "GNU General Public License v3.0",
        "BSD-3-Clause": "BSD 3-Clause \"New\" or \"Revised\" License",
        "MPL-2.0": "Mozilla Public License 2.0",
        "Unlicense": "The Unlicense", "NOASSERTION": "Other",
    ]
}
