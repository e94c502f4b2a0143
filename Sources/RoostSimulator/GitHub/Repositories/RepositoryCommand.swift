/// A command that changes a repository. Nil fields stay as they are.
struct RepositoryCommand: Sendable, Decodable {
    var fullName: String
    /// The new "owner/name", or only a name.
    var rename: String?
    var archived: Bool?
    /// Fixes the number of stars.
    var stars: Int?
    /// True removes it from all lists and returns 404; false restores it.
    var delete: Bool?
    var `private`: Bool?
    /// The logins that can see it while it is private. Without any such command, everyone whose token sees
    /// private repositories can.
    var readers: [String]?
    var description: String?
    var language: String?
    var topics: [String]?
    var homepage: String?
    var readme: String?

    init(
        _ fullName: String, rename: String? = nil, archived: Bool? = nil, stars: Int? = nil,
        delete: Bool? = nil, private isPrivate: Bool? = nil, readers: [String]? = nil,
        description: String? = nil, language: String? = nil, topics: [String]? = nil,
        homepage: String? = nil, readme: String? = nil
    ) {
        (self.fullName, self.rename, self.archived, self.stars) = (fullName, rename, archived, stars)
        (self.delete, self.private, self.readers) = (delete, isPrivate, readers)
        (self.description, self.language, self.topics) = (description, language, topics)
        (self.homepage, self.readme) = (homepage, readme)
    }

    /// - Throws: `UnknownName`, also when the new name is taken
    @discardableResult
    func run(on gitHub: GitHubSimulation) throws -> RepositorySnapshot {
        let owner = fullName.prefix { $0 != "/" }
        let name = rename.map { $0.contains("/") ? $0 : "\(owner)/\($0)" }
        let moment = gitHub.repositories.moment()
        if let name, let other = moment.found(name), other.number != moment.found(fullName)?.number {
            throw GitHubSimulation.UnknownName(description: "there is a repository \(name) already")
        }
        let changed = gitHub.repositories.change(fullName) { change in
            change.fullName = name ?? change.fullName
            change.isArchived = archived ?? change.isArchived
            change.stars = stars ?? change.stars
            change.isDeleted = delete ?? change.isDeleted
            change.isPrivate = `private` ?? change.isPrivate
            change.readers = readers.map { Set($0) } ?? change.readers
            change.description = description ?? change.description
            change.language = language ?? change.language
            change.topics = topics ?? change.topics
            change.homepage = homepage ?? change.homepage
            change.readme = readme ?? change.readme
        }
        guard let changed else {
            throw GitHubSimulation.UnknownName(description: "there is no repository \(fullName)")
        }
        return changed
    }
}

extension GitHubSimulation {
    @discardableResult
    func run(_ command: RepositoryCommand) throws -> RepositorySnapshot {
        try command.run(on: self)
    }
}
