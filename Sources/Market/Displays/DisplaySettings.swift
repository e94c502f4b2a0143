package import Foundation
import RoostSupport

/// How a screen shows its coins; what a new display has is what the initialiser sets.
package struct DisplaySettings: Codable, Hashable, Sendable {
    /// What is shown of each coin.
    package enum Style: String, Codable, CaseIterable, Sendable {
        /// Price and change.
        case price
        /// Also the line of seven days.
        case line
        /// Also the market capitalisation.
        case cap
    }

    /// What the coins are ordered by; the raw value is the watchlist's name of the same order. Its others are of figures
    /// that a wall does not show.
    package enum Order: String, Codable, CaseIterable, Sendable {
        case mine, name, price, change, change7d, cap
    }

    /// The colours.
    package enum Theme: String, Codable, CaseIterable, Sendable {
        case dark, light
        /// Light by day (`DisplaySettings.day`), dark by night.
        case time
    }

    /// Which way up the page is; a page that the screen itself does not turn is turned by CSS.
    package enum Orientation: String, Codable, CaseIterable, Sendable {
        /// As the screen reports itself: never turned.
        case auto
        /// Turned by 90 degrees on a screen that reports portrait.
        case landscape
        /// Turned by 90 degrees on a screen that reports landscape.
        case portrait
        /// Likewise by 270 degrees: for a screen that was mounted the other way round.
        case portraitLeft = "portrait-left"
    }

    /// The language of the date, by its code in BCP 47.
    package enum Language: String, Codable, CaseIterable, Sendable {
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

    /// When the theme `time` is light.
    package static let day = HourRange(from: TimeOfDay(hour: 7), until: TimeOfDay(hour: 19))
    /// The most coins on a page.
    static let maximumPerPage = 24
    /// The coins on a page where `perPage` is 0.
    static let automaticPerPage = 8

    /// The watchlist; nil, and a list that is gone: the owner's first.
    package var listId: Int64?
    /// The coins that are shown, by their ids at CoinGecko; empty: all of the list.
    package var coins: [String]
    /// In which order; nil: as the owner has sorted the list.
    package var sort: Order?
    /// Coins on a page, 1 to 24; 0: as many as `automaticPerPage`.
    package var perPage: Int
    /// How long a page of coins stays when they do not fit on one, 5 to 3,600 s.
    package var secondsPerPage: Int
    package var style: Style
    /// "eur", "btc"; nil: the owner's, or else the server's.
    package var currency: String?
    package var theme: Theme
    /// By how many percent the page is darker in the dim hours, 0 to 90.
    package var dimming: Int
    /// When the page is dimmed. Equal ends: always.
    package var dimHours: HourRange
    /// When the page is black.
    package var blackHours: WeeklyHours
    package var orientation: Orientation
    package var language: Language
    package var showsClock: Bool
    /// A line of text over the coins, up to 200 characters; empty: none.
    package var headline: String
    /// Red for rising prices, as East Asian markets have it.
    package var redIsUp: Bool
    /// When the page reloads itself once a day, by the screen's clock; nil: never.
    package var reloadAt: TimeOfDay?

    package init(
        listId: Int64? = nil, coins: [String] = [], sort: Order? = nil, perPage: Int = 0,
        secondsPerPage: Int = 20,
        style: Style = .line, currency: String? = nil, theme: Theme = .dark, dimming: Int = 0,
        dimHours: HourRange = HourRange(from: TimeOfDay(hour: 22), until: TimeOfDay(hour: 7)),
        blackHours: WeeklyHours = .off, orientation: Orientation = .auto, language: Language = .english,
        showsClock: Bool = true, headline: String = "", redIsUp: Bool = false,
        reloadAt: TimeOfDay? = TimeOfDay(hour: 4)
    ) {
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

    /// Coins on a full page.
    package var coinsPerPage: Int { perPage == 0 ? Self.automaticPerPage : perPage }

    /// Throws `RoostError.invalid` with the name of the field that does not fit.
    package func checked() throws -> DisplaySettings {
        func require(_ isFine: Bool, _ field: String, _ why: String) throws {
            if !isFine { throw RoostError.invalid(field: field, why: why) }
        }
        try require(
            (5...3_600).contains(secondsPerPage), "secondsPerPage", "A page stays for 5 to 3,600 seconds.")
        try require(
            (0...Self.maximumPerPage).contains(perPage), "perPage",
            "A page has 1 to 24 coins, or 0 for as many as fit well.")
        try require((0...90).contains(dimming), "dimming", "A screen is dimmed by 0 to 90 percent.")
        try require(
            coins.count <= Self.maximumCoins && coins.allSatisfy(Self.isCoin)
                && Set(coins).count == coins.count,
            "coins", "Choose each coin once, 500 coins at most.")
        try require(
            currency.map(Self.isCurrency) ?? true, "currency",
            "A currency has 2 to 10 letters, such as eur.")
        try require(listId.map { $0 > 0 } ?? true, "list", "There is no such list.")
        var settings = self
        settings.headline = headline.trimmed
        try require(
            settings.headline.unicodeScalars.count <= 200 && settings.headline == settings.headline.sanitized,
            "headline", "A headline has 200 characters at most, in one line.")
        return settings
    }

    /// As many as a watchlist has.
    static let maximumCoins = 500

    private static func isCoin(_ id: String) -> Bool {
        (1...128).contains(id.utf8.count) && !id.unicodeScalars.contains { $0.properties.isWhitespace }
            && id == id.sanitized
    }

    static func isCurrency(_ code: String) -> Bool {
        (2...10).contains(code.utf8.count)
            && code.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
}
