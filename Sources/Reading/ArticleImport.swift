package import Foundation
import GRDB

/// An import of a file, as far as it has come.
package struct ArticleImport: Identifiable, Sendable, Equatable {
    package enum State: String, Sendable {
        case running, done, cancelled
        /// What it has added is being taken out again, and what it has merged is being restored; and all of that is done.
        case undoing, undone
    }

    package let id: Int64
    /// The file's name, fit to be shown.
    package let fileName: String
    package let format: ArticleImportFormat
    /// Whether the pages are fetched.
    package let fetches: Bool
    package let state: State
    /// How many entries the file has.
    package let total: Int
    package let added: Int
    /// Entries whose articles were there already, or stand in the file twice.
    package let known: Int
    /// Of the known entries those that told something new, which the article got.
    package let merged: Int
    package let failed: Int
    /// Articles that undoing has taken out so far.
    package let removed: Int
    package let startedAt: Date
    package let endedAt: Date?

    /// Entries that are done, of `total`.
    package var done: Int { added + known + failed }
    package var isUnderWay: Bool { state == .running || state == .undoing }
    package var canBeUndone: Bool { (state == .done || state == .cancelled) && added + merged > 0 }

    package init(
        id: Int64, fileName: String, format: ArticleImportFormat, fetches: Bool, state: State, total: Int,
        added: Int, known: Int, merged: Int = 0, failed: Int, removed: Int, startedAt: Date, endedAt: Date?
    ) {
        self.id = id
        self.fileName = fileName
        self.format = format
        self.fetches = fetches
        self.state = state
        self.total = total
        self.added = added
        self.known = known
        self.merged = merged
        self.failed = failed
        self.removed = removed
        self.startedAt = startedAt
        self.endedAt = endedAt
    }
}

/// What an import has to say about an entry of the file.
package struct ArticleImportRemark: Sendable, Equatable {
    /// The line in a CSV file, the number of the entry in others.
    package let line: Int
    /// Which file of a zip file; empty for a file alone.
    package let part: String
    /// As it stands in the file, cut where it is very long.
    package let url: String
    package let why: String
    /// True where the article was imported and only a part of it was not.
    package let isImported: Bool

    package init(line: Int, part: String, url: String, why: String, isImported: Bool) {
        self.line = line
        self.part = part
        self.url = url
        self.why = why
        self.isImported = isImported
    }
}

extension ArticleImport {
    /// A row of `reading_imports`.
    init(row: Row) throws {
        let counts = 0...Int(Int32.max)
        id = try row.id("id")
        fileName = try row.text("file_name")
        format = try row.choice("format")
        fetches = try row.number("fetches", in: 0...1) == 1
        state = try row.choice("state")
        total = try row.number("total", in: counts)
        (added, known) = (try row.number("added", in: counts), try row.number("known", in: counts))
        merged = try row.number("merged", in: counts)
        (failed, removed) = (try row.number("failed", in: counts), try row.number("removed", in: counts))
        (startedAt, endedAt) = (try row.time("started_at"), try row.timeIfPresent("ended_at"))
    }
}

/// What wrote a file of articles.
package enum ArticleImportFormat: String, CaseIterable, Sendable {
    case roost, pocket, instapaper, omnivore, wallabag, netscape, other

    /// As pages name it.
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
