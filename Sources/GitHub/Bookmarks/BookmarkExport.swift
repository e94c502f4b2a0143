import Foundation
import TextFormats

/// Bookmarks as files: all of them in JSON, which `BookmarkFile` reads again, and in CSV for spreadsheets.
enum BookmarkExport {
    private struct Row: Encodable {
        let fullName: String
        let state: Bookmark.State
        let tags: [String]
        let note: String
        let addedAt: String
        let checkedAt: String?
        let seen: AcknowledgedState
        let repository: Item?

        init(_ record: BookmarkRecord) {
            fullName = record.fullName
            state = record.state
            tags = record.tags
            note = record.note
            addedAt = ISO8601.milliseconds(record.addedAt)
            checkedAt = record.checkedAt.map(ISO8601.milliseconds)
            seen = record.seen
            repository = record.item.map(Item.init)
        }
    }

    /// As the JSON interface writes a repository: the list's fields, the detail within.
    private struct Item: Encodable {
        let id: RepositoryID
        let nodeId: String?
        let name, fullName: String
        let owner: Owner
        let description: String?
        let fork, isPrivate: Bool
        let htmlURL: String
        let detail: Detail?
        let fetchedAt: String?

        init(_ item: RepositoryItem) {
            let repository = item.repository
            (id, nodeId, name) = (repository.id, repository.nodeId, repository.name)
            (fullName, owner, description) = (repository.fullName, repository.owner, repository.description)
            (fork, isPrivate, htmlURL) = (repository.fork, repository.isPrivate, repository.htmlURL)
            detail = item.detail.map(Detail.init)
            fetchedAt = item.fetchedAt.map(ISO8601.milliseconds)
        }
    }

    private struct Detail: Encodable {
        let stars, forks, openIssues: Int
        let language, licence: String?
        let topics: [String]
        let archived: Bool
        let defaultBranch, pushedAt, createdAt: String
        let homepage, parent: String?

        init(_ detail: RepositoryDetail) {
            (stars, forks, openIssues) = (detail.stars, detail.forks, detail.openIssues)
            (language, licence, topics) = (detail.language, detail.licence, detail.topics)
            (archived, defaultBranch) = (detail.archived, detail.defaultBranch)
            pushedAt = ISO8601.milliseconds(detail.pushedAt)
            createdAt = ISO8601.milliseconds(detail.createdAt)
            (homepage, parent) = (detail.homepage, detail.parent)
        }
    }

    /// One bookmark a line. Throws `CancellationError`.
    static func json(_ records: [BookmarkRecord], at now: Date) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let head = #"{"program":"Roost","kind":"bookmarks","version":1,"exportedAt":""#
        var bytes = Array((head + ISO8601.milliseconds(now) + "\",\"bookmarks\":[").utf8)
        for (place, record) in records.enumerated() {
            try Task.checkCancellation()
            bytes += Array((place == 0 ? "\n" : ",\n").utf8)
            bytes += try encoder.encode(Row(record))
        }
        return bytes + Array("\n]}\n".utf8)
    }

    private static let heads = [
        "full_name", "html_url", "description", "language", "stars", "forks", "licence", "topics", "archived",
        "state", "tags", "note", "added_at", "checked_at",
    ]

    /// RFC 4180, in UTF-8. Throws `CancellationError`.
    static func csv(_ records: [BookmarkRecord]) throws -> [UInt8] {
        var bytes = Array((heads.joined(separator: ",") + "\r\n").utf8)
        for record in records {
            try Task.checkCancellation()
            bytes += Array((fields(record).map(CSV.written).joined(separator: ",") + "\r\n").utf8)
        }
        return bytes
    }

    private static func fields(_ record: BookmarkRecord) -> [String] {
        let item = record.item
        let detail = item?.detail
        return [
            record.fullName, item?.repository.htmlURL ?? "", item?.about ?? "", detail?.language ?? "",
            detail.map { "\($0.stars)" } ?? "", detail.map { "\($0.forks)" } ?? "", detail?.licence ?? "",
            detail?.topics.joined(separator: ", ") ?? "", detail.map { $0.archived ? "yes" : "no" } ?? "",
            record.state.rawValue, record.tags.joined(separator: ", "), record.note,
            ISO8601.milliseconds(record.addedAt), record.checkedAt.map(ISO8601.milliseconds) ?? "",
        ]
    }
}
