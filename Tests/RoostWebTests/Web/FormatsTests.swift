import Foundation
import Testing

@testable import MarketWeb
@testable import RoostSupport
@testable import RoostWeb

@Suite struct FormatsTests {
    private static let date = Date(timeIntervalSince1970: 1_795_899_900)  // 2026-11-28 21:05 UTC, a Saturday

    private static func formats(_ change: (inout FormatPreferences) -> Void) -> Formats {
        var preferences = FormatPreferences()
        change(&preferences)
        return Formats(preferences)
    }

    @Test(arguments: [
        (FormatPreferences.DateFormat.named, "28 Nov 2026", "28 Nov"),
        (.dotted, "28.11.2026", "28.11."), (.slashed, "28/11/2026", "28/11"),
        (.monthFirst, "11/28/2026", "11/28"), (.yearFirst, "2026-11-28", "11-28"),
    ])
    func `a day is in the chosen format`(format: FormatPreferences.DateFormat, day: String, short: String) {
        Self.formats { $0.date = format }.use {
            #expect(RelativeTime.day(Self.date, zone: .gmt) == day)
            #expect(RelativeTime.dayOfYear(Self.date, zone: .gmt) == short)
            #expect(RelativeTime.ago(Self.date, now: Self.date + 864_000, zone: .gmt) == day)
        }
    }

    @Test(arguments: [(0, "9:05 PM"), (3, "12:05 AM"), (12, "9:05 AM"), (15, "12:05 PM")])
    func `a clock of twelve hours has no hour zero`(hours: Int, text: String) {
        Self.formats { $0.hours = .half }.use {
            let clock = RelativeTime.clock(Self.date + Double(hours) * 3_600, zone: .gmt)
            #expect(clock == text.replacing(" ", with: "\u{A0}"))
        }
    }

    @Test func `the chosen time zone comes before the browser's, and that before the server's`() {
        var chosen = FormatPreferences()
        chosen.timeZone = "Asia/Tokyo"
        #expect(Formats(chosen, browserZone: "America/New_York").zoneName == "Asia/Tokyo")
        let browser = Formats(browserZone: "America/New_York")
        #expect(browser.zone.secondsFromGMT(for: Self.date) == -5 * 3_600)
        #expect(browser.use { RelativeTime.clock(Self.date) } == "16:05")
        #expect(Formats().zone == .current)
    }

    @Test(arguments: [
        "", "Nowhere/Land", "../etc/passwd", "Europe/Berlin\u{0}", String(repeating: "A", count: 65),
    ])
    func `an invalid time zone from a browser is ignored`(name: String) {
        #expect(Formats(browserZone: name) == .standard)
    }

    @Test func `every time zone that can be chosen is valid`() throws {
        #expect(TimeZones.names.count > 300)
        for name in TimeZones.names {
            var preferences = FormatPreferences()
            preferences.timeZone = name
            #expect(try preferences.checked().timeZone == name)
            #expect(Formats(preferences).zoneName == name)
        }
    }

    @Test func `different formats have different tags, and the standard has none`() {
        #expect(Formats.standard.tag.isEmpty)
        let all = [
            Self.formats { $0.date = .dotted }, Self.formats { $0.hours = .half },
            Self.formats { $0.numbers = .point }, Self.formats { $0.numbers = .space },
            Self.formats { $0.firstDay = .sunday }, Self.formats { $0.timeZone = "Asia/Tokyo" },
            Self.formats { $0.timeZone = "Europe/Paris" },
        ]
        #expect(Set(all.map(\.tag)).count == all.count)
        #expect(
            all.allSatisfy {
                !$0.tag.isEmpty && $0.tag.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 }
            })
    }

    @Test(arguments: [
        (FormatPreferences.NumberFormat.comma, ["1,234", "94,318.27", "0.15482", "1,234.5", "−1,234,567"]),
        (.point, ["1.234", "94.318,27", "0,15482", "1.234,5", "−1.234.567"]),
        (.space, ["1 234", "94 318,27", "0,15482", "1 234,5", "−1 234 567"]),
    ])
    func `numbers are in the chosen format`(format: FormatPreferences.NumberFormat, texts: [String]) throws {
        let expected = texts.map { $0.replacing(" ", with: "\u{A0}") }
        try Self.formats { $0.numbers = format }.use {
            #expect(NumberText.grouped(1_234) == expected[0])
            let price = try #require(PriceText(94_318.27, currency: "usd"))
            #expect(price.text == "$" + expected[1])
            #expect(price.number == "94318.27", "programs read it")
            let small = try #require(PriceText(Decimal(15_482) / 100_000, currency: "usd"))
            #expect(small.full == "$" + expected[2])
            #expect(AmountText.exact(Decimal(12_345) / 10) == expected[3])
            #expect(NumberText.grouped(-1_234_567) == expected[4])
        }
    }

    @Test func `zeros and tiny prices have the chosen mark too`() throws {
        try Self.formats { $0.numbers = .point }.use {
            #expect(ChangeText(0).text == "– 0,00 %")
            #expect(AmountText.percent(0) == "0,00 %")
            #expect(AmountText.percent(Decimal(1) / 100_000) == "0,00 %")
            let tiny = try #require(PriceText(Decimal(8_199) / 1_000_000_000, currency: "usd"))
            #expect(tiny.text == "$0,0₅8199" && tiny.full == "$0,000008199")
        }
    }

    @Test func `the longest numbers fit with the widest mark`() {
        Self.formats { $0.numbers = .space }.use {
            let digits = { (text: String) in text.filter { $0 != "\u{A0}" } }
            #expect(digits(NumberText.grouped(.min)) == "−9223372036854775808")
            #expect(AmountText.exact(.greatestFiniteMagnitude).filter { $0 == "\u{A0}" }.count > 50)
        }
    }

    @Test(arguments: [
        (FormatPreferences.NumberFormat.comma, "1,234.5", "1,234.5"), (.comma, "1,5", "1,5"),
        (.point, "1.234,5", "1234.5"), (.point, "1,5", "1.5"), (.point, "1.234.567", "1234567"),
        (.point, "0,125", "0.125"), (.point, " 12 ", "12"),
        (.space, "1 234,5", "1234.5"), (.space, "1\u{A0}234", "1234"), (.space, "12\u{202F}345,6", "12345.6"),
        // Plain numbers stay what they are, also where a point could separate groups.
        (.point, "1.234", "1.234"), (.point, "0.5", "0.5"), (.space, "1.234", "1.234"),
        // No number in either format.
        (.point, "1.23,5", "1.23,5"), (.point, "1.2345.678", "1.2345.678"), (.point, "1,", "1,"),
        (.point, ",5", ",5"), (.point, "1,2,3", "1,2,3"), (.point, "-1,5", "-1,5"), (.space, "1 23", "1 23"),
        (.space, "", ""), (.point, "1٫5", "1٫5"),
    ])
    func `a typed number is read in the user's format only where it is unambiguous`(
        format: FormatPreferences.NumberFormat, typed: String, plain: String
    ) {
        #expect(format.plain(typed) == plain)
    }

    @Test func `the week begins on the chosen day and has each day once`() {
        #expect(FormatPreferences.FirstDay.monday.week == [0, 1, 2, 3, 4, 5, 6])
        #expect(FormatPreferences.FirstDay.sunday.week == [6, 0, 1, 2, 3, 4, 5])
        #expect(FormatPreferences.FirstDay.saturday.week == [5, 6, 0, 1, 2, 3, 4])
    }

    @Test func `the formats end with the work that uses them`() {
        Self.formats { $0.date = .dotted }.use {
            #expect(Formats.current.date == .dotted)
            Formats.standard.use { #expect(Formats.current == .standard) }
        }
        #expect(Formats.current == .standard)
    }

    @Test func `a stored value of another version does not lose the other values`() throws {
        let text = #"{"date":"dd.mm.yyyy","hours":"13","numbers":"space","firstDay":"sunday"}"#
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(FormatPreferences.self, from: Data(text.utf8))
        }
        let stored = PreferencesStore.decode(text) as FormatPreferences
        #expect(stored.date == .dotted && stored.hours == .all && stored.numbers == .space)
        #expect(stored.firstDay == .sunday)
    }
}
