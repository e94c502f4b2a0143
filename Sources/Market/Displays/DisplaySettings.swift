package import Foundation
package import RoostSupport

/// How a screen shows its coins. The initialiser's defaults are those of a new display.
package struct DisplaySettings: Codable, Hashable, Sendable {
    package enum Style: String, Codable, CaseIterable, Sendable, ColumnValue {
        /// Price and change.
        case price
        /// Also the seven-day line.
        case line
        /// Also the market capitalisation.
        case cap
    }

    /// A kind of pages.
    package enum PageKind: String, Codable, CaseIterable, Sendable {
        case coins
        /// The pull requests that wait for the team.
        case pulls
        /// What changed since yesterday.
        case today
        /// The headline alone, large.
        case headline
    }

    /// What of the owner's own page `/today` the screen may also show. Raw values are the features' keys.
    package enum TodayPart: String, Codable, CaseIterable, Sendable {
        case alerts, bookmarks, reading
    }

    /// The order of the coins. Raw values equal those of the watchlist's orders; orders by figures that a wall does not
    /// show are missing.
    package enum Order: String, Codable, CaseIterable, Sendable, ColumnValue {
        case mine, name, price, change, change7d, cap
    }

    package enum Theme: String, Codable, CaseIterable, Sendable, ColumnValue {
        case dark, light
        /// Light by day (`DisplaySettings.day`), dark by night.
        case time
    }

    /// The orientation of the page. If the screen itself does not rotate the page, CSS does.
    package enum Orientation: String, Codable, CaseIterable, Sendable, ColumnValue {
        /// As the screen reports; never rotated.
        case auto
        /// Rotated by 90 degrees on a screen that reports portrait.
        case landscape
        /// Rotated by 90 degrees on a screen that reports landscape.
        case portrait
        /// Like `portrait` but rotated by 270 degrees, for a screen mounted the other way round.
        case portraitLeft = "portrait-left"
    }

    /// The language of the date, by its BCP 47 code.
    package enum Language: String, Codable, CaseIterable, Sendable, ColumnValue {
        case english = "en"
        case german = "de"
        case french = "fr"
        case spanish = "es"
        case italian = "it"
        case portuguese = "pt"
        case dutch = "nl"
        case danish = "da"
        case norwegian = "nb"
        case swedish = "sv"
        case finnish = "fi"
        case polish = "pl"
        case czech = "cs"
        case turkish = "tr"
        case ukrainian = "uk"
        case japanese = "ja"
        case korean = "ko"
        case chinese = "zh"

        package var locale: Locale { Locale(identifier: rawValue) }
    }

    package static let day = HourRange(from: TimeOfDay(hour: 7), until: TimeOfDay(hour: 19))
    package static let maximumPerPage = 24
    package static let (possibleSeconds, possibleDimming) = (5...3_600, 0...90)
    /// In code points.
    package static let maximumHeadline = 200
    static let automaticPerPage = 8

    /// The kinds of pages that the screen shows in turn: each once, in the order of the cases, at least one.
    package var pages: [PageKind]
    /// Empty unless the owner allows everyone to see them.
    package var todayParts: [TodayPart]
    /// The watchlist. Nil, or a list that is gone, means the owner's first.
    package var listId: Int64?
    /// The CoinGecko ids of the coins to show; empty for all of the list.
    package var coins: [String]
    /// Nil for the list's own order.
    package var sort: Order?
    /// Coins on a page, 1 to 24; 0 for `automaticPerPage`.
    package var perPage: Int
    /// How long each page is shown if there are several, 5 to 3,600 s.
    package var secondsPerPage: Int
    package var style: Style
    /// "eur", "btc"; nil for the owner's currency, or else the server's.
    package var currency: String?
    package var theme: Theme
    /// How much darker the page is in the dim hours, 0 to 90 percent.
    package var dimming: Int
    /// When the page is dimmed; always, if both ends are equal.
    package var dimHours: HourRange
    package var blackHours: WeeklyHours
    package var orientation: Orientation
    package var language: Language
    package var showsClock: Bool
    /// A line of text, up to 200 characters; above all pages, or as a page of its own (`PageKind.headline`).
    package var headline: String
    /// Shows rising prices in red, as East Asian markets do.
    package var redIsUp: Bool
    /// When the page reloads each day, by the screen's clock; nil for never.
    package var reloadAt: TimeOfDay?

    package init(
        pages: [PageKind] = [.coins], todayParts: [TodayPart] = [], listId: Int64? = nil,
        coins: [String] = [], sort: Order? = nil,
        perPage: Int = 0,
        secondsPerPage: Int = 20,
        style: Style = .line, currency: String? = nil, theme: Theme = .dark, dimming: Int = 0,
        dimHours: HourRange = HourRange(from: TimeOfDay(hour: 22), until: TimeOfDay(hour: 7)),
        blackHours: WeeklyHours = .off, orientation: Orientation = .auto, language: Language = .english,
        showsClock: Bool = true, headline: String = "", redIsUp: Bool = false,
        reloadAt: TimeOfDay? = TimeOfDay(hour: 4)
    ) {
        self.pages = pages
        self.todayParts = todayParts
        self.listId = listId
        self.coins = coins
        self.sort = sort
        self.perPage = perPage
        self.secondsPerPage = secondsPerPage
        self.style = style
        self.currency = currency
        self.theme = theme
        self.dimming = dimming
        self.dimHours = dimHours
        self.blackHours = blackHours
        self.orientation = orientation
        self.language = language
        self.showsClock = showsClock
        self.headline = headline
        self.redIsUp = redIsUp
        self.reloadAt = reloadAt
    }

    package var coinsPerPage: Int { perPage == 0 ? Self.automaticPerPage : perPage }

    /// Returns the validated settings. Throws `RoostError.invalid` with the name of the invalid field.
    package func checked() throws -> DisplaySettings {
        func require(_ isValid: Bool, _ field: String, _ why: String) throws {
            if !isValid { throw RoostError.invalid(field: field, why: why) }
        }
        try require(
            Self.possibleSeconds.contains(secondsPerPage), "secondsPerPage", "Enter 5 to 3,600 seconds.")
        try require(
            (0...Self.maximumPerPage).contains(perPage), "perPage",
            "Enter 1 to 24 coins, or 0 for automatic.")
        try require(Self.possibleDimming.contains(dimming), "dimming", "Enter 0 to 90 percent.")
        try require(
            coins.count <= Self.maximumCoins && coins.allSatisfy(Self.isCoin)
                && Set(coins).count == coins.count,
            "coins", "Choose each coin once, and at most 500 coins.")
        try require(
            currency.map(Self.isCurrency) ?? true, "currency",
            "Enter a currency code of 2 to 10 letters, such as eur.")
        try require(listId.map { $0 > 0 } ?? true, "list", "There is no such list.")
        var settings = self
        settings.pages = PageKind.allCases.filter(pages.contains)
        try require(!settings.pages.isEmpty, "pages", "Choose at least one kind of page.")
        settings.todayParts = TodayPart.allCases.filter(todayParts.contains)
        settings.headline = headline.trimmed
        try require(
            settings.headline.unicodeScalars.count <= Self.maximumHeadline
                && settings.headline == settings.headline.sanitized,
            "headline", "Enter one line of at most 200 characters.")
        try require(
            !settings.headline.isBlank || !settings.pages.contains(.headline), "headline",
            "Enter a headline, or turn off the headline page.")
        return settings
    }

    package static let maximumCoins = 500

    private static func isCoin(_ id: String) -> Bool {
        (1...128).contains(id.utf8.count) && !id.unicodeScalars.contains { $0.properties.isWhitespace }
            && id == id.sanitized
    }

    static func isCurrency(_ code: String) -> Bool {
        (2...10).contains(code.utf8.count)
            && code.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
}

extension DisplaySettings: ColumnRecord {
    package init() { self.init(listId: nil) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        var hours = blackHours.isOff ? nil : blackHours
        var kinds = pages.map(\.rawValue).joined(separator: ",")
        try columns.column("pages", &kinds)
        try columns.column("today_parts", &todayParts)
        try columns.column("list_id", &listId)
        try columns.column("coins", &coins)
        try columns.column("sort", &sort)
        try columns.column("per_page", &perPage)
        try columns.column("seconds_per_page", &secondsPerPage)
        try columns.column("style", &style)
        try columns.column("currency", &currency)
        try columns.column("theme", &theme)
        try columns.column("dimming", &dimming)
        try columns.column("dim_from", &dimHours.from)
        try columns.column("dim_until", &dimHours.until)
        try columns.column("black_hours", &hours)
        try columns.column("orientation", &orientation)
        try columns.column("language", &language)
        try columns.column("shows_clock", &showsClock)
        try columns.column("headline", &headline)
        try columns.column("red_is_up", &redIsUp)
        try columns.column("reload_at", &reloadAt)
        blackHours = hours ?? .off
        pages = kinds.splitBytes(at: ",").compactMap { PageKind(rawValue: String($0)) }
        // Of a damaged row; a wall could not show it.
        if pages.isEmpty { pages = [.coins] }
        perPage = min(max(perPage, 0), Self.maximumPerPage)
        secondsPerPage = min(max(secondsPerPage, 5), 3_600)
    }
}
