import Foundation
import Testing

@testable import Reading

@Suite(.timeLimit(.minutes(2))) struct SharedItemTests {
    @Test func `what is shared is on both lists, and saving it makes it the other's own`() async throws {
        try await withReading { fixture in
            let shared = fixture.shared
            let item = try await fixture.reading.save(
                NewArticle(url: "http://example.org/a", title: "Lanterns"), by: fixture.ada
            ).item
            let entry = try await shared.share(.article(item.id), with: fixture.grace, by: fixture.ada)
            #expect(entry.item.sharedWith == "\(fixture.grace)" && entry.sharedWithName == "Grace")
            #expect(
                try await shared.counts(of: fixture.grace) == SharedItemCounts(withMe: 1, byMe: 0, waiting: 0)
            )
            #expect(
                try await shared.counts(of: fixture.ada) == SharedItemCounts(withMe: 0, byMe: 1, waiting: 1))
            let received = try await shared.list(.withMe, of: fixture.grace).items
            #expect(received.map(\.item.url) == ["http://example.org/a"])
            #expect(received.map(\.sharedByName) == ["Ada"] && received.first?.articleId == nil)
            let saved = try await shared.accept(entry.id, by: fixture.grace)
            #expect(saved.isNew && saved.item.article.title == "Lanterns")
            #expect(try await shared.list(.withMe, of: fixture.grace).items.isEmpty)
            let given = try await shared.list(.byMe, of: fixture.ada).items
            #expect(given.map(\.item.processed) == [true])
        }
    }

    @Test func `what was withdrawn is gone from the other's list, and what he saved stays his`() async throws
    {
        try await withReading { fixture in
            let shared = fixture.shared
            let first = try await shared.share(
                .address("example.org/a", title: "A"), with: fixture.grace, by: fixture.ada)
            let second = try await shared.share(
                .address("example.org/b", title: nil), with: fixture.grace, by: fixture.ada)
            _ = try await shared.accept(first.id, by: fixture.grace)
            for id in [first.id, second.id] { try await shared.withdraw(id, by: fixture.ada) }
            #expect(try await shared.list(.withMe, of: fixture.grace).items.isEmpty)
            #expect(try await fixture.urls(of: fixture.grace) == ["https://example.org/a"])
            let error = await refusal { _ = try await shared.accept(second.id, by: fixture.grace) }
            #expect(error == .notFound("There is no such shared item."))
            let given = try await shared.list(.byMe, of: fixture.ada).items
            #expect(given.count == 2 && given.allSatisfy { $0.item.withdrawnAt != nil })
        }
    }

    @Test func `a gist may be read by whom it is shared with, until it is withdrawn`() async throws {
        try await withReading { fixture in
            let made = try await fixture.gists.makeOfText(
                title: "T", text: "The ferry came in. The people waited in the cold wind.", by: fixture.ada)
            let hidden = await refusal { _ = try await fixture.gists.gist(made.id, for: fixture.grace) }
            #expect(hidden == .notFound("There is no such gist."))
            let entry = try await fixture.shared.share(.gist(made.id), with: fixture.grace, by: fixture.ada)
            _ = try await fixture.gists.share(made.id, by: fixture.ada)
            let seen = try await fixture.gists.gist(made.id, for: fixture.grace)
            #expect(seen.gist == made.gist && seen.shareToken == nil && seen.owner == fixture.ada)
            let refused = await refusal {
                try await fixture.gists.edit(made.id, title: "x", by: fixture.grace)
            }
            #expect(refused == .notFound("There is no such gist."))
            try await fixture.shared.withdraw(entry.id, by: fixture.ada)
            let gone = await refusal { _ = try await fixture.gists.gist(made.id, for: fixture.grace) }
            #expect(gone == .notFound("There is no such gist."))
        }
    }

    @Test func `nothing is shared with oneself or nobody, and nobody touches others' items`() async throws {
        try await withReading { fixture in
            let shared = fixture.shared
            for other in [fixture.ada, 999] {
                let error = await refusal {
                    try await shared.share(.address("example.org", title: nil), with: other, by: fixture.ada)
                }
                #expect(error == .invalid(field: "with", why: "Choose somebody to share it with."))
            }
            let entry = try await shared.share(
                .address("example.org", title: nil), with: fixture.grace, by: fixture.ada)
            let stranger = try await fixture.services.add("eve").userId
            for work in [shared.withdraw, shared.dismiss] {
                let error = await refusal { try await work(entry.id, stranger) }
                #expect(error == .notFound("There is no such shared item."))
            }
            let taken = await refusal { try await shared.withdraw(entry.id, by: fixture.grace) }
            #expect(taken == .notFound("There is no such shared item."))
            try await shared.dismiss(entry.id, by: fixture.grace)
            #expect(try await shared.counts(of: fixture.grace).withMe == 0)
        }
    }

    @Test func `the same shared twice is one item`() async throws {
        try await withReading { fixture in
            for _ in 0..<2 {
                try await fixture.shared.share(
                    .address("example.org/a", title: nil), with: fixture.grace, by: fixture.ada)
            }
            #expect(try await fixture.shared.list(.withMe, of: fixture.grace).items.count == 1)
        }
    }

    @Test func `one's own saves are listed with what became of them`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            for path in ["a", "b"] {
                try await fixture.reading.save(
                    NewArticle(url: "http://example.org/\(path)", source: "bookmarklet"), by: fixture.ada)
            }
            #expect(try await fixture.shared.counts(of: fixture.ada).waiting == 2)
            await fixture.worker.runUntilIdle()
            let own = try await fixture.shared.list(.own, of: fixture.ada).items
            #expect(own.map(\.item.processed) == [true, true])
            #expect(own.map(\.item.error) == ["example.org has no such page (404).", nil])
            #expect(own.allSatisfy { $0.item.sourceApplication == "bookmarklet" && $0.articleId != nil })
        }
    }

    // MARK: Cards and links

    @Test func `a link to an article or a gist has a card for those who may read it`() async throws {
        try await withReading { fixture in
            let saved = try await fixture.services.services.reading.save(
                "http://example.org/a", title: "Lanterns", from: "chat", for: fixture.ada)
            #expect(saved.message == "Article saved." && saved.path.hasPrefix("/reading/"))
            let gist = try await fixture.gists.makeOfText(
                title: "Ferries", text: "The ferry came in. The people waited in the cold wind.",
                by: fixture.ada)
            let text = "\(saved.path) /gists/\(gist.id) http://example.org/a?utm_source=chat /reading/999"
            let cards = fixture.services.services.chatCards
            let own = try await cards.cards(in: [text], for: fixture.ada) { _ in false }
            #expect(own.first?.map(\.title) == ["Lanterns", "Ferries"])
            #expect(own.first?.map(\.kind) == ["Article", "Gist"])
            let others = try await cards.cards(in: [text], for: fixture.grace) { _ in false }
            #expect(others == [[]])
            let page = try await cards.cards(in: ["http://roost.lan\(saved.path)"], for: fixture.ada) {
                $0 == "roost.lan"
            }
            #expect(page.first?.map(\.title) == ["Lanterns"])
        }
    }

    @Test func `a colleague's words for a page do not rename the article that one has`() async throws {
        try await withReading { fixture in
            let own = try await fixture.reading.save(
                NewArticle(url: "http://example.org/a", title: "My own title"), by: fixture.grace)
            let entry = try await fixture.shared.share(
                .address("http://example.org/a", title: "Somebody else's"), with: fixture.grace,
                by: fixture.ada)
            let saved = try await fixture.shared.accept(entry.id, by: fixture.grace)
            #expect(!saved.isNew && saved.item.id == own.item.id)
            #expect(saved.item.article.title == "My own title")
        }
    }
}
