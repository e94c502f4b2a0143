import Foundation
import GRDB
import TestSupport
import Testing

@testable import Chat
@testable import HTTPClient
@testable import Market
@testable import Reading
@testable import RoostServices

@Suite struct WallTests {
    @Test func `a link is created, opens the wall without a session, and is shown to its owner only`()
        async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let created = try await testServer.post("/displays", form: "name=Office+wall")
            let page = try await testServer.send("GET", try #require(created.headers["Location"])).text
            let token = try Self.token(in: page)
            let otherClient = [("X-Forwarded-For", "192.168.1.77")]
            let wall = try await testServer.send("GET", "/display/\(token)", headers: otherClient)
            #expect(wall.status == 200)
            #expect(wall.text.contains("BTC"))
            let answer1 = try await testServer.send("GET", "/display/\(token)/screen", headers: otherClient)
            #expect(answer1.status == 200)
            let answer2 = try await testServer.send("GET", "/displays", headers: otherClient, as: .anonymous)
            #expect(answer2.status == 401)
        }
    }

    @Test func `a wrong or revoked link opens nothing`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            for path in ["/display/nonsense", "/display/\(created.token)x", "/display/nonsense/changes"] {
                let answer3 = try await testServer.send("GET", path)
                #expect(answer3.status == 404, "\(path)")
            }
            let answer4 = try await testServer.send("GET", "/display/\(created.token)")
            #expect(answer4.status == 200)
            _ = try await testServer.post("/displays/\(created.display.id)/link")
            let answer5 = try await testServer.send("GET", "/display/\(created.token)")
            #expect(answer5.status == 404)
        }
    }

    @Test func `removing a display ends its screen's poll, and the next poll reports it`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let cursor = testServer.services.feed.cursor
            let path = "/display/\(created.token)/changes?cursor=\(cursor)"
            async let news = testServer.send("GET", path)
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            let answer6 = try await testServer.post("/displays/\(created.display.id)/remove")
            #expect(answer6.status == 303)
            #expect(try await news.object["changed"] as? [String] == ["screen"])
            let answer7 = try await testServer.send("GET", path)
            #expect(answer7.status == 404)
        }
    }

    @Test func `the wall is notified of prices and of its owner's list`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/display/\(created.token)/changes?cursor=\(cursor)")
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            try await testServer.services.market.watchlist.add("bitcoin", to: testServer.owner.userId)
            #expect(try await news.object["changed"] as? [String] == ["screen"])
        }
    }

    @Test func `the list of displays shows when a screen was last seen`() async throws {
        try await TestServer.with { testServer in
            let (displays, owner) = (testServer.services.market.displays, testServer.owner.userId)
            let created = try await displays.add("Wall", for: owner)
            #expect(try await displays.displays(of: owner).first?.lastSeenAt == nil)
            _ = try await testServer.send("GET", "/display/\(created.token)")
            #expect(try await displays.displays(of: owner).first?.lastSeenAt != nil)
        }
    }

    @Test func `invalid settings are refused at their field, with what was typed`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let form = "name=Hall&secondsPerPage=2"
            let refused = try await testServer.post("/displays/\(created.display.id)", form: form)
            #expect(refused.status == 422)
            #expect(refused.text.contains("Enter 5 to 3,600 seconds."))
            #expect(refused.text.contains("value=\"Hall\""))
            let saved = try await testServer.post(
                "/displays/\(created.display.id)", form: "name=Hall&secondsPerPage=30&redIsUp=true")
            #expect(saved.status == 303)
            let displays = try await testServer.services.market.displays.displays(of: testServer.owner.userId)
            let display = try #require(displays.first)
            #expect(
                display.name == "Hall" && display.settings.secondsPerPage == 30 && display.settings.redIsUp)
            let answer8 = try await testServer.post("/displays", form: "name=")
            #expect(answer8.status == 422)
        }
    }

    @Test func `removing a wall's owner ends its poll`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services).user
            let created = try await testServer.services.market.displays.add("Wall", for: grace.userId)
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/display/\(created.token)/changes?cursor=\(cursor)")
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            try await testServer.services.identity.accounts.remove(grace.userId, by: nil, from: .commandLine)
            #expect(try await news.object["changed"] as? [String] == ["screen"])
        }
    }

    @Test func `Today on a wall shows of its owner's own only what the owner allows`() async throws {
        try await ReadingFixture.with { reading in
            let testServer = reading.testServer
            let displays = testServer.services.market.displays
            let chat = try await testServer.services.chat.conversations.start(
                with: [reading.ada], groupName: nil, id: nil, by: reading.grace.user.userId)
            _ = try await testServer.services.chat.conversations.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "Strictly private"),
                to: chat.conversation.id, by: .user(reading.grace.user.userId))
            let title = try await reading.item().title
            let lines = try await testServer.send("GET", "/today").text
            #expect(lines.contains(title) && lines.contains("Strictly private"))
            let created = try await displays.add("Wall", for: reading.ada)
            func wall(_ form: String) async throws -> String {
                let saved = try await testServer.post(
                    "/displays/\(created.display.id)", form: "form=settings&name=Wall&\(form)")
                #expect(saved.status == 303)
                return try await testServer.send("GET", "/display/\(created.token)/screen").text
            }
            let closed = try await wall("pages=today&today=alerts")
            #expect(closed.contains("Nothing has changed since yesterday."))
            let open = try await wall("pages=today&today=reading")
            #expect(open.contains(title) && !open.contains("Strictly private"))
            // A part that is ticked counts only while the page is shown.
            #expect(try await !wall("pages=coins&today=reading").contains(title))
        }
    }

    @Test func `a wall is notified of what its owner shows on it`() async throws {
        try await ReadingFixture.with { reading in
            let testServer = reading.testServer
            let displays = testServer.services.market.displays
            let created = try await displays.add("Wall", for: reading.ada)
            try await displays.change(
                created.display.id, of: reading.ada, name: "Wall",
                settings: DisplaySettings(pages: [.today], todayParts: [.reading]))
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/display/\(created.token)/changes?cursor=\(cursor)")
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            _ = try await testServer.services.reading.articles.delete(reading.id, by: reading.ada)
            #expect(try await news.object["changed"] as? [String] == ["screen"])
        }
    }

    /// Changes the database as another process would.
    private func change(_ sql: String, in testServer: TestServer) throws {
        try DatabaseFile.open(Services.databasePath(in: testServer.folder)).write { try $0.execute(sql: sql) }
    }

    @Test func `a change by another process is shown on the next request`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let (wall, screen) = ("/display/\(created.token)", "/display/\(created.token)/screen")
            // As if the last commit was some time ago. The clock does not move, so that no page is rendered
            // again because a second has passed.
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - 60],
                ofItemAtPath: Services.databasePath(in: testServer.folder) + "-wal")
            for _ in 1...3 { #expect(try await testServer.send("GET", wall).status == 200) }
            let tag = try #require(try await testServer.send("GET", screen).headers["ETag"])
            let same = try await testServer.send("GET", screen, headers: [("If-None-Match", tag)])
            try #require(same.status == 304)
            try change("UPDATE displays SET name = 'Hall', seconds_per_page = 77", in: testServer)
            #expect(try await testServer.send("GET", "/displays").text.contains(">Hall<"))
            #expect(try await testServer.send("GET", wall).text.contains("data-seconds=\"77\""))
            let answer = try await testServer.send("GET", screen, headers: [("If-None-Match", tag)])
            #expect(answer.status == 200)
            try change("DELETE FROM displays", in: testServer)
            for path in [wall, screen, "\(wall)/changes"] {
                #expect(try await testServer.send("GET", path).status == 404, "\(path)")
            }
            #expect(try await !testServer.send("GET", "/displays").text.contains(">Hall<"))
        }
    }

    /// Returns the secret of the link on a page.
    private static func token(in page: String) throws -> String {
        let start = try #require(page.range(of: "/display/"))
        return String(
            page[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    }
}
