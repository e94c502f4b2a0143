import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct DisplaySettingsTests {
    private static let night = HourRange(from: TimeOfDay(hour: 23, minute: 30), until: TimeOfDay(hour: 6))

    /// Every value differs from a new display's.
    private static let allSet = DisplaySettings(
        pages: [.pulls, .today, .headline], todayParts: [.alerts, .reading], listId: 7,
        coins: ["bitcoin", "usd-coin"], sort: .cap, perPage: 24, secondsPerPage: 3_600,
        style: .cap,
        currency: "eur", theme: .time, dimming: 90, dimHours: night,
        blackHours: WeeklyHours([night, nil, nil, nil, nil, night, night]), orientation: .portraitLeft,
        language: .japanese, showsClock: false, headline: "Wir ziehen um 🚚", redIsUp: true, reloadAt: nil)

    @Test(arguments: [DisplaySettings(), allSet])
    func `settings survive a restart and a round trip through JSON`(settings: DisplaySettings) async throws {
        let json = try JSONEncoder().encode(settings)
        #expect(try JSONDecoder().decode(DisplaySettings.self, from: json) == settings)
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let owner = try await first.services.owner().userId
            let display = try await first.services.market.displays.add("Kitchen", for: owner).display
            try await first.services.market.displays.change(
                display.id, of: owner, name: "Kitchen", settings: settings)
            try first.end()
            let second = try ServicesFixture(in: folder)
            #expect(
                try await second.services.market.displays.display(display.id, of: owner).settings == settings)
            try second.end()
        }
    }

    private static func settings(_ change: (inout DisplaySettings) -> Void) -> DisplaySettings {
        var settings = DisplaySettings()
        change(&settings)
        return settings
    }

    @Test(arguments: [
        settings { $0.secondsPerPage = 5 }, settings { $0.secondsPerPage = 3_600 },
        settings { $0.perPage = 0 }, settings { $0.perPage = 24 }, settings { $0.dimming = 0 },
        settings { $0.dimming = 90 }, settings { $0.headline = String(repeating: "é", count: 200) },
        settings { $0.currency = "eur" }, settings { $0.currency = "1inch" },
        settings { $0.coins = (1...500).map { "coin-\($0)" } },
    ])
    func `a value at its limit is accepted`(settings: DisplaySettings) throws {
        #expect(try settings.checked() == settings)
    }

    @Test(arguments: [
        ("secondsPerPage", settings { $0.secondsPerPage = 4 }),
        ("secondsPerPage", settings { $0.secondsPerPage = 3_601 }),
        ("perPage", settings { $0.perPage = -1 }), ("perPage", settings { $0.perPage = 25 }),
        ("dimming", settings { $0.dimming = -1 }), ("dimming", settings { $0.dimming = 91 }),
        ("headline", settings { $0.headline = String(repeating: "é", count: 201) }),
        ("headline", settings { $0.headline = "one\nline" }),
        ("headline", settings { $0.headline = "turned \u{202E} around" }),
        ("currency", settings { $0.currency = "" }), ("currency", settings { $0.currency = "EUR" }),
        ("currency", settings { $0.currency = "e" }), ("currency", settings { $0.currency = "a dollar" }),
        ("coins", settings { $0.coins = ["bitcoin", "bitcoin"] }), ("coins", settings { $0.coins = [""] }),
        ("coins", settings { $0.coins = ["two words"] }),
        ("coins", settings { $0.coins = (1...501).map { "coin-\($0)" } }),
        ("list", settings { $0.listId = 0 }), ("pages", settings { $0.pages = [] }),
        ("headline", settings { ($0.pages, $0.headline) = ([.coins, .headline], " ") }),
    ])
    func `a value beyond its limit is refused with its field's name`(
        field: String, settings: DisplaySettings
    ) throws {
        let error = #expect(throws: RoostError.self) { try settings.checked() }
        guard case .invalid(let named, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(named == field)
    }

    @Test(arguments: DisplaySettings.Order.allCases)
    func `each sort order of a wall exists in the watchlist`(order: DisplaySettings.Order) {
        #expect(SortOption(rawValue: order.rawValue) != nil)
    }

    @Test func `kinds of pages are stored once each, in one order`() throws {
        let settings = Self.settings {
            $0.pages = [.today, .coins, .today]
            $0.todayParts = [.reading, .alerts, .reading]
        }
        let checked = try settings.checked()
        #expect(checked.pages == [.coins, .today] && checked.todayParts == [.alerts, .reading])
    }

    @Test func `spaces around a headline are removed`() throws {
        #expect(try Self.settings { $0.headline = "  Moving day " }.checked().headline == "Moving day")
    }

    // MARK: Hours

    @Test(
        arguments: [
            ("00:00", 0), ("04:05", 245), ("23:59", 1_439), ("07:30:00", 450), ("24:00", nil), ("12:60", nil),
            ("7:30", nil), ("", nil), ("noon", nil), ("-1:00", nil), ("12:00:00:00", nil),
        ] as [(String, Int?)])
    func `a time of day is parsed as browsers write it`(text: String, minute: Int?) {
        #expect(TimeOfDay(text)?.minute == minute)
    }

    @Test func `a time of day is written with two digits each`() {
        #expect(TimeOfDay(hour: 4, minute: 5).description == "04:05")
        #expect(TimeOfDay(hour: 22).description == "22:00")
    }

    @Test(
        arguments: [
            ("22:00", "07:00", ["22:00", "23:59", "00:00", "06:59"], ["07:00", "12:00", "21:59"]),
            ("07:00", "19:00", ["07:00", "18:59"], ["06:59", "19:00", "00:00"]),
            ("08:00", "08:00", ["00:00", "07:59", "08:00", "23:59"], []),
        ] as [(String, String, [String], [String])])
    func `hours that end before they start run past midnight, and equal ends mean all day`(
        from: String, until: String, inside: [String], outside: [String]
    ) throws {
        let range = HourRange(from: try #require(TimeOfDay(from)), until: try #require(TimeOfDay(until)))
        for text in inside { #expect(range.contains(try #require(TimeOfDay(text))), "\(text)") }
        for text in outside { #expect(!range.contains(try #require(TimeOfDay(text))), "\(text)") }
    }

    /// Dark from Friday 20:00 to Saturday 08:00, and on Sunday from 10:00 to 12:00; 0 is Monday.
    @Test(arguments: [
        (4, "19:59", false), (4, "20:00", true), (4, "23:59", true), (5, "00:00", true), (5, "07:59", true),
        (5, "08:00", false), (5, "20:00", false), (6, "09:59", false), (6, "10:00", true),
        (6, "12:00", false), (0, "00:00", false), (0, "11:00", false),
    ])
    func `dark hours belong to the weekday on which they start`(
        weekday: Int, text: String, isBlack: Bool
    ) throws {
        let friday = HourRange(from: TimeOfDay(hour: 20), until: TimeOfDay(hour: 8))
        let sunday = HourRange(from: TimeOfDay(hour: 10), until: TimeOfDay(hour: 12))
        let hours = WeeklyHours([nil, nil, nil, nil, friday, nil, sunday])
        #expect(hours.contains(try #require(TimeOfDay(text)), weekday: weekday) == isBlack)
    }

    @Test func `hours on Sunday night continue into Monday`() {
        let sunday = HourRange(from: TimeOfDay(hour: 22), until: TimeOfDay(hour: 6))
        let hours = WeeklyHours([nil, nil, nil, nil, nil, nil, sunday])
        #expect(hours.contains(TimeOfDay(hour: 5), weekday: 0))
        #expect(!hours.contains(TimeOfDay(hour: 6), weekday: 0))
        #expect(!hours.isOff && WeeklyHours.off.isOff)
    }

    // MARK: Other users' displays

    @Test func `a user cannot see, command or sign out another user's display`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let displays = fixture.services.market.displays
            let (display, token) = try await displays.add("Kitchen", for: owner)
            let refusal = RoostError.notFound("There is no such display.")
            await #expect(throws: refusal) { try await displays.display(display.id, of: owner + 1) }
            await #expect(throws: refusal) { try await displays.send(.reload, to: display.id, of: owner + 1) }
            await #expect(throws: refusal) { try await displays.signOut(display.id, of: owner + 1) }
            #expect(try await displays.display(.link(token)) == display)
            #expect(displays.commands(for: display, done: nil).isEmpty)
        }
    }
}
