import Foundation
import GRDB

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
