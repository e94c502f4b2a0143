import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb

@Suite struct FormatsPageTests {
    private static let everything =
        "timeZone=Asia%2FTokyo&date=dd.mm.yyyy&hours=12&numbers=point&firstDay=sunday"

    /// Returns the text of the first time element with this attribute.
    private static func time(_ kind: String, in page: String) -> String? {
        let start = page.firstRange(of: "<time data-\(kind) ")?.upperBound
        return start.flatMap { page[$0...].firstMatch(of: />([^<]*)</) }.map { String($0.output.1) }
    }

    @Test func `the form saves all formats, and the next page uses them`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let before = try await testServer.send("GET", "/settings/security").text
            #expect(!before.contains("data-formats") && !before.contains("formats.js"))
            #expect(before.contains(RelativeTime.day(clock.wallClock.now())))

            let answer = try await testServer.post("/settings/formats", form: Self.everything)
            #expect(answer.status == 303)
            let page = try await testServer.send("GET", "/settings/security").text
            #expect(page.contains("data-formats=\"dd.mm.yyyy;12;Asia/Tokyo\""))
            #expect(page.contains("/js/formats.js\"></script>"))
            var chosen = FormatPreferences()
            (chosen.date, chosen.timeZone) = (.dotted, "Asia/Tokyo")
            let day = Formats(chosen).use { RelativeTime.day(clock.wallClock.now()) }
            #expect(Self.time("day", in: page) == day)

            let settings = try await testServer.send("GET", "/settings/formats").text
            for value in ["dd.mm.yyyy", "12", "point", "sunday"] {
                #expect(settings.contains("value=\"\(value)\" checked"), "\(value)")
            }
            #expect(settings.contains("value=\"Asia/Tokyo\" selected"))

            #expect(try await testServer.post("/settings/formats/reset").status == 303)
            #expect(try await !testServer.send("GET", "/settings/security").text.contains("data-formats"))
        }
    }

    @Test func `a wrong value is refused at its field, keeps the input, and changes nothing`() async throws {
        try await TestServer.with { testServer in
            let form = "timeZone=Nowhere%2FLand&date=yyyy-mm-dd"
            let answer = try await testServer.post("/settings/formats", form: form)
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"timeZone-error\""))
            #expect(answer.text.contains("value=\"yyyy-mm-dd\" checked"))
            #expect(try await testServer.post("/settings/formats", form: "hours=13").status == 422)
            let stored = try await testServer.send("GET", "/api/v1/formats").object
            #expect(stored["date"] as? String == "d mmm yyyy" && stored["hours"] as? String == "24")
        }
    }

    @Test func `a program reads and changes the formats`() async throws {
        try await TestServer.with { testServer in
            let change = #"{"timeZone": "Europe/Berlin", "firstDay": "saturday"}"#
            let answer = try await testServer.json("PATCH", "/api/v1/formats", change)
            #expect(answer.status == 200)
            #expect(
                answer.object as? [String: String] == [
                    "timeZone": "Europe/Berlin", "date": "d mmm yyyy", "hours": "24", "numbers": "comma",
                    "firstDay": "saturday",
                ])
            let automatic = try await testServer.json("PATCH", "/api/v1/formats", #"{"timeZone": "auto"}"#)
            #expect(automatic.object["timeZone"] as? String == "auto")
            #expect(automatic.object["firstDay"] as? String == "saturday")
            for body in [#"{"timeZone": "x"}"#, #"{"date": "x"}"#, #"{"numbers": "x"}"#, #"{"week": 1}"#] {
                #expect(try await testServer.json("PATCH", "/api/v1/formats", body).status == 422, "\(body)")
            }
        }
    }

    @Test func `without a choice, times are in the browser's time zone`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let cookie = [("Cookie", "roost_zone=Pacific/Kiritimati")]
            let page = try await testServer.send("GET", "/settings/security", headers: cookie).text
            let there = Formats(browserZone: "Pacific/Kiritimati").use {
                RelativeTime.day(clock.wallClock.now())
            }
            #expect(Self.time("day", in: page) == there)
            #expect(!page.contains("data-formats"))
        }
    }

    /// The cache holds pages of one second, so the clock does not move.
    @Test func `no page is cached for other formats or another time zone`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let talk = try await testServer.services.chat.conversations.start(
                with: [try await Guest.signUp("grace", as: .member, testServer.services).user.userId],
                groupName: nil, id: nil, by: testServer.owner.userId
            ).conversation.id
            _ = try await testServer.services.chat.conversations.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "Hello"), to: talk,
                by: .user(testServer.owner.userId))
            func shown(_ zone: String) async throws -> String? {
                let cookie = [("Cookie", "roost_zone=\(zone)")]
                return Self.time(
                    "clock", in: try await testServer.send("GET", "/chat/\(talk)", headers: cookie).text)
            }
            func expected(_ zone: String, _ hours: FormatPreferences.HourFormat = .all) -> String {
                var preferences = FormatPreferences()
                preferences.hours = hours
                return Formats(preferences, browserZone: zone).use {
                    RelativeTime.clock(clock.wallClock.now())
                }
            }
            #expect(try await shown("Asia/Tokyo") == expected("Asia/Tokyo"))
            #expect(try await shown("Asia/Kolkata") == expected("Asia/Kolkata"))
            _ = try await testServer.json("PATCH", "/api/v1/formats", #"{"hours": "12"}"#)
            #expect(try await shown("Asia/Kolkata") == expected("Asia/Kolkata", .half))
        }
    }

    @Test func `one user's formats are not another's, and JSON has none`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            _ = try await testServer.post("/settings/formats", form: Self.everything)
            let page = try await testServer.send("GET", "/settings/security", as: grace).text
            #expect(!page.contains("data-formats"))
            let me = try await testServer.send("GET", "/api/v1/me")
            #expect(me.text.contains(/"createdAt":"\d{4}-\d\d-\d\dT[^"]+Z"/))
        }
    }

    @Test func `a holding and an alert are typed in the user's numbers`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            _ = try await testServer.json("PATCH", "/api/v1/formats", #"{"numbers": "point"}"#)
            let holding = try await testServer.post(
                "/coins/bitcoin/holdings", form: "amount=1.234,5&price=2,25&currency=usd")
            #expect(holding.status == 303)
            let stored = try await testServer.send("GET", "/api/v1/holdings").items.first
            #expect(stored?["amount"] as? String == "1234.5" && stored?["price"] as? String == "2.25")
            let alert = try await testServer.post(
                "/alerts", form: "coinId=bitcoin&kind=above&threshold=90.000.000,5")
            #expect(alert.status == 303)
            let alerts = try await testServer.send("GET", "/api/v1/alerts").items
            #expect(alerts.first?["threshold"] as? String == "90000000.5")
            #expect(try await testServer.send("GET", "/alerts").text.contains("90.000.000,5 USD"))
        }
    }

    @Test func `a wall has its owner's numbers and no other formats`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let wall = try await testServer.services.market.displays.add("Wall", for: testServer.owner.userId)
            func price() async throws -> String {
                let page = try await testServer.send("GET", "/display/\(wall.token)", as: .anonymous).text
                #expect(!page.contains("data-formats"))
                return try #require(page.firstMatch(of: /<span class="sign">[^<]*<\/span>([^<]+)</)).output.1
                    .description
            }
            let before = try await price()
            _ = try await testServer.post("/settings/formats", form: Self.everything)
            let after = try await price()
            #expect(before.wholeMatch(of: /[\d,]+\.\d+/) != nil, "\(before)")
            #expect(after.wholeMatch(of: /[\d.]+,\d+/) != nil, "\(after)")
        }
    }

    @Test func `a display's week begins on the user's first day`() async throws {
        try await TestServer.with { testServer in
            let wall = try await testServer.services.market.displays.add("Wall", for: testServer.owner.userId)
            func days() async throws -> [String] {
                try await testServer.send("GET", "/displays/\(wall.display.id)").text
                    .matches(of: /<span class="day" aria-hidden="true">([A-Z][a-z]+)</).map {
                        String($0.output.1)
                    }
            }
            let usual = try await days()
            #expect(usual.count == 7 && usual.first == "Monday")
            _ = try await testServer.json("PATCH", "/api/v1/formats", #"{"firstDay": "sunday"}"#)
            let changed = try await days()
            #expect(changed == ["Sunday"] + usual.dropLast())
            // The fields keep their numbers: 6 is Sunday.
            let page = try await testServer.send("GET", "/displays/\(wall.display.id)").text
            #expect(page.contains("for=\"set-blackFrom6\">Sunday from"))
        }
    }

    @Test func `a changed format changes the ETag of live parts`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            func tag() async throws -> String? {
                try await testServer.send("GET", "/watchlist/tile").headers["ETag"]
            }
            let before = try await tag()
            #expect(before != nil)
            _ = try await testServer.json("PATCH", "/api/v1/formats", #"{"numbers": "space"}"#)
            #expect(try await before != tag())
        }
    }
}
