import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient
@testable import Market
@testable import RoostServices
@testable import RoostSupport
@testable import roost

/// `/displays/ID`: one display's link, settings, preview and screen.
@Suite struct DisplaySettingsPageTests {
    private func withDisplay(
        _ body: (TestServer, Display, _ path: String) async throws -> Void
    ) async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            try await body(testServer, created.display, "/displays/\(created.display.id)")
        }
    }

    private static let allFields = [
        "form=settings", "name=Hall", "pages=today", "pages=coins", "today=bookmarks", "headline=Moving+day",
        "style=cap", "currency=EUR", "sort=mine",
        "perPage=6",
        "secondsPerPage=30", "redIsUp=true", "coins=bitcoin", "theme=time", "orientation=portrait-left",
        "language=de", "reloadAt=03:30", "dimming=40", "dimFrom=21:00", "dimUntil=06:30",
        "blackFrom5=22:00", "blackUntil5=08:00",
    ]

    @Test func `a form sets everything, and unticked options are off`() async throws {
        try await withDisplay { testServer, display, path in
            let saved = try await testServer.post(path, form: Self.allFields.joined(separator: "&"))
            #expect(saved.status == 303)
            let now = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            let saturday = HourRange(from: TimeOfDay(hour: 22), until: TimeOfDay(hour: 8))
            #expect(now.name == "Hall")
            #expect(
                now.settings
                    == DisplaySettings(
                        pages: [.coins, .today], todayParts: [.bookmarks], coins: ["bitcoin"], sort: .mine,
                        perPage: 6, secondsPerPage: 30, style: .cap,
                        currency: "eur",
                        theme: .time, dimming: 40,
                        dimHours: HourRange(
                            from: TimeOfDay(hour: 21), until: TimeOfDay(hour: 6, minute: 30)),
                        blackHours: WeeklyHours([nil, nil, nil, nil, nil, saturday]),
                        orientation: .portraitLeft, language: .german, showsClock: false,
                        headline: "Moving day", redIsUp: true, reloadAt: TimeOfDay(hour: 3, minute: 30)))
        }
    }

    @Test func `the form is filled with the settings, and saving it unchanged changes nothing`() async throws
    {
        try await withDisplay { testServer, display, path in
            try await testServer.watch("bitcoin", "solana")
            _ = try await testServer.post(path, form: Self.allFields.joined(separator: "&"))
            let before = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            let form = Self.fields(of: try await testServer.send("GET", path).text)
            #expect(form.contains("coins=bitcoin") && !form.contains("coins=solana"))
            #expect(try await testServer.post(path, form: form.joined(separator: "&")).status == 303)
            let after = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            #expect(after.settings == before.settings && after.name == before.name)
        }
    }

    /// Returns the fields that a browser would send with the settings form.
    private static func fields(of page: String) -> [String] {
        let form = page.components(separatedBy: "id=\"display-form\"").last?.components(
            separatedBy: "</form>")[0]
        var fields: [String] = []
        for match in (form ?? "").matches(of: #/<input ([^>]*)>/#) {
            let tag = String(match.1)
            if tag.contains("type=\"checkbox\""), !tag.contains(" checked") { continue }
            guard let name = attribute("name", of: tag), let value = attribute("value", of: tag) else {
                continue
            }
            fields.append("\(name)=\(encoded(value))")
        }
        for match in (form ?? "").matches(of: #/<select [^>]*name="(\w+)"[^>]*>(.*?)<\/select>/#) {
            let chosen = match.2.firstMatch(of: #/<option value="([^"]*)" selected>/#)
            fields.append("\(match.1)=\(chosen.map { String($0.1) } ?? "")")
        }
        return fields
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        let parts = " \(tag)".components(separatedBy: " \(name)=\"")
        return parts.count > 1 ? parts[1].components(separatedBy: "\"")[0] : nil
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }

    @Test(arguments: [
        ("perPage", "25"), ("perPage", "x"), ("secondsPerPage", "4"), ("dimming", "91"),
        ("dimFrom", "24:00"), ("reloadAt", "soon"), ("style", "big"), ("sort", "value"), ("theme", "pink"),
        ("orientation", "up"), ("language", "tlh"), ("currency", "a-b"), ("blackFrom2", "22:00"),
        ("headline", String(repeating: "x", count: 201)), ("name", ""),
    ])
    func `an invalid value is refused at its field, with what was typed`(
        field: String, value: String
    ) async throws {
        try await withDisplay { testServer, display, path in
            let form = ["form=settings", "pages=coins", "name=Hall"].filter { !$0.hasPrefix("\(field)=") }
            let refused = try await testServer.post(
                path, form: (form + ["\(field)=\(value)"]).joined(separator: "&"))
            #expect(refused.status == 422)
            // If one of two times is missing, the error is at the missing one.
            let wrong = field == "blackFrom2" ? "blackUntil2" : field
            #expect(refused.text.contains("id=\"set-\(wrong)-error\""))
            let isChoice = ["style", "sort", "theme", "orientation", "language"].contains(field)
            if !isChoice { #expect(refused.text.contains("name=\"\(field)\" type=")) }
            if !isChoice, !value.isEmpty { #expect(refused.text.contains("value=\"\(value)\"")) }
            let now = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            #expect(now.settings == display.settings && now.name == "Wall")
        }
    }

    @Test(arguments: ["pages=news", "pages=coins&today=chat", ""])
    func `unknown kinds of pages, and no kind, are refused at the first of them`(kinds: String) async throws {
        try await withDisplay { testServer, display, path in
            let refused = try await testServer.post(path, form: "form=settings&name=Hall&\(kinds)")
            #expect(refused.status == 422)
            let field = kinds.contains("today=") ? "today-alerts" : "pages-coins"
            #expect(refused.text.components(separatedBy: "id=\"\(field)-error\"").count == 2)
            let now = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            #expect(now.settings == display.settings)
        }
    }

    @Test func `each weekday has the hours in which the screen is off`() async throws {
        try await withDisplay { testServer, _, path in
            _ = try await testServer.post(path, form: Self.allFields.joined(separator: "&"))
            let page = try await testServer.send("GET", path).text
            #expect(page.contains("<label class=\"sr-only\" for=\"set-blackFrom5\">Saturday from</label>"))
            #expect(page.contains("name=\"blackFrom5\" type=\"time\" value=\"22:00\""))
            #expect(page.components(separatedBy: "type=\"time\" value=\"\"").count == 13)
        }
    }

    @Test func `a wall of pull requests shows nothing until someone allows it`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            _ = try await testServer.post(
                "/displays/\(created.display.id)", form: "form=settings&name=Wall&pages=pulls")
            let wall = try await testServer.send("GET", "/display/\(created.token)/screen").text
            #expect(wall.contains("No one allows pull requests on walls yet."))
            #expect(!wall.contains("data-key=\"bitcoin\""))
            let sections = try await testServer.send("GET", "/pulls/sections").text
            #expect(sections.contains("name=\"isOnWalls\" value=\"true\">Allow on walls"))
            _ = try await testServer.post("/pulls/choices", form: "from=sections&isOnWalls=true")
            let allowed = try await testServer.send("GET", "/pulls/sections").text
            #expect(allowed.contains("name=\"isOnWalls\" value=\"false\">Stop showing"))
        }
    }

    @Test func `another user's list is refused`() async throws {
        try await withDisplay { testServer, display, path in
            let refused = try await testServer.post(path, form: "name=Hall&list=999999")
            #expect(refused.status == 422)
            #expect(refused.text.contains("There is no such list."))
            let now = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            #expect(now.settings.listId == nil)
        }
    }

    @Test func `a form with two fields changes only these`() async throws {
        try await withDisplay { testServer, display, path in
            _ = try await testServer.post(path, form: Self.allFields.joined(separator: "&"))
            _ = try await testServer.post(path, form: "name=Hall&secondsPerPage=45")
            let now = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            #expect(now.settings.secondsPerPage == 45 && !now.settings.redIsUp)
            #expect(now.settings.headline == "Moving day" && now.settings.coins == ["bitcoin"])
        }
    }

    @Test func `a change reaches the screen immediately`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/display/\(created.token)/changes?cursor=\(cursor)")
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            _ = try await testServer.post(
                "/displays/\(created.display.id)", form: Self.allFields.joined(separator: "&"))
            #expect(try await news.object["changed"] as? [String] == ["screen"])
        }
    }

    @Test func `only selected coins are shown, in the list's order`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "solana", "dogecoin")
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            _ = try await testServer.post(
                "/displays/\(created.display.id)",
                form: "form=settings&name=Wall&pages=coins&coins=solana&coins=bitcoin")
            let wall = try await testServer.send("GET", "/display/\(created.token)/screen").text
            #expect(wall.contains("data-key=\"solana\"") && wall.contains("data-key=\"bitcoin\""))
            #expect(!wall.contains("data-key=\"dogecoin\""))
        }
    }

    @Test func `a screen with its own order ignores the list's order`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "solana", "dogecoin")
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            func shown() async throws -> [String] {
                try await testServer.send("GET", "/display/\(created.token)/screen").text
                    .matches(of: #/<article [^>]*data-key="([^"]+)"/#).map { String($0.1) }
            }
            _ = try await testServer.post("/watchlist/sort", form: "sort=-name")
            #expect(try await shown() == ["solana", "dogecoin", "bitcoin"])
            _ = try await testServer.post(
                "/displays/\(created.display.id)", form: "form=settings&name=Wall&pages=coins&sort=mine")
            #expect(try await shown() == ["bitcoin", "solana", "dogecoin"])
        }
    }

    // MARK: The link

    @Test func `the link can be shown again at any time, with its QR code`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            for _ in 1...2 {
                let page = try await testServer.send("GET", "/displays/\(created.display.id)").text
                #expect(page.contains("/display/\(created.token)\" aria-label=\"Secret link for Wall\""))
                #expect(page.contains("<svg class=\"qr\""))
            }
        }
    }

    @Test func `a link that cannot be shown says how to get a new one`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            try await DatabaseFile.open(Services.databasePath(in: testServer.folder)).write {
                try $0.execute(sql: "UPDATE displays SET token_sealed = NULL")
            }
            let path = "/displays/\(created.display.id)"
            let page = try await testServer.send("GET", path).text
            #expect(page.contains("Replace it to see the new one.") && !page.contains("<svg class=\"qr\""))
            #expect(try await testServer.send("GET", "/display/\(created.token)").status == 200)
            #expect(try await testServer.post("\(path)/link").headers["Location"] == path)
            #expect(try await testServer.send("GET", path).text.contains("<svg class=\"qr\""))
        }
    }

    // MARK: The preview

    @Test func `only the preview may be framed, by Roost itself`() async throws {
        try await withDisplay { testServer, _, path in
            let preview = try await testServer.send("GET", "\(path)/preview")
            #expect(preview.headers.all("X-Frame-Options") == ["SAMEORIGIN"])
            let policies = preview.headers.all("Content-Security-Policy")
            #expect(policies.count == 1 && policies[0].contains("frame-ancestors 'self'"))
            let page = try await testServer.send("GET", path)
            #expect(page.headers["X-Frame-Options"] == "DENY")
            let policy = page.headers["Content-Security-Policy"] ?? ""
            #expect(policy.contains("frame-ancestors 'none'") && policy.hasSuffix("; frame-src 'self'"))
            let otherPage = try await testServer.send("GET", "/displays")
            #expect(otherPage.headers["Content-Security-Policy"]?.contains("frame-src") == false)
        }
    }

    @Test func `the preview shows unsaved settings, and the saved ones for invalid values`()
        async throws
    {
        try await withDisplay { testServer, display, path in
            try await testServer.watch("bitcoin", "solana")
            func shown(_ query: String) async throws -> [String] {
                let text = try await testServer.send("GET", "\(path)/preview?\(query)").text
                return ["bitcoin", "solana"].filter { text.contains("data-key=\"\($0)\"") }
            }
            let form = "form=settings&name=Wall&pages=coins&coins=solana"
            let saved = try await shown("")
            #expect(saved == ["bitcoin", "solana"])
            let typed = try await shown("\(form)&perPage=4&secondsPerPage=20")
            #expect(typed == ["solana"])
            let wrong = try await shown("\(form)&perPage=99&secondsPerPage=20")
            #expect(wrong == saved)
            let now = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            #expect(now.settings == display.settings)
        }
    }

    @Test func `a preview neither polls nor counts as a screen`() async throws {
        try await withDisplay { testServer, display, path in
            let preview = try await testServer.send("GET", "\(path)/preview").text
            #expect(!preview.contains("<script") && !preview.contains("http-equiv=\"refresh\""))
            let now = try await testServer.services.market.displays.display(
                display.id, of: testServer.owner.userId)
            #expect(now.lastSeenAt == nil)
        }
    }

    // MARK: The screen

    @Test func `a screen's poll returns commands until the screen acknowledges them`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let changes = "/display/\(created.token)/changes?cursor="
            let first = testServer.services.feed.cursor
            async let news = testServer.send("GET", "\(changes)\(first)&done=0")
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            let sent = try await testServer.post(
                "/displays/\(created.display.id)/command", form: "kind=identify")
            #expect(sent.status == 303)
            let commands = try #require(try await news.object["commands"] as? [[String: Any]])
            #expect(commands.map { $0["kind"] as? String } == ["identify"])
            #expect(commands.first?["name"] as? String == "Wall")
            let number = try #require(commands.first?["number"] as? Int)
            // An unacknowledged command is sent again at once, even though nothing has changed.
            let cursor = testServer.services.feed.cursor
            let again = try await testServer.send("GET", "\(changes)\(cursor)&done=0")
            #expect((again.object["commands"] as? [[String: Any]])?.count == 1)
            let done = try await testServer.send("GET", "\(changes)\(cursor)&done=\(number)&wait=0")
            #expect(done.object["commands"] == nil)
        }
    }

    @Test func `a screen that acknowledges nothing still waits for changes`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            _ = try await testServer.post("/displays/\(created.display.id)/command", form: "kind=identify")
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/display/\(created.token)/changes?cursor=\(cursor)")
            try await eventually("the screen waits") { testServer.services.feed.waiting == 1 }
            testServer.services.feed.publish(Topic.prices)
            #expect(try await news.status == 200)
        }
    }

    @Test func `an unknown command is refused`() async throws {
        try await withDisplay { testServer, _, path in
            let answer = try await testServer.post("\(path)/command", form: "kind=explode")
            #expect(answer.status == 422)
        }
    }

    @Test func `the page shows the screen's version, its address and its number of reloads`()
        async throws
    {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let status = "/displays/\(created.display.id)/status"
            let before = try await testServer.send("GET", status)
            #expect(!before.text.contains("reloads"))
            _ = try await testServer.send(
                "GET", "/display/\(created.token)/changes?wait=0&version=1.2-abc&reloads=3")
            let after = try await testServer.send("GET", status)
            #expect(after.text.contains("version 1.2-abc") && after.text.contains("3 reloads"))
            #expect(after.text.contains("from 127.0.0.1"))
            #expect(after.headers["ETag"] != before.headers["ETag"])
        }
    }

    @Test(arguments: ["", String(repeating: "v", count: 81), "a%0Ab"])
    func `an invalid version is ignored`(version: String) async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            _ = try await testServer.send(
                "GET", "/display/\(created.token)/changes?wait=0&version=\(version)&reloads=3")
            let owner = testServer.owner.userId
            #expect(
                try await testServer.services.market.displays.display(created.display.id, of: owner).screen
                    == nil)
        }
    }

    // MARK: The cost

    @Test func `two screens with one list and the same settings share one rendering`() async throws {
        let statements = Mutex<[String]>([])
        let clock = TestClock()
        try await TestServer.with(
            clock: clock.wallClock,
            configure: { configuration in
                configuration.prepareDatabase = .init { database in
                    database.trace { statement in statements.withLock { $0.append("\(statement)") } }
                }
            }
        ) { testServer in
            let (displays, owner) = (testServer.services.market.displays, testServer.owner.userId)
            let tokens = [
                try await displays.add("One", for: owner).token,
                try await displays.add("Two", for: owner).token,
            ]
            let third = try await displays.add("Three", for: owner)
            try await displays.change(
                third.display.id, of: owner, name: "Three", settings: DisplaySettings(redIsUp: true))
            /// How often this answer reads a user's list.
            func readings(_ token: String) async throws -> Int {
                let count = {
                    statements.withLock {
                        $0.count { $0.contains("watchlist_items") && $0.contains("sort_order") }
                    }
                }
                let before = count()
                #expect(try await testServer.send("GET", "/display/\(token)/screen").status == 200)
                return count() - before
            }
            #expect(try await readings(tokens[0]) > 0)
            // The first request asks for prices, whose arrival changes the page.
            try await eventually("the page stops changing") { try await readings(tokens[0]) == 0 }
            #expect(try await readings(tokens[1]) == 0)
            #expect(try await readings(third.token) > 0)
        }
    }
}
