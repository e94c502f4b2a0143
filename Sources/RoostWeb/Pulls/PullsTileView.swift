import Foundation
import GitHub

/// `/pulls/tile`: what waits for the reader, in brief, on the home page.
struct PullsTileView: Sendable {
    /// More rows than this are not shown.
    static let limit = 5

    let rows: [PullRow]
    let waiting: Int
    let freshness: FreshnessView?
    private let trouble: String?
    let tileAuthorization: String?
    let isTrying: Bool
    private let knowledge: InboxLoadState?

    /// - Parameters:
    ///   - rows: the first of those whose turn it is; at most `limit` are shown
    ///   - sources: the one that is worst off speaks for all; none: nothing is connected
    init(rows: [PullRow], waiting: Int, sources: [InboxSource], now: Date) {
        self.rows = Array(rows.prefix(Self.limit))
        self.waiting = waiting
        knowledge = sources.isEmpty ? nil : InboxLoadState(sources)
        let worst =
            sources.first { $0.error != nil } ?? sources.first { $0.updatedAt == nil } ?? sources.first
        freshness = worst.map { FreshnessView($0, now: now) }
        trouble = worst?.error?.message(source: "GitHub")
        tileAuthorization = worst?.error?.authorizationURL
        isTrying = worst?.loading.isLoading ?? false
    }

    /// Its place on the home page.
    var tile: HomeTile {
        HomeTile(
            "Pull requests", at: "/pulls/tile", topics: ["pulls", "pictures"], self,
            step: FirstStep(
                "Connect GitHub", "See the pull requests that wait for you.", at: "/settings/github",
                topic: "pulls", isDone: isConnected))
    }

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { waiting }
    var more: Int? { waiting > rows.count ? waiting - rows.count : nil }
    var isConnected: Bool { freshness != nil }
    var isKnown: Bool { knowledge == .known }
    var isAsking: Bool { knowledge == .asking }
    var isSignedOut: Bool { knowledge == .signedOut }
    var tileTrouble: TimedText? { trouble.map(TimedText.init) }
}
