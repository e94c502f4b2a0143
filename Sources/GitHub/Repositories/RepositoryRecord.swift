import Foundation
import RoostSupport
import TextFormats

/// A row of `repositories`.
struct RepositoryRecord: Sendable {
    enum Status: String, ColumnValue, Sendable {
        /// GitHub's latest data, visible to everyone with access.
        case current
        /// GitHub no longer shows it, or only a list has named it. Only visible to bookmarks that refer to it.
        case retained
        /// Data from an imported file. Only visible to the imported bookmark.
        case claimed
    }

    /// Nil before the row is inserted.
    var place: Int64?
    var item = RepositoryItem(repository: Repository())
    /// From the REST response with the same content.
    var etag: String?
    /// Nil for public rows. Otherwise the repository is private, and this user's account can see it.
    var viewer: UserID?
    var status = Status.current
    var usedAt = Date(timeIntervalSince1970: 0)

    var key: RepositoryKey { RepositoryKey(id: item.id, viewer: viewer) }
}

struct RepositoryKey: Hashable, Sendable {
    let id: RepositoryID
    /// Nil for public rows.
    let viewer: UserID?
}

extension RepositoryRecord: ColumnRecord {
    static let table = "repositories"
    /// The select list, from the table named `repository`.
    static let selection = selection(of: "repository")

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("place", &place)
        try columns.column("viewer", &viewer)
        try columns.column("status", &status)
        try item.repository.columns(&columns)
        try columns.column("etag", &etag)
        try columns.column("fetched_at", &item.fetchedAt)
        try columns.column("used_at", &usedAt)
        try columns.part(&item.detail)
        columns.written(
            "search_text", FoldedText(repository: item.fullName, item.about, item.detail).text)
    }

    /// Throws `ImpossibleValue` for values that Roost would not have stored.
    func validate() throws {
        let (repository, owner) = (item.repository, item.repository.owner)
        do {
            let validated = try Repository(
                id: repository.id, nodeId: repository.nodeId, name: repository.name,
                fullName: repository.fullName,
                owner: Owner(login: owner.login, type: owner.type, avatarURL: owner.avatarURL),
                description: repository.description, fork: repository.fork, htmlURL: repository.htmlURL,
                isPrivate: repository.isPrivate)
            guard validated == repository else {
                throw ImpossibleValue(column: "full_name, owner or description")
            }
        } catch let error as ValidationError {
            throw ImpossibleValue(column: error.field)
        }
        guard let detail = item.detail else { return }
        // Dates were clamped when they were stored. `.distantFuture` avoids failures if the clock was set back since.
        let validated = RepositoryDetail(
            stars: detail.stars, forks: detail.forks, openIssues: detail.openIssues,
            language: detail.language,
            licence: detail.licence, topics: detail.topics, archived: detail.archived,
            defaultBranch: detail.defaultBranch, pushedAt: detail.pushedAt, createdAt: detail.createdAt,
            homepage: detail.homepage, parent: detail.parent, now: .distantFuture)
        guard validated == detail else {
            throw ImpossibleValue(column: "language, licence, topics, default_branch, homepage or parent")
        }
    }
}

struct RepositoryChange: Sendable {
    let item: RepositoryItem
    /// Nil if public. Otherwise the repository is private, and this user's account can see it.
    let owner: UserID?
    let before: RepositoryItem?

    var hasChanged: Bool { before?.repository != item.repository || before?.detail != item.detail }
}
