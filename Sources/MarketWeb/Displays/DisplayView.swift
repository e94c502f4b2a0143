import Foundation
import Market
import RoostWeb
import TextFormats

/// `/display` and `/display/TOKEN`: the wall, a page without navigation that runs unattended for days.
struct DisplayView: WholePage, Sendable {
    /// See `LayoutView` for the first three.
    let assets, version, cursor: String
    /// "/display" for a paired screen, or "/display/TOKEN".
    let address: String
    /// A small, static copy next to the display's settings; it neither polls nor turns pages.
    var isPreview = false
    let screen: DisplayScreenView

    var context: TemplateContext { TemplateContext(assets: assets) }

    /// The initial classes of the page; "still" until its script starts. A preview is never black.
    var pageClasses: String {
        let schedule = screen.schedule
        return (isPreview ? "" : " still") + (schedule.isLight ? " light" : "")
            + (schedule.isBlack && !isPreview ? " black" : "")
            + " turn-\(screen.settings.orientation.rawValue)"
    }
    var backgroundColor: String { screen.schedule.isLight ? "#f7f6f3" : "#060809" }
    /// The opacity of the dimming layer, from 0 to 1.
    var dimmingOpacity: String { "\(Double(screen.schedule.dimming) / 100)" }
    /// A page without a running script reloads itself after this time.
    var secondsUntilReload: Int { min(screen.settings.secondsPerPage, 60) }
}

/// `/display/TOKEN/screen`: the live part of the wall.
struct DisplayScreenView: Sendable {
    /// Nil if the screen shows only a headline.
    let freshness: FreshnessView?
    let cells: [DisplayCell]
    let settings: DisplaySettings
    let totals: DisplayTotals?
    let page: Int
    let zone: TimeZone
    let pages: [DisplayPage]
    let schedule: WallSchedule
    private let now: Date
    private let pulls: WallPullList?

    /// - Parameters:
    ///   - pulls: nil unless the screen shows the team's pull requests
    ///   - changes: what changed since yesterday; nil unless the screen shows it
    ///   - totals: nil unless the list shows them on walls
    ///   - page: the first page to show, from 1; numbers out of range mean 1
    ///   - zone: of the clock, until the script uses the screen's own
    init(
        freshness: FreshnessView?, cells: [DisplayCell], pulls: WallPullList? = nil,
        changes: [TodayLine]? = nil, settings: DisplaySettings = DisplaySettings(),
        totals: DisplayTotals? = nil, page: Int = 1, zone: TimeZone = .current, now: Date? = nil
    ) {
        let now = now ?? freshness?.now ?? .now
        self.freshness = freshness
        self.cells = cells
        self.pulls = pulls
        self.settings = settings
        self.totals = totals
        self.zone = zone
        self.now = now
        schedule = WallSchedule(settings, at: now, zone: zone)
        let (waiting, changes) = (pulls?.pulls ?? [], changes ?? [])
        var pages = Self.evenRanges(of: cells.count, most: settings.coinsPerPage).map {
            DisplayPage(Array(cells[$0]), hasLine: settings.style != .price)
        }
        pages += Self.evenRanges(of: waiting.count, most: Self.linesPerPage).map { range in
            DisplayPage(
                waiting[range].map { WallPullRow(pull: $0, now: now) },
                heading: WallHeading(
                    CountText.of(waiting.count, "waiting pull request"), updatedAt: pulls?.updatedAt,
                    problem: pulls?.problem, now: now))
        }
        pages += Self.evenRanges(of: changes.count, most: Self.linesPerPage).map { range in
            DisplayPage(
                changes[range].map(WallChangeRow.init),
                heading: WallHeading("\(CountText.of(changes.count, "change")) since yesterday", now: now))
        }
        if settings.pages.contains(.headline), !settings.headline.isEmpty {
            pages.append(DisplayPage(headline: settings.headline))
        }
        self.page = (1...max(pages.count, 1)).contains(page) ? page : 1
        for index in pages.indices {
            pages[index].number = index + 1
            pages[index].isShown = index + 1 == self.page
        }
        self.pages = pages
    }

    /// The largest number of pull requests or changes on a page that can be read from three metres.
    private static let linesPerPage = 6

    /// Balances pages: nine coins become five and four, not eight and one.
    private static func evenRanges(of count: Int, most: Int) -> [Range<Int>] {
        let pages = (count + most - 1) / most
        let (least, more) = count.quotientAndRemainder(dividingBy: max(pages, 1))
        return (0..<pages).map { index in
            let start = index * least + min(index, more)
            return start..<start + least + (index < more ? 1 : 0)
        }
    }

    var nextPage: Int { page % max(pages.count, 1) + 1 }

    var hasPages: Bool { pages.count > 1 }
    var title: String {
        switch settings.pages.first {
        case .coins, nil: "Prices"
        case .pulls: "Waiting pull requests"
        case .today: "Today"
        case .headline: "Headline"
        }
    }
    var hasCells: Bool { !cells.isEmpty }
    /// Says why there are no pages.
    var emptyText: String? {
        guard pages.isEmpty else { return nil }
        if settings.pages.contains(.coins) {
            return "The watchlist is empty. Coins appear here as soon as they are added."
        }
        if settings.pages.contains(.pulls), let pulls { return pulls.emptyText }
        return "Nothing has changed since yesterday."
    }
    var hasLine: Bool { settings.style != .price }
    var hasCap: Bool { settings.style == .cap }
    /// The line above the pages.
    var headline: String? {
        settings.headline.isEmpty || settings.pages.contains(.headline) ? nil : settings.headline
    }
    var isOld: Bool { freshness?.state == .stale }
    var serverTime: String { ISO8601.seconds(now) }
    var clock: String { RelativeTime.clock(now, zone: zone) }
    var today: String { Self.day(now, settings.language, zone: zone) }

    /// Returns for example "Friday 20 November". `Public/js/display.js` formats it the same way: change both.
    static func day(_ date: Date, _ language: DisplaySettings.Language, zone: TimeZone) -> String {
        guard language != .english else { return RelativeTime.weekday(date, zone: zone) }
        let style = Date.FormatStyle(locale: language.locale, timeZone: zone)
        return CivilDate.bounded(date).formatted(style.weekday(.wide).day().month(.wide))
    }
}

/// The total value of a list's coins and its change today.
struct DisplayTotals: Sendable {
    /// For example "$12,481.20".
    let value: String
    let change: ChangeText
}

/// A page of coins, pull requests or changes, or the headline.
struct DisplayPage: Sendable {
    private(set) var cells: [DisplayCell] = []
    private(set) var pulls: [WallPullRow] = []
    private(set) var changes: [WallChangeRow] = []
    private(set) var announcement: String?
    /// Set by the screen, from 1.
    var number = 1
    var isShown = false
    /// Nil on a page of coins or with the headline.
    private(set) var heading: WallHeading?
    /// Classes for the price size, which fits the page's longest price, and for the layout on each screen shape; or for
    /// the kind of page.
    let size: String

    init(_ cells: [DisplayCell], hasLine: Bool) {
        let prices = WallPrices(cells.map(\.price))
        let classes = WallLayout.classes(count: cells.count, hasLine: hasLine)
        self.cells = cells.indices.map { index in
            var cell = cells[index]
            cell.layoutClasses = classes.cells[index]
            cell.pad = prices.pads[index]
            return cell
        }
        let extra = prices.extraDigits > 0 ? " extra-\(prices.extraDigits)" : ""
        size = "d\(prices.digits) m\(prices.marks)\(extra) \(classes.page)"
    }

    init(_ pulls: [WallPullRow], heading: WallHeading) {
        self.pulls = pulls
        self.heading = heading
        size = "lines"
    }

    init(_ changes: [WallChangeRow], heading: WallHeading) {
        self.changes = changes
        self.heading = heading
        size = "lines changes"
    }

    init(headline: String) {
        announcement = headline
        let length =
            switch headline.count {
            case ...40: "short"
            case ...100: "medium"
            default: "long"
            }
        size = "announcement \(length)"
    }
}
