import Foundation
package import RoostSupport

package final class BookmarkFileService: Sendable {
    package static let rules = BookmarkFile.rules

    package enum Format: String, CaseIterable, Sendable { case json, csv }

    private let database: Database
    let schedule: BookmarkRefreshSchedule
    let configuration: BookmarkParts.Configuration
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock

    init(
        database: Database, schedule: BookmarkRefreshSchedule, configuration: BookmarkParts.Configuration,
        heavyWork: HeavyWorkQueue, clock: WallClock
    ) {
        self.database = database
        self.schedule = schedule
        self.configuration = configuration
        self.heavyWork = heavyWork
        self.clock = clock
    }

    /// Imports JSON or CSV from Roost, other programs, or written by hand. Never waits for GitHub, which is asked about
    /// names in the background. Throws `RoostError.invalid(field: "file")` for anything else.
    package func read(_ file: [UInt8], for user: UserID) async throws -> ImportReport {
        try await heavyWork.run(for: user) {
            let (now, limit) = (clock.now(), configuration.limit)
            let rows = try BookmarkFile.rows(of: file, webURL: configuration.webURL, now: now)
            return try await database.write { [schedule] writes in
                let edits = BookmarkEdits(of: user, in: writes, schedule)
                var room = limit - (try writes.bookmarkCount(of: user))
                var report = try rows.report { entry, problems in
                    let outcome = try Self.add(entry, with: edits, hasRoom: room > 0, now: now, &problems)
                    if case .added = outcome { room -= 1 }
                    return outcome
                }
                report.undo = try edits.addUndo(at: now)
                return report
            }
        }
    }

    static func add(
        _ entry: BookmarkFile.Entry, with edits: BookmarkEdits, hasRoom: Bool, now: Date,
        _ problems: inout [String]
    ) throws -> FileImport<BookmarkFile.Entry>.Outcome {
        problems = entry.problems
        if let existing = try edits.writes.bookmark(named: entry.name.description, of: edits.user) {
            let merged = merge(entry, into: existing, &problems)
            try edits.update(existing, to: merged)
            return merged == existing ? .unchanged : .updated
        }
        guard hasRoom else { return .refused(.file("You have reached the limit of bookmarks.")) }
        try edits.insert(BookmarkRecord(entry, now: now))
        return .added
    }

    /// Only merges tags and note: a file must not overwrite GitHub's data.
    private static func merge(
        _ entry: BookmarkFile.Entry, into existing: BookmarkRecord, _ problems: inout [String]
    ) -> BookmarkRecord {
        var merged = existing
        let tags = TagRules.union(existing.tags, entry.tags)
        merged.tags = Array(tags.prefix(TagRules.maximumTags))
        if tags.count > TagRules.maximumTags { problems.append(BookmarkFile.tooManyTags) }
        if let note = TagRules.joined(existing.note, entry.note) {
            merged.note = note
        } else {
            problems.append("The combined note would be too long; the existing one was kept.")
        }
        return merged
    }

    package func export(_ format: Format, of user: UserID) async throws -> [UInt8] {
        try await heavyWork.run(for: user, rows: try await database.read { try $0.bookmarkCount(of: user) }) {
            let bookmarks = try await database.read { try $0.bookmarks(of: user) }
            switch format {
            case .json: return try BookmarkExport.json(bookmarks, at: clock.now())
            case .csv: return try BookmarkExport.csv(bookmarks)
            }
        }
    }
}

extension BookmarkRecord {
    /// GitHub has not confirmed the entry yet, and is asked soon.
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
