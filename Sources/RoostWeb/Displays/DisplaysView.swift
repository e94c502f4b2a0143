package import Foundation
package import Market
import TextFormats

/// `/displays`: the wall screens, and the forms that add one.
package struct DisplaysView: PageView, Sendable {
    package let layout: LayoutView
    package let list: DisplaysListView
    package let newLink: DisplayLinkView?
    package let pairing: PairFormView
    package let typedName: String
    package let error: String?

    /// - Parameters:
    ///   - newLink: the link of the display that has just been made
    ///   - pairing: the form for a screen that shows a code
    ///   - typedName: what was typed into a form that was refused
    ///   - error: why it was refused, a sentence
    package init(
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

    package static let sample = DisplaysView(
        layout: .sample, list: .sample, newLink: .sample,
        pairing: PairFormView(code: "K7Q-M2X", displays: [(id: "1", name: "Office wall")]))

    var createError: String? { error }
}

/// `/displays/list`: the part of the page that follows what is made, removed and seen elsewhere.
package struct DisplaysListView: Sendable {
    let rows: [DisplayRow]

    package init(rows: [DisplayRow]) {
        self.rows = rows
    }

    package static let sample = DisplaysListView(rows: DisplayRow.samples)

    var hasRows: Bool { !rows.isEmpty }
}

/// One wall screen.
package struct DisplayRow: Sendable {
    package enum State: String, Sendable {
        /// The link was never opened.
        case waiting
        /// The screen is polling.
        case live
        /// The screen was seen before, but does not poll now.
        case silent
    }

    package let id: String
    package let name: String
    package let createdAt: Date
    package let lastSeenAt: Date?
    package let state: State
    package let screen: ScreenReport?
    package let now: Date

    /// - Parameter screen: what the screen said of itself
    package init(
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

    package static let samples = [
        DisplayRow(
            id: "1", name: "Office wall", createdAt: .sample - 86_400 * 40, lastSeenAt: .sample - 9,
            state: .live,
            screen: ScreenReport(version: "0.1.0-0123abcd", address: "192.168.1.31", reloads: 12),
            now: .sample),
        DisplayRow(
            id: "2", name: "Kitchen tablet", createdAt: .sample - 30, lastSeenAt: nil, state: .waiting,
            now: .sample),
        DisplayRow(
            id: "3",
            name: "The very long name of a screen in the corridor beside the lift on the fourth floor",
            createdAt: .sample - 86_400 * 3, lastSeenAt: .sample - 86_400 * 2, state: .silent,
            now: .sample),
    ]

    var displayId: String { PathSegment(id).description }
    var displayName: String { self.name }
    var created: String { ISO8601.seconds(createdAt) }
    var createdDay: String { RelativeTime.day(createdAt) }
    var seen: String? { lastSeenAt.map(ISO8601.seconds) }
    var seenAgo: String? { lastSeenAt.map { RelativeTime.ago($0, now: now) } }
    var displayState: String { state.rawValue }
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
