import Foundation
import GitHub
import RoostWeb
import TextFormats

struct PullSourceView: Sendable {
    let source: InboxSource
    let isOnly: Bool
    let back: String
    let now: Date
    let freshness: FreshnessView

    /// - Parameter isOnly: whether this is the only account, so that its name is omitted
    init(_ source: InboxSource, isOnly: Bool, back: String = "/pulls", now: Date) {
        self.source = source
        self.isOnly = isOnly
        self.back = back
        self.now = now
        freshness = FreshnessView(source, now: now)
    }

    var sourceName: String? { isOnly ? nil : accountName }
    var budget: String? { source.budget.map(Self.text) }
    var budgetReset: String? { source.budget.map { ISO8601.seconds($0.resetAt) } }
    var budgetResetClock: String? { source.budget.map { RelativeTime.clock($0.resetAt) } }
    var hasError: Bool { source.error != nil }
    var rateLimitResetTime: String? { rateLimitReset.map(ISO8601.seconds) }
    var rateLimitResetText: String? {
        rateLimitReset.map { "\(RelativeTime.day($0)), \(RelativeTime.clock($0))" }
    }
    var advice: String? { source.error?.recoverySuggestion }
    var authorizationAddress: String? { source.error?.authorizationURL }
    var isThrottled: Bool { source.pace != .normal }
    var isPaused: Bool { if case .paused = source.pace { true } else { false } }
    var paceName: String { isOnly ? "GitHub" : source.host }
    var paceEnd: String? { paceEndTime.map(ISO8601.seconds) }
    var paceEndClock: String? { paceEndTime.map { RelativeTime.clock($0) } }
    /// True if reconnecting the account helps.
    var isSignedOut: Bool {
        source.error != .wrongKey
            && (source.error == .unauthorized || source.authentication == .unauthenticated)
    }
    var updatedTime: String? { source.updatedAt.map(ISO8601.seconds) }
    var updatedWhen: String? { source.updatedAt.map { RelativeTime.ago($0, now: now) } }
    var hasWarnings: Bool { !warnings.isEmpty }

    var accountName: String { "\(source.login) at \(source.host)" }

    private var paceEndTime: Date? {
        switch source.pace {
        case .normal: nil
        case .slowed(let until), .paused(let until): until
        }
    }

    private var rateLimitReset: Date? {
        if case .rateLimited(let date) = source.error { date } else { nil }
    }

    /// The mission's sentence. The reset time is separate so that a script can convert it to the reader's time zone.
    var errorMessage: String? {
        guard let error = source.error else { return nil }
        return rateLimitReset == nil
            ? error.message(source: "GitHub") : "GitHub rate limit exceeded. Resets at"
    }

    private static func text(_ budget: RateBudget) -> String {
        let what = budget.resource == "search" ? " searches" : ""
        return "\(NumberText.grouped(budget.remaining)) of \(NumberText.grouped(budget.limit))\(what) left"
    }

    var warnings: [String] {
        var warnings: [String] = []
        let name = isOnly ? "GitHub" : source.host
        if source.hasLessDetail {
            warnings.append(
                "\(name) supports only simple searches, without checks, reviews, sizes and threads.")
        }
        if source.isIncomplete {
            warnings.append("\(name) did not finish its search. Some pull requests may be missing.")
        }
        if source.refused > 0 {
            let what = source.refused == 1 ? "1 pull request was" : "\(source.refused) pull requests were"
            warnings.append("\(what) skipped because \(name) sent invalid data.")
        }
        if source.hiddenByGitHub > 0 {
            let isOne = source.hiddenByGitHub == 1
            let what = isOne ? "one pull request" : "\(source.hiddenByGitHub) pull requests"
            warnings.append(
                "\(name) refused access to \(what): authorise the token for \(isOne ? "its" : "their") organisation."
            )
        }
        return warnings
    }
}

extension FreshnessView {
    init(_ source: InboxSource, now: Date) {
        // While paused, `nextTryAt` is far away; the list must become stale anyway.
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
            reason: state == .stale && source.error == nil && !isPaused ? "Refreshing." : nil,
            source: "GitHub", now: now)
    }
}
