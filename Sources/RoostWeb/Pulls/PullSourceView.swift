package import Foundation
package import RoostServices

/// How fresh one GitHub account's pull requests are, how much of its budget is left, and what went wrong.
package struct PullSourceView: ViewFields {
    package let source: InboxSource
    package let isOnly: Bool
    package let now: Date
    private let freshness: Part

    /// - Parameter isOnly: there is no other, so that its name says nothing
    package init(_ source: InboxSource, isOnly: Bool, now: Date) {
        self.source = source
        self.isOnly = isOnly
        self.now = now
        freshness = Part(FreshnessView(source, now: now))
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "freshness": freshness
        case "sourceName": isOnly ? nil : this
        case "budget": source.budget.map(Self.words)
        case "budgetReset": source.budget.map { AgeText.iso($0.resetAt) }
        case "budgetResetClock": source.budget.map { AgeText.clock($0.resetAt) }
        case "hasTrouble": source.error != nil
        case "troubleName": this
        case "trouble": trouble
        case "troubleReset": reset.map(AgeText.iso)
        case "troubleResetText": reset.map { "\(AgeText.day($0)), \(AgeText.clock($0))" }
        case "advice": source.error?.recoverySuggestion
        case "isSignedOut": source.error == .unauthorized || source.authentication == .unauthenticated
        case "lastGood": source.updatedAt.map(AgeText.iso)
        case "lastGoodAge": source.updatedAt.map { AgeText.ago($0, now: now) }
        case "isTrying": source.loading.isLoading
        case "hasRemarks": !remarks.isEmpty
        case "remarks": remarks
        default: nil
        }
    }

    private var this: String { "\(source.login) at \(source.host)" }

    private var reset: Date? {
        if case .rateLimited(let date) = source.error { date } else { nil }
    }

    /// The mission's sentence; its time stands apart, for a script to put it into the reader's own zone.
    private var trouble: String? {
        guard let error = source.error else { return nil }
        return reset == nil ? error.message(source: "GitHub") : "GitHub rate limit exceeded. Resets at"
    }

    private static func words(_ budget: RateBudget) -> String {
        let what = budget.resource == "search" ? " searches" : ""
        return "\(Figure.grouped(budget.remaining)) of \(Figure.grouped(budget.limit))\(what) left"
    }

    /// What else is to be known of this account's lists, a sentence each.
    private var remarks: [String] {
        var remarks: [String] = []
        let name = isOnly ? "GitHub" : source.host
        if source.hasLessDetail {
            remarks.append(
                "\(name) answers only simple searches: no checks, reviews, sizes or threads are shown.")
        }
        if source.isIncomplete { remarks.append("\(name) did not finish its search: some may be missing.") }
        if source.refused > 0 {
            let what = source.refused == 1 ? "One pull request" : "\(source.refused) pull requests"
            remarks.append("\(what) came malformed from \(name) and had to be left out.")
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
        let freshUntil = (source.nextTryAt ?? source.updatedAt).map { $0 + 60 }
        let isFresh = source.error == nil && source.updatedAt != nil && (freshUntil ?? now) >= now
        let state: State =
            if isFresh { .live } else if source.updatedAt == nil, source.error == nil { .loading } else {
                .stale
            }
        self.init(
            state: state, updatedAt: source.updatedAt, nextAt: source.nextTryAt,
            staleAt: source.error == nil ? freshUntil : nil,
            reason: state == .stale && source.error == nil ? "New ones are on their way." : nil,
            source: "GitHub", now: now)
    }
}
