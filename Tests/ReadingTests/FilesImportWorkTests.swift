import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostServices

/// Imports run in batches, and can be interrupted, cancelled and undone.
@Suite struct FilesImportWorkTests {
    private static let many = 2_000

    @Test(.timeLimit(.minutes(5)))
    func `a long import is accepted at once and does not block other writes`() async throws {
        try await withReadingFiles { fixture in
            let file = Array(FilesFixture.addresses(Self.many).utf8)
            let started = try await fixture.imports.start(file, named: "big", fetching: true, by: fixture.ada)
            #expect(started.total == Self.many && started.state == .running && started.done == 0)
            let work = Task { await fixture.imports.runUntilIdle() }
            var seen: Set<Int> = []
            try await wait(for: "the import") {
                let feed = try await fixture.feeds.add(ArticleFilter(list: .all), by: fixture.grace)
                try await fixture.feeds.withdraw(feed.id, by: fixture.grace)
                let state = try await fixture.imports.find(started.id, for: fixture.ada)
                seen.insert(state.done)
                return !state.isInProgress
            }
            await work.value
            #expect(try fixture.count("articles") == Self.many)
            // Other writes saw the import in progress, not only before and after one long transaction.
            #expect(seen.subtracting([0, Self.many]).count > 1, "\(seen.sorted())")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `an interrupted import continues and imports each row once`() async throws {
        try await withFolder { folder in
            func open() throws -> ServicesFixture {
                try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            }
            let first = try open()
            try await first.services.load()
            let ada = try await first.add("ada", .owner).userId
            let imports = first.services.reading.imports
            let file = Array(FilesFixture.addresses(Self.many).utf8)
            let id = try await imports.start(file, named: "big", fetching: true, by: ada).id
            let work = Task { await imports.runUntilIdle() }
            try await wait(for: "the first part") { try await imports.find(id, for: ada).done > 0 }
            work.cancel()
            await work.value
            let stopped = try await imports.find(id, for: ada)
            #expect(stopped.state == .running && (1..<Self.many).contains(stopped.done))
            try first.end()

            let second = try open()
            try await second.services.load()
            await second.services.reading.imports.runUntilIdle()
            let done = try await second.services.reading.imports.find(id, for: ada)
            #expect(done.state == .done && done.added == Self.many && done.duplicates == 0)
            #expect(try second.sql(Int.self, "SELECT count(*) FROM articles") == [Self.many])
            #expect(try second.sql(Int.self, "SELECT count(*) FROM shared_items") == [Self.many])
            try second.end()
        }
    }

    @Test func `rows are stored on the disk before the first is imported`() async throws {
        try await withReadingFiles { fixture in
            let file = Array(FilesFixture.addresses(5).utf8)
            _ = try await fixture.imports.start(file, named: "x", fetching: false, by: fixture.ada)
            #expect(try fixture.count("reading_import_rows", where: "state = 'waiting'") == 5)
            #expect(try fixture.count("articles") == 0)
        }
    }

    @Test func `a cancelled import adds nothing more`() async throws {
        try await withReadingFiles { fixture in
            let file = Array(FilesFixture.addresses(5).utf8)
            let id = try await fixture.imports.start(file, named: "x", fetching: false, by: fixture.ada).id
            try await fixture.imports.cancel(id, by: fixture.ada)
            await fixture.imports.runUntilIdle()
            #expect(try fixture.count("articles") == 0)
            let state = try await fixture.imports.find(id, for: fixture.ada).state
            #expect(state == .cancelled)
        }
    }

    @Test func `undoing an import removes only what it added`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile("url\nhttps://example.org/1\n")
            let second = try await fixture.importFile(FilesFixture.addresses(450), fetching: true)
            #expect(second.added == 449 && second.duplicates == 1 && second.canBeUndone)
            try await fixture.imports.undo(second.id, by: fixture.ada)
            await fixture.imports.runUntilIdle()
            let undone = try await fixture.imports.find(second.id, for: fixture.ada)
            #expect(undone.state == .undone && undone.removed == 449)
            #expect(try fixture.articles("normalized_url") == ["https://example.org/1"])
            #expect(try fixture.count("shared_items") == 0)
            #expect(try fixture.count("reading_counts", where: "kind = 'state' AND count = 1") == 1)
        }
    }

    @Test func `undo keeps what the user has opened or changed since`() async throws {
        try await withReadingFiles { fixture in
            let id = try await fixture.importFile(FilesFixture.addresses(3)).id
            fixture.services.clock.advance(60)
            let now = fixture.services.clock.now.timeIntervalSince1970
            try fixture.services.change(
                "UPDATE articles SET opened_at = \(now) WHERE normalized_url = 'https://example.org/2'")
            try await fixture.imports.undo(id, by: fixture.ada)
            await fixture.imports.runUntilIdle()
            #expect(try fixture.articles("normalized_url") == ["https://example.org/2"])
        }
    }

    @Test func `an undone import can be repeated, but not undone twice`() async throws {
        try await withReadingFiles { fixture in
            let id = try await fixture.importFile(SampleFiles.linkding).id
            try await fixture.imports.undo(id, by: fixture.ada)
            await fixture.imports.runUntilIdle()
            #expect(try fixture.count("gists") == 0)
            let again = await refusal { try await fixture.imports.undo(id, by: fixture.ada) }
            #expect(again == .notFound("There is no such import."))
            #expect(try await fixture.importFile(SampleFiles.linkding).added == 3)
        }
    }

    @Test func `too many concurrent imports are refused`() async throws {
        try await withReadingFiles { fixture in
            for _ in 1...5 {
                _ = try await fixture.imports.start(
                    Array(FilesFixture.addresses(1).utf8), named: "x", fetching: false, by: fixture.ada)
            }
            let sixth = await refusal {
                _ = try await fixture.imports.start(
                    Array(FilesFixture.addresses(1).utf8), named: "x", fetching: false, by: fixture.ada)
            }
            #expect(sixth?.field == "file")
        }
    }

    @Test func `an index finds an import's last page of rows`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(SampleFiles.pocket)
            let statements = fixture.services.statements.all.filter { $0.contains("reading_import") }
            #expect(!statements.isEmpty)
            for statement in statements where statement.hasPrefix("SELECT") {
                let steps = try fixture.services.plan(of: statement).steps
                let scans = steps.filter { $0.hasPrefix("SCAN reading_import") && !$0.contains("USING") }
                #expect(scans.isEmpty, "\(statement): \(steps)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a long text with many notes does not block other writes, and the notes are located`() async throws {
        try await withReadingFiles { fixture in
            let highlights = (0..<500).map { #"{"quote":"some words","start":0,"note":"remark\#($0)"}"# }
            let text = "<p>" + String(repeating: "some words of a long text ", count: 40_000) + "</p>"
            let file =
                #"[{"url":"https://example.org/a","content":"\#(text)","highlights":["#
                + highlights.joined(separator: ",") + "]}]"
            let started = try await fixture.imports.start(
                Array(file.utf8), named: "long", fetching: false, by: fixture.ada)
            let work = Task { await fixture.imports.runUntilIdle() }
            var slowest = Duration.zero
            try await wait(for: "the import") {
                let began = ContinuousClock.now
                let feed = try await fixture.feeds.add(ArticleFilter(list: .all), by: fixture.grace)
                try await fixture.feeds.withdraw(feed.id, by: fixture.grace)
                slowest = max(slowest, ContinuousClock.now - began)
                return try await !fixture.imports.find(started.id, for: fixture.ada).isInProgress
            }
            await work.value
            #expect(slowest < .seconds(3))
            #expect(try fixture.count("article_highlights") == 500)
            #expect(try fixture.count("reading_search", where: "reading_search MATCH 'remark499'") == 1)
            #expect(try fixture.count("reading_search_held") == 0)
            try fixture.services.change(
                "INSERT INTO reading_search (reading_search, rank) VALUES ('integrity-check', 1)")
        }
    }
}
