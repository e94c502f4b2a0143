import Foundation
import GitHub
import RoostWeb

/// `/pulls/tile` on the home page: the pull requests that wait for the reader.
struct PullsTileView: Sendable {
    static let kind = TileKind("pulls", "Your turn")

    let rows: [PullRow]
    let waiting: Int
    let freshness: FreshnessView?
    private let errorMessage: String?
    let tileAuthorization: String?
    let isTrying: Bool
    private let loadState: InboxLoadState?
    private let sentence: String?

    /// - Parameter sources: the tile shows the state of the worst one; empty if no account is connected
    init(
        rows: [PullRow], waiting: Int, sources: [InboxSource], now: Date, limit: Int = TileScope().rows,
        sentence: String? = nil
    ) {
        self.rows = Array(rows.prefix(limit))
        self.sentence = sentence
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
            Self.kind, topics: ["pulls", "pictures"], self,
            sentences: [sentence ?? unknown].compactMap(\.self),
            step: FirstStep(
                "Connect GitHub", "See the pull requests that wait for you.", at: "/settings/github",
                topic: "pulls", isDone: isConnected))
    }

    /// Why the page cannot say that nothing waits.
    private var unknown: String? {
        switch loadState {
        case .loading: "Your pull requests are loading."
        case .failed: "Your pull requests couldn’t be loaded."
        case .signedOut: "GitHub must be connected again."
        case .loaded, nil: nil
        }
    }

    /// "3 reviews wait for you, 1 of them new, the longest for 9 days."
    static func sentence(_ turn: [InboxItem], since previous: Date?, now: Date) -> String? {
        guard let longest = turn.map(\.waitingSince).min() else { return nil }
        let areReviews = turn.allSatisfy { $0.reasons.first?.isReviewRequest ?? false }
        let noun = areReviews ? "review" : "pull request"
        let new = previous.map { visit in turn.count { $0.waitingSince > visit } } ?? 0
        var text = CountText.of(turn.count, noun) + (turn.count == 1 ? " waits for you" : " wait for you")
        if turn.count > 1, new > 0 { text += new == turn.count ? ", all new" : ", \(new) of them new" }
        let hours = Int(now.timeIntervalSince(longest) / 3_600)
        if hours >= 1 {
            let time = hours < 24 ? CountText.of(hours, "hour") : CountText.of(hours / 24, "day")
            text += turn.count == 1 ? ", for \(time)" : ", the longest for \(time)"
        }
        return text + "."
    }

    var hasRows: Bool { !rows.isEmpty }
    var more: Int? { waiting > rows.count ? waiting - rows.count : nil }
    var isConnected: Bool { freshness != nil }
    var isLoaded: Bool { loadState == .loaded }
    var isLoading: Bool { loadState == .loading }
    var isSignedOut: Bool { loadState == .signedOut }
    var tileError: TimedText? { errorMessage.map(TimedText.init) }
}
