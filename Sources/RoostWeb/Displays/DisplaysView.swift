package import Foundation
import RoostServices

/// `/displays`: the wall screens, and the form that adds one.
package struct DisplaysView: PageView, Sendable {
    package let layout: LayoutView
    package let list: DisplaysListView
    package let newLink: NewLinkView?
    package let typedName: String
    package let error: String?

    /// - Parameters:
    ///   - newLink: the secret link that has just been made, shown once
    ///   - typedName: what was typed into a form that was refused
    ///   - error: why it was refused, a sentence
    package init(
        layout: LayoutView, list: DisplaysListView, newLink: NewLinkView? = nil, typedName: String = "",
        error: String? = nil
    ) {
        self.layout = layout
        self.list = list
        self.newLink = newLink
        self.typedName = typedName
        self.error = error
    }

    package static let sample = DisplaysView(layout: .sample, list: .sample, newLink: .sample)

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

/// A secret link, in full, to open on the screen.
package struct NewLinkView: Sendable {
    package let displayName: String
    package let reach: SharedLink

    package init(displayName: String, reach: SharedLink) {
        self.displayName = displayName
        self.reach = reach
    }

    package static let sample = NewLinkView(
        displayName: "Kitchen tablet",
        reach: SharedLink(
            address: "http://192.168.1.20:8080/display/q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eUoI5xTqVwZ4k"))

    var linkName: String { displayName }
    var link: String { reach.address }
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
    package let secondsPerPage: Int
    package let isRedUp: Bool
    package let error: String?
    package let isOpen: Bool
    package let now: Date

    /// - Parameters:
    ///   - secondsPerPage: how long a page of coins stays before the next
    ///   - isRedUp: rising prices are red, falling ones green, as in East Asia
    ///   - error: why its settings were refused, a sentence
    ///   - isOpen: its settings are unfolded
    package init(
        id: String, name: String, createdAt: Date, lastSeenAt: Date?, state: State, secondsPerPage: Int = 15,
        isRedUp: Bool = false, error: String? = nil, isOpen: Bool = false, now: Date
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.state = state
        self.secondsPerPage = secondsPerPage
        self.isRedUp = isRedUp
        self.error = error
        self.isOpen = isOpen
        self.now = now
    }

    package static let samples = [
        DisplayRow(
            id: "1", name: "Office wall", createdAt: .sample - 86_400 * 40, lastSeenAt: .sample - 9,
            state: .live,
            now: .sample),
        DisplayRow(
            id: "2", name: "Kitchen tablet", createdAt: .sample - 30, lastSeenAt: nil, state: .waiting,
            secondsPerPage: 30, now: .sample),
        DisplayRow(
            id: "3",
            name: "The very long name of a screen in the corridor beside the lift on the fourth floor",
            createdAt: .sample - 86_400 * 3, lastSeenAt: .sample - 86_400 * 2, state: .silent, isRedUp: true,
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
    var displayError: String? { error }
}
