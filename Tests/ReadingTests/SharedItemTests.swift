import Foundation
import RoostSupport
import TestSupport
import Testing

@testable import Reading

@Suite(.timeLimit(.minutes(2))) struct SharedItemTests {
    @Test func `a shared item is on both lists, and saving it gives the recipient their own copy`()
        async throws
    {
        try await withReading { fixture in
            let shared = fixture.shared
            let item = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a", title: "Lanterns"), by: fixture.ada
            ).item
            let entry = try await shared.share(.article(item.id), with: fixture.grace, by: fixture.ada)
            #expect(entry.sharedWith == fixture.grace && entry.sharedWithName == "Grace")
            #expect(
                try await shared.counts(of: fixture.grace) == SharedItemCounts(withMe: 1, byMe: 0, waiting: 0)
            )
            #expect(
                try await shared.counts(of: fixture.ada) == SharedItemCounts(withMe: 0, byMe: 1, waiting: 1))
            let received = try await shared.list(.withMe, of: fixture.grace).items
            #expect(received.map(\.url) == ["http://example.org/a"])
            #expect(received.map(\.sharedByName) == ["Ada"] && received.first?.articleId == nil)
            let saved = try await shared.accept(entry.id, by: fixture.grace)
            #expect(saved.isNew && saved.item.title == "Lanterns")
            #expect(try await shared.list(.withMe, of: fixture.grace).items.isEmpty)
            let sent = try await shared.list(.byMe, of: fixture.ada).items
            #expect(sent.map(\.processed) == [true])
        }
    }

    @Test func `a withdrawn item leaves the recipient's list, and saved copies stay`() async throws {
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
            let sent = try await shared.list(.byMe, of: fixture.ada).items
            #expect(sent.count == 2 && sent.allSatisfy { $0.withdrawnAt != nil })
        }
    }

    @Test func `the recipient of a gist can read it until it is withdrawn`() async throws {
        try await withReading { fixture in
            let created = try await fixture.gists.makeOfText(
                title: "T", text: "The ferry came in. The people waited in the cold wind.", by: fixture.ada)
            let hidden = await refusal { _ = try await fixture.gists.gist(created.id, for: fixture.grace) }
            #expect(hidden == .notFound("There is no such gist."))
            let entry = try await fixture.shared.share(
                .gist(created.id), with: fixture.grace, by: fixture.ada)
            _ = try await fixture.gists.share(created.id, by: fixture.ada)
            let seen = try await fixture.gists.gist(created.id, for: fixture.grace)
            #expect(seen.gist == created.gist && seen.shareToken == nil && seen.owner == fixture.ada)
            let refused = await refusal {
                try await fixture.gists.edit(created.id, title: "x", by: fixture.grace)
            }
            #expect(refused == .notFound("There is no such gist."))
            try await fixture.shared.withdraw(entry.id, by: fixture.ada)
            let error = await refusal { _ = try await fixture.gists.gist(created.id, for: fixture.grace) }
            #expect(error == .notFound("There is no such gist."))
        }
    }

    @Test func `sharing needs another user, and users cannot change other users' items`() async throws {
        try await withReading { fixture in
            let shared = fixture.shared
            for other in [fixture.ada, 999] {
                let error = await refusal {
                    try await shared.share(.address("example.org", title: nil), with: other, by: fixture.ada)
                }
                #expect(error == .invalid(field: "with", why: "Choose someone to share it with."))
            }
            let entry = try await shared.share(
                .address("example.org", title: nil), with: fixture.grace, by: fixture.ada)
            let stranger = try await fixture.services.add("eve").userId
            for work in [shared.withdraw, shared.dismiss] {
                let error = await refusal { try await work(entry.id, stranger) }
                #expect(error == .notFound("There is no such shared item."))
            }
            let error = await refusal { try await shared.withdraw(entry.id, by: fixture.grace) }
            #expect(error == .notFound("There is no such shared item."))
            try await shared.dismiss(entry.id, by: fixture.grace)
            #expect(try await shared.counts(of: fixture.grace).withMe == 0)
        }
    }

    @Test func `sharing the same item twice makes one item`() async throws {
        try await withReading { fixture in
            for _ in 0..<2 {
                try await fixture.shared.share(
                    .address("example.org/a", title: nil), with: fixture.grace, by: fixture.ada)
            }
            #expect(try await fixture.shared.list(.withMe, of: fixture.grace).items.count == 1)
        }
    }

    @Test func `a user's own saves are listed with their results`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            for path in ["a", "b"] {
                try await fixture.reading.save(
                    ArticleDraft(url: "http://example.org/\(path)", source: "bookmarklet"), by: fixture.ada)
            }
            #expect(try await fixture.shared.counts(of: fixture.ada).waiting == 2)
            await fixture.worker.runUntilIdle()
            let own = try await fixture.shared.list(.own, of: fixture.ada).items
            #expect(own.map(\.processed) == [true, true])
            #expect(own.map(\.error) == ["example.org doesn’t have this page (404).", nil])
            #expect(own.allSatisfy { $0.sourceApplication == "bookmarklet" && $0.articleId != nil })
        }
    }

    // MARK: Cards and links

    @Test func `a link to an article or a gist shows a card to those who may read it`() async throws {
        try await withReading { fixture in
            let saved = try await fixture.services.services.reading.articles.save(
                "http://example.org/a", title: "Lanterns", from: "chat", for: fixture.ada)
            #expect(saved.message == "Article saved." && saved.path.hasPrefix("/reading/"))
            let gist = try await fixture.gists.makeOfText(
                title: "Ferries", text: "The ferry came in. The people waited in the cold wind.",
                by: fixture.ada)
            let text = "\(saved.path) /gists/\(gist.id) http://example.org/a?utm_source=chat /reading/999"
            let services = fixture.services.services
            func cards(_ text: String, for user: UserID) async throws -> [[LinkCard]] {
                try await services.database.read {
                    try services.chatLinks.cards.cards($0, in: [text], for: user) { $0 == "roost.lan" }
                }
            }
            let own = try await cards(text, for: fixture.ada)
            #expect(own.first?.map(\.title) == ["Lanterns", "Ferries"])
            #expect(own.first?.map(\.kind) == ["Article", "Gist"])
            let otherCards = try await cards(text, for: fixture.grace)
            #expect(otherCards == [[]])
            let page = try await cards("http://roost.lan\(saved.path)", for: fixture.ada)
            #expect(page.first?.map(\.title) == ["Lanterns"])
        }
    }

    @Test func `a sender's title for a page does not rename the recipient's article`() async throws {
        try await withReading { fixture in
            let own = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a", title: "My own title"), by: fixture.grace)
            let entry = try await fixture.shared.share(
                .address("http://example.org/a", title: "Somebody else's"), with: fixture.grace,
                by: fixture.ada)
            let saved = try await fixture.shared.accept(entry.id, by: fixture.grace)
            #expect(!saved.isNew && saved.item.id == own.item.id)
            #expect(saved.item.title == "My own title")
        }
    }
}
