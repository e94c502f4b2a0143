import Foundation
import GitHub
import RoostWeb

/// `/pulls/tile` on the home page: the pull requests that wait for the reader.
struct PullsTileView: Sendable {
    static let limit = 5

    let rows: [PullRow]
    let waiting: Int
    let freshness: FreshnessView?
    private let errorMessage: String?
    let tileAuthorization: String?
    let isTrying: Bool
    private let loadState: InboxLoadState?

    /// - Parameter sources: the tile shows the state of the worst one; empty if no account is connected
    init(rows: [PullRow], waiting: Int, sources: [InboxSource], now: Date) {
        self.rows = Array(rows.prefix(Self.limit))
        self.waiting = waiting
        loadState = sources.isEmpty ? nil : InboxLoadState(sources)
        let worst =
            sources.first { $0.error != nil } ?? sources.first { $0.updatedAt == nil } ?? sources.first
        freshness = worst.map { FreshnessView($0, now: now) }
        errorMessage = worst?.error?.message(source: "GitHub")
        tileAuthorization = worst?.error?.authorizationURL
        isTrying = worst?.loading.isLoading ?? false
    }

    var tile: HomeTile {
        HomeTile(
            "Pull requests", at: "/pulls/tile", topics: ["pulls", "pictures"], self,
            step: FirstStep(
                "Connect GitHub", "See the pull requests that wait for you.", at: "/settings/github",
                topic: "pulls", isDone: isConnected))
    }

    var hasRows: Bool { !rows.isEmpty }
    var more: Int? { waiting > rows.count ? waiting - rows.count : nil }
    var isConnected: Bool { freshness != nil }
    var isLoaded: Bool { loadState == .loaded }
    var isLoading: Bool { loadState == .loading }
    var isSignedOut: Bool { loadState == .signedOut }
    var tileError: TimedText? { errorMessage.map(TimedText.init) }
}
