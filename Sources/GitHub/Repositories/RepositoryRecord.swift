import Foundation
import GRDB
import RoostSupport
import TextFormats

/// A row of `repositories`: what is known of a repository, and who may know it.
struct RepositoryRecord: Sendable {
    enum Status: String, Sendable {
        /// As GitHub last told it; answered to everybody who may know it.
        case current
        /// GitHub no longer shows it, or only a list has named it; known to those alone whose bookmarks refer to it.
        case retained
        /// What an imported file says; known to the bookmark alone that was imported.
        case claimed
    }

    /// The row's number; nil before it is inserted.
    var place: Int64?
    var item: RepositoryItem
    /// Of REST's answer that says the same.
    var etag: String?
    /// Nil: everybody may know it. Otherwise it is private, and this user's account sees it.
    var viewer: UserID?
    var status = Status.current
    var usedAt: Date

    var key: RepositoryKey { RepositoryKey(id: item.id, viewer: viewer) }
}

/// Which repository, and who may know what is kept under it.
struct RepositoryKey: Hashable, Sendable {
    let id: RepositoryID
    /// Nil: everybody.
    let viewer: UserID?
}

extension RepositoryRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "repositories"

    private static let columns = [
        "place", "id", "viewer", "status", "node_id", "full_name", "owner", "owner_type", "avatar_url",
        "description", "is_fork", "html_url", "is_private", "etag", "fetched_at", "used_at", "stars", "forks",
        "open_issues", "language", "licence", "topics", "is_archived", "default_branch", "pushed_at",
        "created_at", "homepage", "parent",
    ]

    /// What a statement selects for `init(_:)`, of the table under the name `repository`.
    static let selection = columns.map { "repository.\($0)" }.joined(separator: ", ")

    init(row: Row) throws {
        var reader = RowReader(row)
        try self.init(&reader)
    }

    /// Reads the columns of `selection`. Throws `ImpossibleValue`.
    init(_ reader: inout RowReader) throws {
        place = try reader.id()
        let id = try reader.id()
        viewer = try reader.ifPresent { try $0.id() }
        status = try reader.choice()
        let repository = try Self.repository(id, &reader)
        etag = try reader.ifPresent { try $0.text() }
        let fetchedAt = try reader.ifPresent { try $0.time() }
        usedAt = try reader.time()
        let detail = try reader.isAtNull ? nil : Self.detail(&reader)
        item = RepositoryItem(repository: repository, detail: detail, fetchedAt: fetchedAt)
    }

    private static func repository(_ id: RepositoryID, _ reader: inout RowReader) throws -> Repository {
        let nodeId = try reader.ifPresent { try $0.text() }
        let fullName = try reader.text()
        let login = try reader.text()
        let kind: Owner.Kind = try reader.choice()
        let avatarURL = try reader.ifPresent { try $0.text() }
        let description = try reader.ifPresent { try $0.text(maximumBytes: 65_536) }
        let isFork = try reader.flag()
        let htmlURL = try reader.text()
        let isPrivate = try reader.flag()
        guard let name = RepositoryName(fullName) else { throw ImpossibleValue(column: "full_name") }
        // It becomes a link.
        guard htmlURL.hasPrefix("https://") || htmlURL.hasPrefix("http://") else {
            throw ImpossibleValue(column: "html_url")
        }
        return Repository(
            stored: id, nodeId: nodeId, name: name, fullName: fullName,
            owner: Owner(stored: login, type: kind, avatarURL: avatarURL), description: description,
            fork: isFork, htmlURL: htmlURL, isPrivate: isPrivate)
    }

    /// Throws `ImpossibleValue` for values that Roost would not have stored.
    func judge() throws {
        let (repository, owner) = (item.repository, item.repository.owner)
        do {
            let judged = try Repository(
                id: repository.id, nodeId: repository.nodeId, name: repository.name,
                fullName: repository.fullName,
                owner: Owner(login: owner.login, type: owner.type, avatarURL: owner.avatarURL),
                description: repository.description, fork: repository.fork, htmlURL: repository.htmlURL,
                isPrivate: repository.isPrivate)
            guard judged == repository else {
                throw ImpossibleValue(column: "full_name, owner or description")
            }
        } catch let error as ValidationError {
            throw ImpossibleValue(column: error.field)
        }
        guard let detail = item.detail else { return }
        // What was judged when it came is not judged again by a clock that went back.
        let judged = RepositoryDetail(
            stars: detail.stars, forks: detail.forks, openIssues: detail.openIssues,
            language: detail.language,
            licence: detail.licence, topics: detail.topics, archived: detail.archived,
            defaultBranch: detail.defaultBranch, pushedAt: detail.pushedAt, createdAt: detail.createdAt,
            homepage: detail.homepage, parent: detail.parent, now: .distantFuture)
        guard judged == detail else {
            throw ImpossibleValue(column: "language, licence, topics, default_branch, homepage or parent")
        }
    }

    private static func detail(_ reader: inout RowReader) throws -> RepositoryDetail {
        let (stars, forks, openIssues) = (try reader.count(), try reader.count(), try reader.count())
        let (language, licence) = (
            try reader.ifPresent { try $0.text() }, try reader.ifPresent { try $0.text() }
        )
        let topics = try reader.text(maximumBytes: 65_536).splitBytes(at: "\n").map(String.init)
        let archived = try reader.flag()
        let defaultBranch = try reader.text()
        let (pushedAt, createdAt) = (try reader.time(), try reader.time())
        return RepositoryDetail(
            stored: stars, forks: forks, openIssues: openIssues, language: language, licence: licence,
            topics: topics, archived: archived, defaultBranch: defaultBranch, pushedAt: pushedAt,
            createdAt: createdAt, homepage: try reader.ifPresent { try $0.text() },
            parent: try reader.ifPresent { try $0.text() })
    }

    func encode(to container: inout PersistenceContainer) {
        let (repository, detail) = (item.repository, item.detail)
        container["place"] = place
        container["id"] = repository.id
        container["viewer"] = viewer
        container["status"] = status.rawValue
        container["node_id"] = repository.nodeId
        container["full_name"] = repository.fullName
        container["owner"] = repository.owner.login
        container["owner_type"] = repository.owner.type.rawValue
        container["avatar_url"] = repository.owner.avatarURL
        container["description"] = repository.description
        container["is_fork"] = repository.fork
        container["html_url"] = repository.htmlURL
        container["is_private"] = repository.isPrivate
        container["stars"] = detail?.stars
        container["forks"] = detail?.forks
        container["open_issues"] = detail?.openIssues
        container["language"] = detail?.language
        container["licence"] = detail?.licence
        container["topics"] = detail?.topics.joined(separator: "\n")
        container["is_archived"] = detail?.archived
        container["default_branch"] = detail?.defaultBranch
        container["pushed_at"] = detail?.pushedAt.timeIntervalSince1970
        container["created_at"] = detail?.createdAt.timeIntervalSince1970
        container["homepage"] = detail?.homepage
        container["parent"] = detail?.parent
        container["search_text"] = FoldedText(repository: item.fullName, item.about, detail).text
        container["etag"] = etag
        container["fetched_at"] = item.fetchedAt?.timeIntervalSince1970
        container["used_at"] = usedAt.timeIntervalSince1970
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { place = inserted.rowID }
}
