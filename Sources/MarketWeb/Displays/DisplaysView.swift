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

/// `/displays/tile` on the home page: the displays whose screens have stopped.
struct DisplaysTileView: Sendable {
    static let kind = TileKind("displays", "Displays in trouble")

    let rows: [DisplayRow]
    let silentCount: Int
    private let all: Int
    private let unopened: Int
    private let sentences: [String]

    init(all displays: [DisplayRow], limit: Int = TileScope().rows) {
        let silent = displays.filter(\.isSilent)
        rows = Array(silent.prefix(limit))
        (silentCount, all) = (silent.count, displays.count)
        unopened = displays.count(where: \.isWaiting)
        sentences =
            silent.count == 1
            ? ["The display “\(silent[0].name)” has stopped."]
            : silent.isEmpty ? [] : ["\(silent.count) displays have stopped."]
    }

    var tile: HomeTile { HomeTile(Self.kind, topics: ["displays"], self, sentences: sentences) }

    var hasRows: Bool { !rows.isEmpty }
    var hasDisplays: Bool { all > 0 }
    var moreSilent: Int? { silentCount > rows.count ? silentCount - rows.count : nil }
    /// "3 displays are on.", "2 of 3 displays are on. 1 was never opened."
    var state: String {
        let on = all - silentCount - unopened
        guard unopened > 0 else { return CountText.of(all, "display") + (all == 1 ? " is on." : " are on.") }
        return "\(on) of \(CountText.of(all, "display")) \(on == 1 ? "is" : "are") on. "
            + "\(unopened) \(unopened == 1 ? "was" : "were") never opened."
    }
}
