import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import Reading
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

/// The search of everything, through its JSON and its page.
@Suite struct SearchTests {
    /// The kinds found, in order and without repetition.
    private static func kinds(_ answer: ClientResponse) -> [String] {
        answer.items.compactMap { $0["kind"] as? String }
            .reduce(into: []) { kinds, kind in if kinds.last != kind { kinds.append(kind) } }
    }

    private static func titles(_ kind: String, in answer: ClientResponse) -> [String] {
        answer.items.filter { $0["kind"] as? String == kind }.compactMap { $0["title"] as? String }
    }

    private static func search(
        _ text: String, _ rest: String = "", on testServer: TestServer, as guest: Guest? = nil
    ) async throws -> ClientResponse {
        let path = "/api/v1/search?q=\(PercentEncoding.encode(text))\(rest)"
        return try await testServer.send("GET", path, as: guest)
    }

    @Test(arguments: ["/search?q=dark", "/chat/search?q=dark", "/reading?text=dark"])
    func `a search says that older texts are still being indexed`(path: String) async throws {
        try await ChatFixture.with { chat in
            let services = chat.testServer.services
            _ = try await services.reading.articles.save(
                ArticleDraft(url: "https://example.org/dark"), by: chat.testServer.owner.userId)
            let note = "still indexing older texts"
            try await services.database.write { try $0.execute("UPDATE search_progress SET remaining = 0") }
            #expect(!(try await chat.testServer.send("GET", path).text.contains(note)))
            try await services.database.write { [owner = chat.testServer.owner.userId] writes in
                // Of an index that the background work does not know and therefore never finishes.
                try writes.execute("INSERT INTO search_progress (name, remaining) VALUES ('other', 1)")
                writes.publish(Topic.reading(owner))
            }
            #expect(try await chat.testServer.send("GET", path).text.contains(note))
        }
    }

    // MARK: Permissions

    @Test func `messages are found only by members of their conversation`() async throws {
        try await ChatFixture.with { chat in
            try await chat.say("The zeppelin lands at noon")
            let own = try await Self.search("zepp", on: chat.testServer)
            let message = try #require(own.items.first { $0["kind"] as? String == "messages" })
            #expect(message["title"] as? String == "ada")
            let address = try #require(message["address"] as? String)
            #expect(address.hasPrefix("/chat/\(chat.id)?message="))
            let other = try await Self.search("zepp", on: chat.testServer, as: chat.grace)
            #expect(Self.titles("messages", in: other) == ["ada"])
            let stranger = try await Self.search("zepp", on: chat.testServer, as: chat.eve)
            #expect(stranger.status == 200)
            #expect(Self.titles("messages", in: stranger).isEmpty)
        }
    }

    @Test func `a group is found only by its members, and a person by everyone`() async throws {
        try await ChatFixture.with(isGroup: true) { chat in
            let member = try await Self.search("release", on: chat.testServer, as: chat.grace)
            #expect(Self.titles("conversations", in: member) == ["Release"])
            let stranger = try await Self.search("release", on: chat.testServer, as: chat.eve)
            #expect(Self.titles("conversations", in: stranger).isEmpty)
            let person = try await Self.search("gra", on: chat.testServer, as: chat.eve)
            #expect(Self.titles("people", in: person) == ["grace"])
        }
    }

    @Test func `articles, highlights and gists are found only by their user`() async throws {
        try await ReadingFixture.with { reading in
            try await reading.highlight(note: "Brakes")
            _ = try await reading.services.reading.gists.make(for: reading.id, by: reading.ada)
            let reader = "&kinds=articles,highlights,gists"
            let own = try await Self.search("wheel", on: reading.testServer)
            #expect(Set(Self.kinds(own)).isSuperset(of: ["articles", "highlights"]))
            let note = try await Self.search("brakes", on: reading.testServer)
            #expect(Self.titles("highlights", in: note) == [ReadingFixture.quote])
            let titled = try await Self.search("how a tower", reader, on: reading.testServer)
            #expect(Self.kinds(titled).first == "articles")
            #expect(Self.kinds(titled).contains("gists"))
            for text in ["wheel", "brakes", "how a tower"] {
                let other = try await Self.search(text, reader, on: reading.testServer, as: reading.grace)
                #expect(other.status == 200)
                #expect(other.items.isEmpty, "\(text)")
            }
        }
    }

    @Test func `a deleted article is not found, nor are its highlights`() async throws {
        try await ReadingFixture.with { reading in
            try await reading.highlight(note: "Brakes")
            _ = try await reading.services.reading.articles.delete(reading.id, by: reading.ada)
            let found = try await Self.search(
                "wheel", "&kinds=articles,highlights,gists", on: reading.testServer)
            #expect(found.items.isEmpty)
        }
    }

    @Test func `bookmarks are found only by their user`() async throws {
        try await BookmarkStock.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let own = try await Self.search("engi", on: testServer)
            #expect(Self.titles("bookmarks", in: own) == ["ada/engine"])
            let other = try await Self.search("engi", on: testServer, as: grace)
            #expect(Self.titles("bookmarks", in: other).isEmpty)
        }
    }

    @Test func `a bookmarked repository is found once, as a bookmark`() async throws {
        try await TestServer.with { testServer in
            let name = try await BookmarkStock.existingName(testServer)
            // Repositories whose details were shown are stored.
            try await eventually("the repository is found") {
                let shown = try await testServer.send("GET", "/api/v1/repositories/\(name)")
                #expect(shown.status == 200)
                return Self.titles("repositories", in: try await Self.search(name, on: testServer))
                    .contains(name)
            }
            let kept = try await testServer.json("POST", "/api/v1/bookmarks", #"{"fullName": "\#(name)"}"#)
            #expect(kept.status == 201)
            let after = try await Self.search(name, on: testServer)
            #expect(Self.titles("bookmarks", in: after) == [name])
            #expect(!Self.titles("repositories", in: after).contains(name))
            // It is left out only where its bookmark is shown too.
            let repositories = try await Self.search(name, "&kinds=repositories", on: testServer)
            #expect(Self.titles("repositories", in: repositories).contains(name))
        }
    }

    @Test func `only owners find the owner's pages and commands`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let owner = try await Self.search("invit", on: testServer)
            #expect(Self.titles("pages", in: owner) == ["Invitations"])
            let member = try await Self.search("invit", on: testServer, as: grace)
            #expect(Self.titles("pages", in: member).isEmpty)
            let ownerPage = try await testServer.send("GET", "/search?q=invite").text
            #expect(ownerPage.contains("Invite someone"))
            let memberPage = try await testServer.send("GET", "/search?q=invite", as: grace).text
            #expect(!memberPage.contains("Invite someone"))
        }
    }

    @Test func `visitors are asked to sign in`() async throws {
        try await TestServer.with { testServer in
            for path in ["/search?q=a", "/search/results?q=a", "/api/v1/search?q=a"] {
                let answer = try await testServer.send("GET", path, as: .anonymous)
                #expect(answer.status == 401 || answer.status == 303, "\(path)")
            }
        }
    }

    // MARK: Questions

    @Test func `no text is syntax of the index`() async throws {
        try await ReadingFixture.with { reading in
            let texts = [
                "\"", "*", "a\" OR owner : \"u\(reading.ada)", "\"\" OR owner : u\(reading.ada)",
                "text : wheel",
                "NEAR(a b)", "wheel AND", "NOT wheel", "^wheel", "{title} : a", "wheel -clock", "-", "a*b",
                "'; DROP TABLE users", "%", "_", "(", "wheel\\",
            ]
            for text in texts {
                let answer = try await Self.search(text, on: reading.testServer, as: reading.grace)
                #expect(answer.status == 200, "\(text)")
                #expect(Self.titles("articles", in: answer).isEmpty, "\(text)")
            }
        }
    }

    @Test func `without a text, recent things and commands are offered`() async throws {
        try await ChatFixture.with { chat in
            let answer = try await chat.testServer.send("GET", "/api/v1/search")
            #expect(Self.titles("conversations", in: answer) == ["grace"])
            #expect(Self.titles("messages", in: answer).isEmpty)
            #expect(Self.titles("pages", in: answer).isEmpty)
            let page = try await chat.testServer.send("GET", "/search").text
            #expect(page.contains("New conversation"))
        }
    }

    @Test func `an opened article is offered first`() async throws {
        try await ReadingFixture.with { reading in
            let before = try await reading.testServer.send("GET", "/api/v1/search?kinds=articles")
            #expect(before.items.isEmpty)
            try await reading.services.reading.articles.noteOpened(reading.id, by: reading.ada)
            let after = try await reading.testServer.send("GET", "/api/v1/search?kinds=articles")
            #expect(after.items.compactMap { $0["address"] as? String } == [reading.path])
        }
    }

    @Test func `kinds and the number of results can be chosen`() async throws {
        try await TestServer.with { testServer in
            let five = try await Self.search("coin", on: testServer)
            #expect(Self.titles("coins", in: five).count == 5)
            let two = try await Self.search("coin", "&kinds=coins&limit=2", on: testServer)
            #expect(Self.kinds(two) == ["coins"])
            #expect(two.items.count == 2)
            let many = try await Self.search("coin", "&kinds=coins&limit=1000", on: testServer)
            #expect(many.items.count > 5 && many.items.count <= 20)
            for wrong in ["&kinds=coins,secrets", "&kinds=commands", "&limit=0", "&limit=x"] {
                let answer = try await Self.search("coin", wrong, on: testServer)
                #expect(answer.status == 422, "\(wrong)")
                #expect(answer.error("field") == (wrong.contains("kinds") ? "kinds" : "limit"))
            }
        }
    }

    @Test func `a kind with a better title comes first`() async throws {
        try await ChatFixture.with { chat in
            try await chat.say("Bitcoin is up")
            let found = try await Self.search("bitcoin", on: chat.testServer)
            #expect(Self.kinds(found).first == "coins")
            #expect(Self.kinds(found).last == "messages")
        }
    }

    @Test func `of equally good titles a page of Roost comes first`() async throws {
        try await TestServer.with { testServer in
            _ = try await Guest.signUp("setter", as: .member, testServer.services)
            let found = try await Self.search("sett", on: testServer)
            #expect(Self.kinds(found).first == "pages")
            #expect(Self.titles("people", in: found) == ["setter"])
        }
    }

    @Test func `a command changes something by a form, and a person is chosen in a new conversation`()
        async throws
    {
        try await ChatFixture.with { chat in
            let page = try await chat.testServer.send("GET", "/search?q=dark").text
            #expect(page.contains("action=\"/theme\""))
            #expect(page.contains("name=\"theme\" value=\"dark\""))
            let found = try await Self.search("eve", "&kinds=people", on: chat.testServer)
            let address = try #require(found.items.first?["address"] as? String)
            #expect(address == "/chat/new?participants=\(chat.eve.user.userId)")
            let form = try await chat.testServer.send("GET", address).text
            #expect(form.contains("value=\"\(chat.eve.user.userId)\" checked"))
        }
    }

    @Test func `the text is escaped in the page and its addresses`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/search?q=%3Cb%3E%22%26kinds%3Dx").text
            #expect(page.contains("value=\"&lt;b&gt;&quot;&amp;kinds=x\""))
            #expect(!page.contains("<b>\""))
            #expect(page.contains("Nothing found."))
        }
    }

    // MARK: Speed

    @Test func `no large table is read from end to end`() async throws {
        let compiled = CompiledStatements()
        try await TestServer.with(configure: { $0.prepareDatabase = .init { compiled.watch($0) } }) {
            testServer in
            _ = try await CompiledStatementTests.pages(of: testServer)
            _ = compiled.take()
            for text in ["", "wh", "whee", "wheel", "a tower"] {
                _ = try await Self.search(text, on: testServer)
            }
            let statements = compiled.take()
            #expect(statements.contains { $0.contains("reading_search MATCH") })
            #expect(statements.contains { $0.contains("repository_search MATCH") })
            let steps = try await testServer.services.database.read { reads in
                // With positions for arguments, as `QueryPlan` needs.
                try statements.filter { sql in
                    !sql.contains(":")
                        && ["_search MATCH", "articles AS a", "gists AS g"].contains { sql.contains($0) }
                }
                .flatMap { try QueryPlan(of: $0, reads.database).steps }
            }
            let large = [
                "a", "article", "articles", "article_highlights", "g", "gists", "repository", "repositories",
                "bookmark", "bookmarks", "message", "chat_messages",
            ]
            // The background work reads its queue by this index, which has only the gists that wait for the model.
            let scanned = steps.filter { step in
                large.contains { step == "SCAN \($0)" || step.hasPrefix("SCAN \($0) ") }
                    && !step.hasSuffix("USING INDEX gists_for_model")
            }
            #expect(scanned == [])
        }
    }
}
