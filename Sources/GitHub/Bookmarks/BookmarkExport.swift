import Foundation
import RoostSupport
import TextFormats

/// Exports all bookmarks as JSON, which `BookmarkFile` can read, or as CSV for spreadsheets.
enum BookmarkExport {
    private struct Row: Encodable {
        let fullName: String
        let state: Bookmark.State
        let tags: [String]
        let note: String
        let addedAt: String
        let checkedAt: String?
        let seen: AcknowledgedState
        let repository: RepositoryJSON?

        init(_ record: BookmarkRecord) {
            fullName = record.fullName
            state = record.state
            tags = record.tags
            note = record.note
            addedAt = ISO8601.milliseconds(record.addedAt)
            checkedAt = record.checkedAt.map(ISO8601.milliseconds)
            seen = record.seen
            repository = record.item.map { RepositoryJSON($0, isPrivate: $0.repository.isPrivate) }
        }
    }

    /// One bookmark per line. Throws `CancellationError`.
    static func json(_ records: [BookmarkRecord], at now: Date) throws -> [UInt8] {
        let head = #"{"program":"Roost","kind":"bookmarks","version":1,"exportedAt":""#
        var bytes = Array((head + ISO8601.milliseconds(now) + "\",\"bookmarks\":[").utf8)
        for (index, record) in records.enumerated() {
            try Task.checkCancellation()
            bytes += Array((index == 0 ? "\n" : ",\n").utf8)
            bytes += try line(record)
        }
        return bytes + Array("\n]}\n".utf8)
    }

    /// One bookmark of the file.
    static func line(_ record: BookmarkRecord) throws -> [UInt8] { try TransferLine.json(Row(record)) }

    private static let columnNames = [
        "full_name", "html_url", "description", "language", "stars", "forks", "licence", "topics", "archived",
        "state", "tags", "note", "added_at", "checked_at",
    ]

    /// Throws `CancellationError`.
    static func csv(_ records: [BookmarkRecord]) throws -> [UInt8] {
        var bytes = CSV.line(columnNames)
        for record in records {
            try Task.checkCancellation()
            bytes += CSV.line(fields(record))
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
