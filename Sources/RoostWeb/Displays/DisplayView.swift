package import Foundation
import RoostServices

/// `/display/TOKEN`: the wall, a page without navigation that survives days unattended.
package struct DisplayView: WholePage, Sendable {
    package let assets: String
    package let version: String
    package let cursor: String
    package let token: String
    package let screen: DisplayScreenView

    /// - Parameters:
    ///   - assets, version, cursor: see `LayoutView`
    ///   - token: the secret of its address
    package init(
        assets: String, version: String, cursor: String, token: String, screen: DisplayScreenView
    ) {
        self.assets = assets
        self.version = version
        self.cursor = cursor
        self.token = token
        self.screen = screen
    }

    package static let sample = DisplayView(
        assets: LayoutView.sample.assets, version: LayoutView.sample.version, cursor: "boot.7",
        token: "q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eUoI5xTqVwZ4k", screen: .sample)

    package var context: TemplateContext { TemplateContext(assets: assets) }
}

/// `/display/TOKEN/screen`: the live part of the wall.
package struct DisplayScreenView: Sendable {
    /// The most coins on one page.
    package static let cellsPerPage = 8

    package let freshness: FreshnessView
    package let cells: [DisplayCell]
    package let secondsPerPage: Int
    package let isRedUp: Bool
    package let page: Int
    package let zone: TimeZone
    let pages: [DisplayPage]

    /// - Parameters:
    ///   - secondsPerPage: how long a page stays before the next
    ///   - isRedUp: rising prices are red, falling ones green
    ///   - page: which page is shown first, from 1; anything outside is the first
    ///   - zone: of the clock, until the screen's own takes over
    package init(
        freshness: FreshnessView, cells: [DisplayCell], secondsPerPage: Int = 15, isRedUp: Bool = false,
        page: Int = 1,
        zone: TimeZone = .current
    ) {
        self.freshness = freshness
        self.cells = cells
        self.secondsPerPage = secondsPerPage
        self.isRedUp = isRedUp
        self.zone = zone
        let count = (cells.count + Self.cellsPerPage - 1) / Self.cellsPerPage
        let shown = (1...max(count, 1)).contains(page) ? page : 1
        self.page = shown
        // Nine coins are five and four, not eight and one. All pages have the same shape, so that cells keep their
        // size when the page turns.
        let size = (cells.count + count - 1) / max(count, 1)
        pages = (0..<count).map { index in
            DisplayPage(
                cells: Array(cells[index * size..<min((index + 1) * size, cells.count)]), shape: size,
                number: index + 1, isShown: index + 1 == shown)
        }
    }

    /// The number of the page after this one; after the last comes the first.
    package var nextPage: Int { page % max(pages.count, 1) + 1 }

    package static let sample = DisplayScreenView(freshness: .sample, cells: DisplayCell.samples)

    var hasPages: Bool { pages.count > 1 }
    var hasCells: Bool { !cells.isEmpty }
    var isOld: Bool { freshness.state == .stale }
    var serverTime: String { ISO8601.seconds(freshness.now) }
    var clock: String { RelativeTime.clock(freshness.now, zone: zone) }
    var today: String { RelativeTime.weekday(freshness.now, zone: zone) }
}

/// One page of cells.
struct DisplayPage {
    let cells: [DisplayCell]
    let shape: Int
    let number: Int
    let isShown: Bool

    var pageNumber: Int { number }
}
