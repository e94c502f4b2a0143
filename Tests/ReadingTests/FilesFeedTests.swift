import Foundation
import TestSupport
import Testing

@testable import Reading

@Suite struct FilesFeedTests {
    private static let base = "https://roost.example"

    private func text(_ token: String, _ fixture: FilesFixture, base: String = base) async throws -> String {
        String(decoding: try await fixture.feeds.document(token: token, base: base).body, as: UTF8.self)
    }

    @Test func `a feed is Atom with the newest fifty articles, their addresses and categories`() async throws
    {
        try await withReadingFiles { fixture in
            try await fixture.importFile(FilesFixture.addresses(60))
            fixture.services.clock.advance(60)
            try await fixture.importFile(
                "url,title,tags,category,excerpt\nhttps://example.org/new?a=1&b=2,<New>,\"x,y\",Science,About\n"
            )
            let feed = try await fixture.feeds.add(ArticleFilter(list: .unread), by: fixture.ada)
            let text = try await text(feed.token, fixture)
            let atom = XMLElements(Array(text.utf8))
            #expect(atom.isWellFormed && atom.names.count { $0 == "entry" } == 50)
            #expect(
                Array(atom.values(of: "href", in: "link").prefix(2)).contains(
                    "\(Self.base)/reading/feeds/\(feed.token).atom"))
            #expect(atom.values(of: "href", in: "link").contains("https://example.org/new?a=1&b=2"))
            #expect(atom.values(of: "term", in: "category").prefix(3) == ["Science", "x", "y"])
            #expect(text.contains("<title>&lt;New&gt;</title>") && text.contains("<summary>About</summary>"))
            let entries = text.components(separatedBy: "<entry>").dropFirst()
            let ids = Set(
                entries.compactMap { $0.firstMatch(of: #/<id>(urn:uuid:[0-9a-f\-]{36})<\/id>/#)?.output.1 })
            #expect(ids.count == 50)
            #expect(entries.allSatisfy { $0.contains("<updated>") && $0.contains("<author><name>") })
        }
    }

    @Test func `an entry's summary is the gist if there is one`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(SampleFiles.linkding)
            let feed = try await fixture.feeds.add(ArticleFilter(list: .all), by: fixture.ada)
            let text = try await text(feed.token, fixture)
            #expect(text.contains("<summary>My own\nwords</summary>") && !text.contains("Described"))
        }
    }

    @Test func `a feed contains what its filter matches`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(SampleFiles.instapaper)
            let feeds = fixture.feeds
            let archived = try await feeds.add(ArticleFilter(list: .archived), by: fixture.ada)
            let science = try await feeds.add(ArticleFilter(list: .all, category: "Science"), by: fixture.ada)
            let (one, two) = (try await text(archived.token, fixture), try await text(science.token, fixture))
            #expect(one.contains("<title>Two</title>") && !one.contains("<title>One</title>"))
            #expect(two.contains("<title>Four</title>") && !two.contains("<title>One</title>"))
        }
    }

    @Test func `a list has one feed address, which its owner can copy again`() async throws {
        try await withReadingFiles { fixture in
            let filter = ArticleFilter(list: .unread, tag: "swift")
            let first = try await fixture.feeds.add(filter, by: fixture.ada)
            let second = try await fixture.feeds.add(filter, by: fixture.ada)
            let listed = try await fixture.feeds.database.read {
                try fixture.feeds.feeds($0, of: fixture.ada)
            }
            #expect(first == second && listed == [first])
            #expect(try fixture.services.isOnDisk(first.token) == false)
        }
    }

    @Test func `after a renewal only the new address works, and after a revocation none`() async throws {
        try await withReadingFiles { fixture in
            let feed = try await fixture.feeds.add(ArticleFilter(), by: fixture.ada)
            let renewed = try await fixture.feeds.renew(feed.id, by: fixture.ada)
            #expect(renewed.token != feed.token && renewed.id == feed.id)
            let former = await refusal { _ = try await text(feed.token, fixture) }
            #expect(former?.isNotFound == true)
            _ = try await text(renewed.token, fixture)
            try await fixture.feeds.withdraw(renewed.id, by: fixture.ada)
            let withdrawn = await refusal { _ = try await text(renewed.token, fixture) }
            #expect(withdrawn?.isNotFound == true)
        }
    }

    @Test func `a user can neither renew nor revoke another user's feed`() async throws {
        try await withReadingFiles { fixture in
            let feed = try await fixture.feeds.add(ArticleFilter(), by: fixture.ada)
            let renewal = await refusal { _ = try await fixture.feeds.renew(feed.id, by: fixture.grace) }
            let withdrawal = await refusal { try await fixture.feeds.withdraw(feed.id, by: fixture.grace) }
            #expect(renewal?.isNotFound == true && withdrawal?.isNotFound == true)
            #expect(
                try await fixture.feeds.database.read { try fixture.feeds.feeds($0, of: fixture.grace) } == []
            )
            _ = try await text(feed.token, fixture)
        }
    }

    @Test(arguments: ["", "x", "../../etc/passwd", String(repeating: "a", count: 32)])
    func `an unknown address opens nothing`(token: String) async throws {
        try await withReadingFiles { fixture in
            let refused = await refusal { _ = try await text(token, fixture) }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test func `the ETag changes only with the list`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(FilesFixture.addresses(2))
            let feed = try await fixture.feeds.add(ArticleFilter(), by: fixture.ada)
            let first = try await fixture.feeds.document(token: feed.token, base: Self.base)
            fixture.services.clock.advance(3_600)
            let second = try await fixture.feeds.document(token: feed.token, base: Self.base + "/")
            try await fixture.importFile("url\nhttps://example.org/new\n")
            let third = try await fixture.feeds.document(token: feed.token, base: Self.base)
            #expect(first == second && third.entityTag != first.entityTag)
            #expect(third.lastModified > first.lastModified)
        }
    }

    @Test func `suggestions cannot have a feed`() async throws {
        try await withReadingFiles { fixture in
            let refused = await refusal {
                _ = try await fixture.feeds.add(ArticleFilter(list: .suggested), by: fixture.ada)
            }
            #expect(refused?.field == "list")
        }
    }
}
