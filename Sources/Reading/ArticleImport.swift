package import Foundation
import GRDB

package struct ArticleImport: Identifiable, Sendable, Equatable {
    package enum State: String, Sendable {
        case running, done, cancelled
        /// Undoing removes the added articles and restores the merged ones.
        case undoing, undone
    }

    package let id: Int64
    package let fileName: String
    package let format: ArticleImportFormat
    package let fetches: Bool
    package let state: State
    package let total: Int
    package let added: Int
    /// Entries whose articles already existed, or that the file contains twice.
    package let duplicates: Int
    /// How many of the duplicates added something new to their article.
    package var merged = 0
    package let failed: Int
    /// Articles that undoing has removed so far.
    package let removed: Int
    package let startedAt: Date
    package let endedAt: Date?

    package var done: Int { added + duplicates + failed }
    package var isInProgress: Bool { state == .running || state == .undoing }
    package var canBeUndone: Bool { (state == .done || state == .cancelled) && added + merged > 0 }
}

extension ArticleImport {
    init(row: Row) throws {
        let counts = 0...Int(Int32.max)
        id = try row.id("id")
        fileName = try row.text("file_name")
        format = try row.choice("format")
        fetches = try row.number("fetches", in: 0...1) == 1
        state = try row.choice("state")
        total = try row.number("total", in: counts)
        (added, duplicates) = (try row.number("added", in: counts), try row.number("known", in: counts))
        merged = try row.number("merged", in: counts)
        (failed, removed) = (try row.number("failed", in: counts), try row.number("removed", in: counts))
        (startedAt, endedAt) = (try row.time("started_at"), try row.timeIfPresent("ended_at"))
    }
}

package enum ArticleImportFormat: String, CaseIterable, Sendable {
    case roost, pocket, instapaper, omnivore, wallabag, netscape, other

    package var name: String {
        switch self {
        case .roost: "Roost"
        case .pocket: "Pocket"
        case .instapaper: "Instapaper"
        case .omnivore: "Omnivore"
        case .wallabag: "wallabag"
        case .netscape: "Bookmarks (Netscape HTML)"
        case .other: "Another program"
        }
    }
}
