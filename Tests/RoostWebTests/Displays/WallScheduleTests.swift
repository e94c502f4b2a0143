import Foundation
import Testing

@testable import Market
@testable import MarketWeb
@testable import RoostWeb

/// The parts of a wall that depend on the time. The sample's time is Thursday 20 November 2025, 09:41 UTC.
@Suite struct WallScheduleTests {
    private static let night = HourRange(from: TimeOfDay(hour: 22), until: TimeOfDay(hour: 7))

    @Test(arguments: [
        (DisplaySettings.Theme.dark, 0, false), (.light, 0, true), (.time, 0, true), (.time, -3, false),
        (.time, 9, true), (.time, 10, false),
    ])
    func `a theme is dark, light, or light from seven to seven`(
        theme: DisplaySettings.Theme, hours: Int, isLight: Bool
    ) throws {
        let text = try page(DisplaySettings(theme: theme), hours: hours)
        #expect(classes(text).contains("light") == isLight)
        #expect(text.contains(isLight ? "content=\"#f7f6f3\"" : "content=\"#060809\""))
    }

    @Test(arguments: [(0, "0.0"), (12, "0.0"), (13, "0.4"), (-3, "0.4"), (-2, "0.0")])
    func `a page is dimmed in its dim hours, including over midnight`(hours: Int, opacity: String) throws {
        let text = try page(DisplaySettings(dimming: 40, dimHours: Self.night), hours: hours)
        #expect(text.contains("fill-opacity=\"\(opacity)\""))
    }

    @Test func `equal start and end dim a page at all hours`() throws {
        let always = HourRange(from: TimeOfDay(hour: 3), until: TimeOfDay(hour: 3))
        for hours in [0, 9, 18] {
            let text = try page(DisplaySettings(dimming: 90, dimHours: always), hours: hours)
            #expect(text.contains("fill-opacity=\"0.9\""), "\(hours)")
        }
    }

    /// The black hours begin on Thursday.
    @Test(arguments: [(12, false), (13, true), (21, true), (22, false), (-3, false), (13 + 24, false)])
    func `a page is black in the hours of its weekday and until the next morning`(hours: Int, isBlack: Bool)
        throws
    {
        let settings = DisplaySettings(blackHours: WeeklyHours([nil, nil, nil, Self.night]))
        let text = try page(settings, hours: hours)
        #expect(classes(text).contains("black") == isBlack)
    }

    @Test func `a preview is never black`() throws {
        let settings = DisplaySettings(blackHours: WeeklyHours([nil, nil, nil, Self.night]))
        let text = try page(settings, hours: 13, isPreview: true)
        #expect(!classes(text).contains("black"))
    }

    @Test func `the page contains its hours for the screen's own clock`() throws {
        let settings = DisplaySettings(
            theme: .time, dimming: 40, dimHours: Self.night,
            blackHours: WeeklyHours([Self.night, nil]), reloadAt: TimeOfDay(hour: 4, minute: 30))
        let text = try schedule(settings)
        #expect(
            text
                == "{\"black\":[[1320,420],null,null,null,null,null,null],\"day\":[420,1140],"
                + "\"dim\":[1320,420],\"dimming\":40,\"reload\":270,\"theme\":\"time\"}")
    }

    @Test func `hours that never occur are left out`() throws {
        let text = try schedule(DisplaySettings(reloadAt: nil))
        #expect(text == "{\"day\":[420,1140],\"theme\":\"dark\"}")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?.count == 2)
    }

    @Test(arguments: DisplaySettings.Orientation.allCases)
    func `a page has its orientation`(orientation: DisplaySettings.Orientation) throws {
        let text = try page(DisplaySettings(orientation: orientation))
        #expect(classes(text).contains("turn-\(orientation.rawValue)"))
        #expect(text.contains("data-turn=\"\(orientation.rawValue)\""))
    }

    @Test(arguments: [
        (DisplaySettings.Language.english, "Thursday 20 November"), (.german, "Donnerstag, 20. November"),
        (.french, "jeudi 20 novembre"), (.spanish, "jueves, 20 de noviembre"),
    ])
    func `the date is in the display's language`(language: DisplaySettings.Language, day: String) {
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: [], settings: DisplaySettings(language: language), zone: .gmt))
        #expect(text.contains("data-today lang=\"\(language.rawValue)\">\(day)</p>"))
    }

    @Test(arguments: DisplaySettings.Language.allCases)
    func `the date includes the day in every language`(language: DisplaySettings.Language) throws {
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: [], settings: DisplaySettings(language: language), zone: .gmt))
        let start = try #require(text.range(of: "data-today lang=\"\(language.rawValue)\">"))
        #expect(text[start.upperBound...].prefix { $0 != "<" }.contains("20"))
    }

    @Test func `the date is that of the time zone`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 15 * 3_600))
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: [], settings: DisplaySettings(language: .french), zone: zone))
        #expect(text.contains(">vendredi 21 novembre</p>"))
    }

    @Test func `the clock can be hidden, with the date`() {
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: [], settings: DisplaySettings(showsClock: false)))
        #expect(!text.contains("data-clock") && !text.contains("data-today"))
    }

    @Test func `a headline is shown above the coins, escaped`() {
        let settings = DisplaySettings(headline: "Party <b>today</b>")
        let text = rendered(
            DisplayScreenView(freshness: .sample, cells: wallCells(1), settings: settings))
        #expect(text.contains("<p class=\"headline\">Party &lt;b&gt;today&lt;/b&gt;</p>"))
        let plain = rendered(DisplayScreenView(freshness: .sample, cells: wallCells(1)))
        #expect(!plain.contains("headline"))
    }

    @Test(arguments: [
        (DisplaySettings.Style.price, false, false), (.line, true, false), (.cap, true, true),
    ])
    func `a style shows the price, adds the line, or adds the market cap`(
        style: DisplaySettings.Style, hasLine: Bool, hasCap: Bool
    ) {
        let cell = DisplayCell(
            coinId: "a", name: "A", symbol: "a", price: 3, change: -1, week: [1, 2],
            marketCap: 1_382_000_000_000)
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: [cell], settings: DisplaySettings(style: style)))
        #expect(text.contains("class=\"spark") == hasLine)
        #expect(text.contains("7-day line") == hasLine)
        #expect(text.contains("$1.38T") == hasCap)
        #expect(text.contains("· market cap") == hasCap)
        #expect(text.contains("24 h change"))
    }

    @Test func `an unknown market cap is shown as unknown`() {
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: wallCells(1), settings: DisplaySettings(style: .cap)))
        #expect(text.contains("<p class=\"cap\">–</p>"))
    }

    @Test func `totals are shown only if they are provided`() {
        let totals = DisplayTotals(value: "$12,481.20", change: ChangeText(2))
        let text = rendered(DisplayScreenView(freshness: .sample, cells: wallCells(1), totals: totals))
        #expect(text.contains("<p class=\"total\">$12,481.20 <span class=\"change up\">"))
        #expect(
            !rendered(DisplayScreenView(freshness: .sample, cells: wallCells(1))).contains("class=\"total\""))
    }

    private func page(
        _ settings: DisplaySettings, hours: Int = 0, isPreview: Bool = false
    ) throws -> String {
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        let freshness = FreshnessView(
            state: .live, source: "CoinGecko", now: FreshnessView.sample.now + Double(hours) * 3_600)
        return rendered(
            DisplayView(
                assets: "/static/x", version: "1", cursor: "c", address: "/display/tok",
                isPreview: isPreview,
                screen: DisplayScreenView(
                    freshness: freshness, cells: wallCells(1), settings: settings, zone: zone)))
    }

    /// The classes of the page's root element.
    private func classes(_ text: String) -> [Substring] {
        let start = text.components(separatedBy: "<html lang=\"en\" class=\"").dropFirst().first ?? ""
        return start.prefix { $0 != "\"" }.split(separator: " ")
    }

    private func schedule(_ settings: DisplaySettings) throws -> String {
        let text = try page(settings)
        let start = try #require(text.range(of: "data-schedule=\""))
        return text[start.upperBound...].prefix { $0 != "\"" }.replacingOccurrences(of: "&quot;", with: "\"")
    }
}
