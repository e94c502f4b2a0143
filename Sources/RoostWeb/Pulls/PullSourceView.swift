import Foundation
import GitHub
import TextFormats

/// How fresh one GitHub account's pull requests are, how much of its budget is left, and what went wrong.
struct PullSourceView: Sendable {
    let source: InboxSource
    let isOnly: Bool
    let back: String
    let now: Date
    let freshness: FreshnessView

    /// - Parameters:
    ///   - isOnly: there is no other, so that its name says nothing
    ///   - back: as in `PullBoardView`
    init(_ source: InboxSource, isOnly: Bool, back: String = "/pulls", now: Date) {
        self.source = source
        self.isOnly = isOnly
        self.back = back
        self.now = now
        freshness = FreshnessView(source, now: now)
    }

    var sourceName: String? { isOnly ? nil : this }
    var budget: String? { source.budget.map(Self.words) }
    var budgetReset: String? { source.budget.map { ISO8601.seconds($0.resetAt) } }
    var budgetResetClock: String? { source.budget.map { RelativeTime.clock($0.resetAt) } }
    var hasTrouble: Bool { source.error != nil }
    var troubleReset: String? { reset.map(ISO8601.seconds) }
    var troubleResetText: String? { reset.map { "\(RelativeTime.day($0)), \(RelativeTime.clock($0))" } }
    var advice: String? { source.error?.recoverySuggestion }
    var authorizationAddress: String? { source.error?.authorizationURL }
    var isHoldingBack: Bool { source.pace != .usual }
    var isPaused: Bool { if case .paused = source.pace { true } else { false } }
    var paceName: String { isOnly ? "GitHub" : source.host }
    var paceEnd: String? { paceEndTime.map(ISO8601.seconds) }
    var paceEndClock: String? { paceEndTime.map { RelativeTime.clock($0) } }
    /// Whether connecting the account again helps.
    var isSignedOut: Bool {
        source.error != .wrongKey
            && (source.error == .unauthorized || source.authentication == .unauthenticated)
    }
    var lastGood: String? { source.updatedAt.map(ISO8601.seconds) }
    var lastGoodAge: String? { source.updatedAt.map { RelativeTime.ago($0, now: now) } }
    var isTrying: Bool { source.loading.isLoading }
    var hasRemarks: Bool { !remarks.isEmpty }

    var this: String { "\(source.login) at \(source.host)" }

    private var paceEndTime: Date? {
        switch source.pace {
        case .usual: nil
        case .slowed(let until), .paused(let until): until
        }
    }

    private var reset: Date? {
        if case .rateLimited(let date) = source.error { date } else { nil }
    }

    /// The mission's sentence; its time stands apart, for a script to put it into the reader's own zone.
    var trouble: String? {
        guard let error = source.error else { return nil }
        return reset == nil ? error.message(source: "GitHub") : "GitHub rate limit exceeded. Resets at"
    }

    private static func words(_ budget: RateBudget) -> String {
        let what = budget.resource == "search" ? " searches" : ""
        return "\(NumberText.grouped(budget.remaining)) of \(NumberText.grouped(budget.limit))\(what) left"
    }

    /// What else is to be known of this account's lists, a sentence each.
    var remarks: [String] {
        var remarks: [String] = []
        let name = isOnly ? "GitHub" : source.host
        if source.hasLessDetail {
            remarks.append(
                "\(name) answers only simple searches: no checks, reviews, sizes or threads are shown.")
        }
        if source.isIncomplete { remarks.append("\(name) did not finish its search: some may be missing.") }
        if source.refused > 0 {
            let what = source.refused == 1 ? "1 pull request was" : "\(source.refused) pull requests were"
            remarks.append("\(what) skipped because \(name) sent invalid data.")
        }
        if source.hiddenByGitHub > 0 {
            let isOne = source.hiddenByGitHub == 1
            let what = isOne ? "one pull request" : "\(source.hiddenByGitHub) pull requests"
            remarks.append(
                "\(name) refused access to \(what): authorise the token for \(isOne ? "its" : "their") organisation."
            )
        }
        return remarks
    }
}

extension FreshnessView {
    /// In the words of every live region.
    init(_ source: InboxSource, now: Date) {
        // What rests on purpose grows old all the same.
        let isPaused = if case .paused = source.pace { true } else { false }
        let freshUntil =
            isPaused
            ? source.updatedAt.map { $0 + 2 * PullSchedule.watched }
            : (source.nextTryAt ?? source.updatedAt).map { $0 + 60 }
        let isFresh = source.error == nil && source.updatedAt != nil && (freshUntil ?? now) >= now
        let state: State =
            if isFresh { .live } else if source.updatedAt == nil, source.error == nil { .loading } else {
                .stale
            }
        self.init(
            state: state, updatedAt: source.updatedAt, nextAt: source.nextTryAt,
            staleAt: source.error == nil ? freshUntil : nil,
            reason: state == .stale && source.error == nil && !isPaused ? "New ones are on their way." : nil,
            source: "GitHub", now: now)
    }
}
