import Foundation
import TextFormats

/// A repository in the API and in files of bookmarks. Unknown fields are omitted; imported files may lack the optional
/// ones.
package struct RepositoryJSON: Codable, Sendable {
    private let id: IDText
    private let nodeId: String?
    private let name, fullName: String
    private let owner: Owner
    private let description: String?
    private let fork, isPrivate: Bool?
    private let htmlURL: String?
    private let detail: DetailJSON?
    private let fetchedAt: String?

    package init(_ item: RepositoryItem) { self.init(item, isPrivate: nil) }

    /// - Parameter isPrivate: nil to omit it
    init(_ item: RepositoryItem, isPrivate: Bool?) {
        let repository = item.repository
        id = IDText(id: repository.id)
        nodeId = repository.nodeId
        name = repository.name
        fullName = repository.fullName
        owner = repository.owner
        description = repository.description
        fork = repository.fork
        self.isPrivate = isPrivate
        htmlURL = repository.htmlURL
        detail = item.detail.map(DetailJSON.init)
        fetchedAt = item.fetchedAt.map(ISO8601.seconds)
    }

    /// Returns nil if the file claims another name or something invalid. Ignores the file's links.
    func item(_ name: RepositoryName, _ addresses: RepositoryURLParser, now: Date) -> RepositoryItem? {
        guard RepositoryName(fullName) == name, owner.login.lowercased() == name.owner.lowercased(),
            let repository = try? Repository(
                id: id.id, nodeId: nodeId, name: self.name, fullName: fullName, owner: owner,
                description: description, fork: fork ?? false, htmlURL: addresses.webURL + "/" + fullName,
                isPrivate: isPrivate ?? false)
        else { return nil }
        let detail = detail?.detail(now: now)
        let fetchedAt = detail == nil ? nil : fetchedAt.flatMap(ISO8601.parse)
        return RepositoryItem(
            repository: repository, detail: detail, fetchedAt: fetchedAt.map { min($0, now) })
    }

    /// GitHub's number, as a string like all ids in Roost's JSON. Files of earlier versions have the number itself.
    private struct IDText: Codable, Sendable {
        let id: RepositoryID

        init(id: RepositoryID) { self.id = id }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(RepositoryID.self) {
                id = number
            } else if let number = RepositoryID(try container.decode(String.self)) {
                id = number
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number")
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("\(id)")
        }
    }

    private struct DetailJSON: Codable, Sendable {
        let stars: Int
        let forks, openIssues: Int?
        let language, licence: String?
        let topics: [String]?
        let archived: Bool?
        let defaultBranch: String?
        let pushedAt, createdAt: String
        let homepage, parent: String?

        init(_ detail: RepositoryDetail) {
            stars = detail.stars
            forks = detail.forks
            openIssues = detail.openIssues
            language = detail.language
            licence = detail.licence
            topics = detail.topics
            archived = detail.archived
            defaultBranch = detail.defaultBranch
            pushedAt = ISO8601.seconds(detail.pushedAt)
            createdAt = ISO8601.seconds(detail.createdAt)
            homepage = detail.homepage
            parent = detail.parent
        }

        /// Returns nil if a value is impossible.
        func detail(now: Date) -> RepositoryDetail? {
            let counts = [stars, forks ?? 0, openIssues ?? 0]
            guard counts.allSatisfy(JSONReader.counts.contains), let pushedAt = ISO8601.parse(pushedAt),
                let createdAt = ISO8601.parse(createdAt)
            else { return nil }
            return RepositoryDetail(
                stars: stars, forks: forks ?? 0, openIssues: openIssues ?? 0, language: language,
                licence: licence, topics: topics ?? [], archived: archived ?? false,
                defaultBranch: defaultBranch ?? "main", pushedAt: pushedAt, createdAt: createdAt,
                homepage: homepage, parent: parent, now: now)
        }
    }
}
