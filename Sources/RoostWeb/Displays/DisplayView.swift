import Foundation
import Market
import TextFormats

/// `/display` and `/display/TOKEN`: the wall, a page without navigation that survives days unattended.
struct DisplayView: WholePage, Sendable {
    let assets: String
    let version: String
    let cursor: String
    let address: String
    let isPreview: Bool
    let screen: DisplayScreenView

    /// - Parameters:
    ///   - assets, version, cursor: see `LayoutView`
    ///   - address: its path, "/display" for a paired screen or "/display/TOKEN"
    ///   - isPreview: shown small beside the display's settings; it neither polls nor turns its pages
    init(
        assets: String, version: String, cursor: String, address: String, isPreview: Bool = false,
        screen: DisplayScreenView
    ) {
        self.assets = assets
        self.version = version
        self.cursor = cursor
        self.address = address
        self.isPreview = isPreview
        self.screen = screen
    }

    var context: TemplateContext { TemplateContext(assets: assets) }

    /// How the page looks now, until its script goes on by the screen's clock: "still" until then. A preview is never
    /// black.
    var look: String {
        let schedule = screen.schedule
        return (isPreview ? "" : " still") + (schedule.isLight ? " light" : "")
            + (schedule.isBlack && !isPreview ? " black" : "") + " turn-\(screen.orientation)"
    }
    var ground: String { screen.schedule.isLight ? "#f7f6f3" : "#060809" }
    /// How dark the shade over the page is, from 0 to 1.
    var shade: String { "\(Double(screen.schedule.dimming) / 100)" }
    var language: String { screen.language }
    /// Seconds until a page whose script does not run is loaded again.
    var secondsUntilReload: Int { min(screen.secondsPerPage, 60) }
}

/// `/display/TOKEN/screen`: the live part of the wall.
struct DisplayScreenView: Sendable {
    let freshness: FreshnessView
    let cells: [DisplayCell]
    let settings: DisplaySettings
    let totals: DisplayTotals?
    let page: Int
    let zone: TimeZone
    let pages: [DisplayPage]
    let schedule: WallSchedule

    /// - Parameters:
    ///   - settings: of the display
    ///   - totals: of the list, where its owner shows them on walls
    ///   - page: which page is shown first, from 1; anything outside is the first
    ///   - zone: of the clock, until the screen's own takes over
    init(
        freshness: FreshnessView, cells: [DisplayCell], settings: DisplaySettings = DisplaySettings(),
        totals: DisplayTotals? = nil, page: Int = 1, zone: TimeZone = .current
    ) {
        self.freshness = freshness
        self.cells = cells
        self.settings = settings
        self.totals = totals
        self.zone = zone
        schedule = WallSchedule(settings, at: freshness.now, zone: zone)
        let count = (cells.count + settings.coinsPerPage - 1) / settings.coinsPerPage
        let shown = (1...max(count, 1)).contains(page) ? page : 1
        self.page = shown
        // Nine coins are five and four, not eight and one: pages differ by one coin at most.
        let (least, more) = cells.count.quotientAndRemainder(dividingBy: max(count, 1))
        pages = (0..<count).map { index in
            let start = index * least + min(index, more)
            let size = least + (index < more ? 1 : 0)
            return DisplayPage(
                Array(cells[start..<start + size]), number: index + 1, isShown: index + 1 == shown,
                hasLine: settings.style != .price)
        }
    }

    /// The number of the page after this one; after the last comes the first.
    var nextPage: Int { page % max(pages.count, 1) + 1 }

    var hasPages: Bool { pages.count > 1 }
    var hasCells: Bool { !cells.isEmpty }
    var hasLine: Bool { settings.style != .price }
    var hasCap: Bool { settings.style == .cap }
    var secondsPerPage: Int { settings.secondsPerPage }
    var showsClock: Bool { settings.showsClock }
    var headline: String? { settings.headline.isEmpty ? nil : settings.headline }
    var orientation: String { settings.orientation.rawValue }
    var language: String { settings.language.rawValue }
    var isOld: Bool { freshness.state == .stale }
    var serverTime: String { ISO8601.seconds(freshness.now) }
    var clock: String { RelativeTime.clock(freshness.now, zone: zone) }
    var today: String { Self.day(freshness.now, settings.language, zone: zone) }

    /// "Friday 20 November", in the display's language; `Public/js/display.js` writes the same.
    static func day(_ date: Date, _ language: DisplaySettings.Language, zone: TimeZone) -> String {
        guard language != .english else { return RelativeTime.weekday(date, zone: zone) }
        let style = Date.FormatStyle(locale: language.locale, timeZone: zone)
        return CivilDate.bounded(date).formatted(style.weekday(.wide).day().month(.wide))
    }
}

/// What the coins of a list are worth together, and how that has changed today.
struct DisplayTotals: Sendable {
    /// "$12,481.20"
    let value: String
    let change: ChangeText

    var totalValue: String { value }
}

/// One page of cells.
struct DisplayPage: Sendable {
    let cells: [DisplayCell]
    let number: Int
    let isShown: Bool
    private let prices: WallPrices
    private let layout: String

    init(_ cells: [DisplayCell], number: Int, isShown: Bool, hasLine: Bool) {
        let prices = WallPrices(cells.map(\.price))
        let classes = WallLayout.classes(count: cells.count, hasLine: hasLine)
        self.cells = cells.indices.map { index in
            var cell = cells[index]
            cell.place = classes.cells[index]
            cell.pad = prices.pads[index]
            return cell
        }
        self.number = number
        self.isShown = isShown
        self.prices = prices
        layout = classes.page
    }
    /// One size of price for the page, what its longest needs; and how its cells are arranged on every shape of screen.
    var size: String {
        let extra = prices.extraDigits > 0 ? " extra-\(prices.extraDigits)" : ""
        return "d\(prices.digits) m\(prices.marks)\(extra) \(layout)"
    }
}
