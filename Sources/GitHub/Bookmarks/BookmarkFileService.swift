import Foundation
package import RoostSupport

/// Bookmarks in files, from elsewhere and to elsewhere.
package final class BookmarkFileService: Sendable {
    /// What an import did, row by row where it did not.
    package struct ImportReport: Equatable, Sendable {
        package struct Failure: Equatable, Sendable {
            /// From 1; of CSV the line in the file.
            package let row: Int
            package let why: String

            package init(row: Int, why: String) {
                self.row = row
                self.why = why
            }
        }

        package let added, updated, unchanged: Int
        package let failures: [Failure]
        package let undo: BookmarkService.UndoID?

        package init(
            added: Int, updated: Int, unchanged: Int, failures: [Failure], undo: BookmarkService.UndoID?
        ) {
            self.added = added
            self.updated = updated
            self.unchanged = unchanged
            self.failures = failures
            self.undo = undo
        }
    }

    package static let maximumFileBytes = BookmarkFile.maximumBytes

    package enum Format: String, Sendable { case json, csv }

    private let store: BookmarkStore
    private let writer: BookmarkWriter
    private let configuration: BookmarkParts.Configuration
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock

    init(
        store: BookmarkStore, writer: BookmarkWriter, configuration: BookmarkParts.Configuration,
        heavyWork: HeavyWorkQueue, clock: WallClock
    ) {
        self.store = store
        self.writer = writer
        self.configuration = configuration
        self.heavyWork = heavyWork
        self.clock = clock
    }

    /// Reads JSON or CSV of ours, of other programs, or written by hand. Never waits for GitHub: names alone
    /// are resolved in the background. Throws `RoostError.invalid(field: "file")` for what is neither.
    package func read(_ file: [UInt8], for user: UserID) async throws -> ImportReport {
        try await heavyWork.run(for: user) { try await readNow(file, for: user) }
    }

    private func readNow(_ file: [UInt8], for user: UserID) async throws -> ImportReport {
        let (now, limit) = (clock.now(), configuration.limit)
        let read = try BookmarkFile(file, webURL: configuration.webURL, now: now)
        let (tally, _, undo) = try await writer.change(of: user) { rows in
            var tally = ImportProgress(room: limit - (try rows.count()), failures: read.failures)
            for entry in read.entries { try tally.take(entry, into: rows, now: now) }
            try rows.keepUndo(at: now)
            return tally
        }
        return ImportReport(
            added: tally.added, updated: tally.updated, unchanged: tally.unchanged,
            failures: tally.failures.sorted { $0.row < $1.row },
            undo: undo)
    }

    /// What an import has done so far.
    private struct ImportProgress: Sendable {
        var (added, updated, unchanged) = (0, 0, 0)
        var room: Int
        var failures: [ImportReport.Failure]

        init(room: Int, failures: [ImportReport.Failure]) {
            self.room = room
            self.failures = failures
        }

        mutating func take(_ entry: BookmarkFile.Entry, into rows: BookmarkTransaction, now: Date) throws {
            if let known = try rows.find(entry.name.description) {
                let merged = merge(entry, into: known)
                try rows.update(known, to: merged)
                if merged == known { unchanged += 1 } else { updated += 1 }
            } else if room > 0 {
                try rows.insert(BookmarkRecord(entry, now: now))
                room -= 1
                added += 1
            } else {
                failures.append(.init(row: entry.row, why: "There is no room for more bookmarks."))
            }
        }

        /// Of a bookmark that is there, the words alone: what GitHub has told is not overwritten by a file.
        private mutating func merge(_ entry: BookmarkFile.Entry, into known: BookmarkRecord) -> BookmarkRecord
        {
            var merged = known
            let tags = TagRules.union(known.tags, entry.tags)
            merged.tags = Array(tags.prefix(TagRules.maximumTags))
            if tags.count > TagRules.maximumTags {
                failures.append(.init(row: entry.row, why: "Not all tags fit: a bookmark has 20 at most."))
            }
            if let note = TagRules.joined(known.note, entry.note) {
                merged.note = note
            } else {
                failures.append(
                    .init(row: entry.row, why: "The note does not fit beside the one that is there."))
            }
            return merged
        }
    }

    package func export(_ format: Format, of user: UserID) async throws -> [UInt8] {
        try await heavyWork.run(for: user, rows: try await store.count(of: user)) {
            let bookmarks = try await store.all(of: user)
            switch format {
            case .json: return try BookmarkExport.json(bookmarks, at: clock.now())
            case .csv: return try BookmarkExport.csv(bookmarks)
            }
        }
    }
}

extension BookmarkRecord {
    /// Of a file: GitHub has confirmed nothing of it yet, and is asked soon.
    init(_ entry: BookmarkFile.Entry, now: Date) {
        self.init(name: entry.name, addedAt: min(entry.addedAt ?? now, now), now: now)
        (tags, note) = (entry.tags, entry.note)
        if let item = entry.item {
            self.item = item
            fullName = item.fullName
            state = .present
        }
        if entry.isGone { state = .gone }
        checkedAt = item == nil && state != .gone ? nil : entry.checkedAt
        seen = entry.seen ?? AcknowledgedState(fullName: fullName, state: state, item: entry.item)
    }
}
