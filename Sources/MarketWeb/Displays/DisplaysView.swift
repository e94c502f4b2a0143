import Foundation
import Market
import RoostWeb
import TextFormats

struct DisplaysView: PageView, Sendable {
    static let scripts = ["displays"]

    let layout: LayoutView
    let list: DisplaysListView
    var newLink: DisplayLinkView?
    var pairing = PairFormView(displays: [])
    var typedName = ""
    var error: String?
}

/// `/displays/list`: the live part of the page.
struct DisplaysListView: Sendable {
    let rows: [DisplayRow]

    var hasRows: Bool { !rows.isEmpty }
}

struct DisplayRow: Sendable {
    enum State: String, Sendable {
        /// The link was never opened.
        case waiting
        /// The screen is polling.
        case live
        /// The screen has stopped polling.
        case silent
    }

    let id: String
    let name: String
    let createdAt: Date
    let lastSeenAt: Date?
    let state: State
    var screen: ScreenReport?
    let now: Date

    var displayId: String { PathSegment(id).description }
    var created: String { ISO8601.seconds(createdAt) }
    var createdDay: String { RelativeTime.day(createdAt) }
    var seen: String? { lastSeenAt.map(ISO8601.seconds) }
    var seenAgo: String? { lastSeenAt.map { RelativeTime.ago($0, now: now) } }
    var isWaiting: Bool { state == .waiting }
    var isDisplayLive: Bool { state == .live }
    var isSilent: Bool { state == .silent }
}

extension DisplayRow {
    init(_ display: Display, now: Date) {
        self.init(
            id: "\(display.id)", name: display.name, createdAt: display.createdAt,
            lastSeenAt: display.lastSeenAt,
            state: display.lastSeenAt == nil ? .waiting : display.isOnline(at: now) ? .live : .silent,
            screen: display.screen, now: now)
    }
}

/// `/displays/tile` on the home page.
struct DisplaysTileView: Sendable {
    let rows: [DisplayRow]

    var tile: HomeTile {
        HomeTile("Displays", at: "/displays/tile", topics: ["displays"], self)
    }

    var hasRows: Bool { !rows.isEmpty }
}
