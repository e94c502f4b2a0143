/// What tests and people can make of a repository at once.
struct RepositoryCommand: Sendable, Decodable {
    /// "owner/name", as it is called now.
    var fullName: String
    /// "owner/name", or a name alone.
    var rename: String?
    var archived: Bool?
    /// From now on it has so many and gains no more.
    var stars: Int?
    /// True: gone from all lists, 404; false: there again.
    var delete: Bool?
    var `private`: Bool?
    /// Who sees it while it is private; nobody named: all whose tokens see private ones.
    var readers: [String]?
    var description: String?
    var language: String?
    var topics: [String]?
    var homepage: String?
    /// What its README says below its title, as HTML.
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

    /// - Throws: `UnknownName`, also when the new name is another's
    @discardableResult
    func carryOut(on gitHub: GitHubSimulation) throws -> RepositorySnapshot {
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
    /// - Throws: `UnknownName`
    @discardableResult
    func order(_ order: RepositoryCommand) throws -> RepositorySnapshot {
        try order.carryOut(on: self)
    }
}
