import Foundation
import Market
import TextFormats

/// `/displays`: the wall screens, and the forms that add one.
struct DisplaysView: PageView, Sendable {
    let layout: LayoutView
    let list: DisplaysListView
    let newLink: DisplayLinkView?
    let pairing: PairFormView
    let typedName: String
    let error: String?

    /// - Parameters:
    ///   - newLink: the link of the display that has just been made
    ///   - pairing: the form for a screen that shows a code
    ///   - typedName: what was typed into a form that was refused
    ///   - error: why it was refused, a sentence
    init(
        layout: LayoutView, list: DisplaysListView, newLink: DisplayLinkView? = nil,
        pairing: PairFormView = PairFormView(displays: []), typedName: String = "", error: String? = nil
    ) {
        self.layout = layout
        self.list = list
        self.newLink = newLink
        self.pairing = pairing
        self.typedName = typedName
        self.error = error
    }
}

/// `/displays/list`: the part of the page that follows what is made, removed and seen elsewhere.
struct DisplaysListView: Sendable {
    let rows: [DisplayRow]

    var hasRows: Bool { !rows.isEmpty }
}

/// One wall screen.
struct DisplayRow: Sendable {
    enum State: String, Sendable {
        /// The link was never opened.
        case waiting
        /// The screen is polling.
        case live
        /// The screen was seen before, but does not poll now.
        case silent
    }

    let id: String
    let name: String
    let createdAt: Date
    let lastSeenAt: Date?
    let state: State
    let screen: ScreenReport?
    let now: Date

    /// - Parameter screen: what the screen said of itself
    init(
        id: String, name: String, createdAt: Date, lastSeenAt: Date?, state: State,
        screen: ScreenReport? = nil, now: Date
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.state = state
        self.screen = screen
        self.now = now
    }

    var displayId: String { PathSegment(id).description }
    var displayName: String { self.name }
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
            state: display.lastSeenAt == nil ? .waiting : display.isHere(at: now) ? .live : .silent,
            screen: display.screen, now: now)
    }
}

/// `/displays/tile`: the displays in brief, on the home page.
struct DisplaysTileView: Sendable {
    let rows: [DisplayRow]

    /// Its place on the home page.
    var tile: HomeTile {
        HomeTile("Displays", at: "/displays/tile", topics: ["displays"], self)
    }

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { rows.count }
}
