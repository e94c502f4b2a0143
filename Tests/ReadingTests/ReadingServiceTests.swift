import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct ReadingServiceTests {
    @Test func `a saved page is listed at once with its address as the title`() async throws {
        try await withReading { fixture in
            let saved = try await fixture.reading.save(
                ArticleDraft(
                    url: "Example.org/a?utm_source=x", category: "Science", tags: ["Swift", "swift", "Web"],
                    source: "share"), by: fixture.ada)
            #expect(saved.isNew && saved.message == "Article saved.")
            #expect(saved.item.url == "https://example.org/a?utm_source=x")
            #expect(saved.item.title == "https://example.org/a?utm_source=x")
            #expect(saved.item.category == "Science")
            #expect(saved.item.tags == ["Swift", "Web"])
            #expect(saved.item.fetchState == .waiting && saved.item.site == "example.org")
            #expect(try await fixture.reading.list(ArticleFilter(), of: fixture.ada).items == [saved.item])
            #expect(try await fixture.urls(of: fixture.grace).isEmpty)
        }
    }

    @Test func `saving again moves an article to the top, says so, and loses nothing`() async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            let first = try await reading.save(
                ArticleDraft(url: "https://example.org/a", title: "Mine", tags: ["one"]), by: fixture.ada)
            fixture.clock.advance(10)
            try await reading.save(ArticleDraft(url: "https://example.org/b"), by: fixture.ada)
            try await reading.edit(first.item.id, change: ArticleChange(state: .archived), by: fixture.ada)
            fixture.clock.advance(10)
            let again = try await reading.save(
                ArticleDraft(url: "https://example.org/a?fbclid=1#top", tags: ["ONE", "two"]), by: fixture.ada
            )
            #expect(!again.isNew && again.message == "Already in your list.")
            #expect(again.item.id == first.item.id && again.item.title == "Mine")
            #expect(again.item.tags == ["one", "two"] && again.item.state == .unread)
            #expect(try await fixture.urls() == ["https://example.org/a", "https://example.org/b"])
            let other = try await reading.save(ArticleDraft(url: "https://example.org/a"), by: fixture.grace)
            #expect(other.isNew)
        }
    }

    @Test func `many lines are saved in order, each with its own result`() async throws {
        try await withReading { fixture in
            let lines =
                "https://example.org/a The first\n\n javascript:x \nexample.org/b\nhttps://example.org/a"
            let report = try await fixture.reading.saveMany(lines, by: fixture.ada)
            #expect(report.map(\.number) == [1, 3, 4, 5])
            #expect(report.map(\.isNew) == [false, false, true, true])
            #expect(report[1].id == nil && report[1].message.contains("http"))
            #expect(try await fixture.urls() == ["https://example.org/a", "https://example.org/b"])
        }
    }

    @Test func `an edit of an outdated version is refused, and nothing is lost`() async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            let item = try await reading.save(ArticleDraft(url: "https://example.org/a"), by: fixture.ada)
                .item
            let edited = try await reading.edit(
                item.id, change: ArticleChange(title: "Mine", tags: ["x"]), ifUpdatedAt: item.updatedAt,
                by: fixture.ada)
            #expect(edited.updatedAt > item.updatedAt)
            let error = await refusal {
                try await reading.edit(
                    item.id, change: ArticleChange(title: "Theirs"), ifUpdatedAt: item.updatedAt,
                    by: fixture.ada)
            }
            #expect(error?.isConflict == true)
            #expect(try await reading.item(item.id, for: fixture.ada) == edited)
            let read = try await reading.edit(
                item.id, change: ArticleChange(progress: 0.5), by: fixture.ada)
            #expect(read.progress == 0.5 && read.updatedAt == edited.updatedAt)
        }
    }

    @Test func `two notes written at the same time are both kept`() async throws {
        try await withReading { fixture in
            let (reading, ada) = (fixture.reading, fixture.ada)
            try fixture.fill(1)
            let highlight = try await reading.addHighlight(
                NewHighlight(start: 0, end: 5, quote: "plain"), to: 1, by: ada)
            func write(_ note: String) async throws -> Highlight {
                try await reading.editHighlight(
                    highlight.id, of: 1, note: note, ifUpdatedAt: highlight.updatedAt, by: ada)
            }
            let first = try await write("One")
            let error = await refusal { _ = try await write("Two") }
            #expect(error == .conflict(field: "updatedAt", why: "The note changed while you were editing."))
            #expect(try await reading.highlights(of: 1, for: ada) == [first])
        }
    }

    @Test func `users can neither see, change nor delete another user's article`() async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            let id = try await reading.save(ArticleDraft(url: "https://example.org/a"), by: fixture.ada).item
                .id
            let refusals = [
                await refusal { _ = try await reading.item(id, for: fixture.grace) },
                await refusal { _ = try await reading.reading(id, for: fixture.grace) },
                await refusal {
                    try await reading.edit(id, change: ArticleChange(title: "x"), by: fixture.grace)
                },
                await refusal { _ = try await reading.delete(id, by: fixture.grace) },
                await refusal { try await reading.fetchAgain(id, by: fixture.grace) },
                await refusal { _ = try await fixture.gists.make(for: id, by: fixture.grace) },
                await refusal {
                    _ = try await fixture.shared.share(.article(id), with: fixture.ada, by: fixture.grace)
                },
            ]
            #expect(refusals.allSatisfy { $0 == .notFound("There is no such article.") })
            let many = try await reading.editMany(
                .ids([id]), change: BulkArticleChange(delete: true), by: fixture.grace)
            #expect(many.count == 0 && many.undo == nil)
        }
    }

    @Test func `a deleted article is gone from lists, search and counts, and undo restores everything`()
        async throws
    {
        try await withReading { fixture in
            let reading = fixture.reading
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            let item = try await fixture.fetched("http://example.org/a")
            try await reading.edit(
                item.id, change: ArticleChange(category: "Craft", tags: ["wood"], isFavorite: true),
                by: fixture.ada)
            let note = try await reading.addHighlight(
                NewHighlight(start: 0, end: 1, quote: "harbour was quiet", note: "why"), to: item.id,
                by: fixture.ada)
            let before = try await reading.reading(item.id, for: fixture.ada)
            let undo = try await reading.delete(item.id, by: fixture.ada)
            #expect(try await fixture.urls(ArticleFilter(list: .all)).isEmpty)
            #expect(try await fixture.urls(ArticleFilter(list: .all, tag: "wood")).isEmpty)
            #expect(try await fixture.urls(ArticleFilter(list: .all, text: "harbour")).isEmpty)
            #expect(try await reading.counts(of: fixture.ada) == ReadingCounts())
            #expect(try await reading.database.read { try reading.tags($0, of: fixture.ada) }.isEmpty)
            let late = await refusal { try await reading.undo(undo, by: fixture.grace) }
            #expect(late == .notFound("This can no longer be undone."))
            try await reading.undo(undo, by: fixture.ada)
            #expect(try await reading.reading(item.id, for: fixture.ada) == before)
            #expect(before.highlights == [note])
            #expect(try await fixture.urls(ArticleFilter(list: .all, text: "harbour")).count == 1)
            #expect(try await reading.counts(of: fixture.ada) == ReadingCounts(unread: 1, favorites: 1))
            #expect(
                try await reading.database.read { try reading.tags($0, of: fixture.ada) } == [
                    ReadingGroup(name: "wood", count: 1)
                ])
        }
    }

    @Test func `after a day a deletion is final, and the data is gone from the disk`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            let item = try await fixture.fetched("http://example.org/a")
            let undo = try await fixture.reading.delete(item.id, by: fixture.ada)
            func clean() async throws {
                try await fixture.services.services.undos.removeExpired()
                await fixture.worker.clean()
            }
            fixture.clock.advance(23 * 3_600)
            try await clean()
            #expect(try fixture.services.sql(Int.self, "SELECT count(*) FROM article_texts") == [1])
            fixture.clock.advance(2 * 3_600)
            let error = await refusal { try await fixture.reading.undo(undo, by: fixture.ada) }
            #expect(error == .notFound("This can no longer be undone."))
            try await clean()
            #expect(try fixture.services.sql(Int.self, "SELECT count(*) FROM articles") == [0])
            #expect(try fixture.services.sql(Int.self, "SELECT count(*) FROM article_texts") == [0])
            #expect(try await fixture.services.services.problems().isEmpty)
        }
    }

    @Test func `a page deleted and saved again is one article after undo`() async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            let old = try await reading.save(
                ArticleDraft(url: "https://example.org/a", tags: ["old"]), by: fixture.ada
            ).item
            let undo = try await reading.delete(old.id, by: fixture.ada)
            let new = try await reading.save(
                ArticleDraft(url: "https://example.org/a", tags: ["new"]), by: fixture.ada)
            #expect(new.isNew)
            try await reading.undo(undo, by: fixture.ada)
            let items = try await reading.list(ArticleFilter(), of: fixture.ada).items
            #expect(items.map(\.tags) == [["new", "old"]])
            #expect(try await reading.item(old.id, for: fixture.ada).id == new.item.id)
        }
    }

    @Test func `a change to many articles is undone at once`() async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            _ = try await reading.saveMany("example.org/a\nexample.org/b\nexample.org/c", by: fixture.ada)
            let before = try await reading.list(ArticleFilter(list: .all), of: fixture.ada).items
            let done = try await reading.editMany(
                .filter(ArticleFilter(list: .unread)),
                change: BulkArticleChange(
                    state: .archived, isFavorite: true, category: "Later", addTags: ["x", "y"],
                    removeTags: ["X"]), by: fixture.ada)
            #expect(done.count == 3)
            let after = try await reading.list(ArticleFilter(list: .archived), of: fixture.ada).items
            #expect(after.count == 3)
            #expect(
                after.allSatisfy { $0.isFavorite && $0.tags == ["x", "y"] && $0.category == "Later" })
            try await reading.undo(try #require(done.undo), by: fixture.ada)
            let back = try await reading.list(ArticleFilter(list: .all), of: fixture.ada).items
            #expect(back.map(\.state) == before.map(\.state) && back.map(\.tags) == before.map(\.tags))
            #expect(back.allSatisfy { !$0.isFavorite && $0.category == "Unsorted" })
        }
    }

    @Test func `an undo leaves what was changed again since`() async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            _ = try await reading.saveMany("example.org/a\nexample.org/b", by: fixture.ada)
            let items = try await reading.list(ArticleFilter(list: .all), of: fixture.ada).items
            let (first, second) = (try #require(items.first).id, try #require(items.last).id)
            let done = try await reading.editMany(
                .ids([first, second]),
                change: BulkArticleChange(state: .archived, category: "Later", addTags: ["x"]),
                by: fixture.ada)
            try await reading.edit(
                first, change: .init(category: "Now", tags: ["x", "y"], isFavorite: true), by: fixture.ada)
            fixture.clock.advance(3_600)
            try await reading.undo(try #require(done.undo), by: fixture.ada)
            let changed = try await reading.item(first, for: fixture.ada)
            #expect(changed.state == .unread && changed.category == "Now")
            #expect(changed.tags == ["x", "y"] && changed.isFavorite)
            let plain = try await reading.item(second, for: fixture.ada)
            #expect(plain.state == .unread && plain.category == "Unsorted" && plain.tags.isEmpty)
            let twice = await refusal { try await reading.undo(done.undo ?? 0, by: fixture.ada) }
            #expect(twice == .notFound("This can no longer be undone."))
        }
    }

    @Test func `every change is published to its user's pages once it is on the disk`() async throws {
        try await withReading { fixture in
            let feed = fixture.services.services.feed
            func check(_ what: Comment, _ work: () async throws -> Void) async throws {
                let before = feed.version(of: [Topic.reading(fixture.ada)])
                let otherVersion = feed.version(of: [Topic.reading(fixture.grace)])
                try await work()
                #expect(feed.version(of: [Topic.reading(fixture.ada)]) > before, what)
                #expect(feed.version(of: [Topic.reading(fixture.grace)]) == otherVersion, what)
            }
            let reading = fixture.reading
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            var id: ArticleID = 0
            try await check("save") {
                id = try await reading.save(ArticleDraft(url: "http://example.org/a"), by: fixture.ada).item
                    .id
            }
            try await check("fetch") { await fixture.worker.runUntilIdle() }
            try await check("edit") {
                try await reading.edit(id, change: .init(isFavorite: true), by: fixture.ada)
            }
            try await check("gist") { try await fixture.gists.make(for: id, by: fixture.ada) }
            try await check("delete") { _ = try await reading.delete(id, by: fixture.ada) }
        }
    }

    @Test func `hostile text becomes one line without control characters, and overlong text is refused`()
        async throws
    {
        try await withReading { fixture in
            let item = try await fixture.reading.save(
                ArticleDraft(
                    url: "https://example.org/a", title: "a\u{202E}\u{0}b\n c", category: " x\ty ",
                    tags: ["<script>"]), by: fixture.ada
            ).item
            #expect(
                item.title == "ab c" && item.category == "x y" && item.tags == ["<script>"])
            let long = String(repeating: "x\u{301}", count: 200_000)
            let url = "https://example.org/b"
            for (title, category, tags) in [
                (long, "", []), ("", long, []), ("", "", [long]), ("", "", ["a,b"]),
                ("", "", (0...50).map { "t\($0)" }),
            ] {
                let error = await refusal {
                    _ = try ArticleDraft(url: url, title: title, category: category, tags: tags)
                }
                guard case .invalid = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test func `a user who leaves loses their reading list and what they shared`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            let item = try await fixture.fetched("http://example.org/a", by: fixture.grace)
            try await fixture.reading.edit(
                item.id, change: .init(tags: ["x"], progress: 1), by: fixture.grace)
            _ = try await fixture.reading.addHighlight(
                NewHighlight(start: 0, end: 1, quote: "harbour was quiet"), to: item.id, by: fixture.grace)
            let gist = try await fixture.gists.make(for: item.id, by: fixture.grace)
            _ = try await fixture.gists.share(gist.id, by: fixture.grace)
            try await fixture.shared.share(.article(item.id), with: fixture.ada, by: fixture.grace)
            let more = try await fixture.reading.save(
                ArticleDraft(url: "https://example.org/b"), by: fixture.grace)
            _ = try await fixture.reading.delete(more.item.id, by: fixture.grace)
            try fixture.services.change("DELETE FROM users WHERE id = \(fixture.grace)")
            for table in [
                "articles", "article_addresses", "article_merges", "article_texts", "article_tags",
                "article_highlights", "gists", "shared_items", "undos", "undo_steps", "reading_counts",
                "article_new_texts", "article_pictures", "article_pictures_due", "stored_pictures",
            ] {
                #expect(
                    try fixture.services.sql(Int.self, "SELECT count(*) FROM \(table)") == [0], "\(table)")
            }
            try fixture.services.change(
                "INSERT INTO reading_search (reading_search, rank) VALUES ('integrity-check', 1)")
            #expect(try await fixture.services.services.problems().isEmpty)
        }
    }
}
