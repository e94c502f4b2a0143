import Crypto
package import Foundation
import RoostSupport
import TextFormats

/// What a pull request looked like when it was put away: enough to see a change, too little to tell its content.
package struct PullDigest: Encodable, Equatable, Hashable, Sendable {
    /// The head's commit, hashed.
    package var head: String?
    /// When somebody else spoke last, in whole seconds since 1970.
    package var spoken: Int?
    /// How the checks ended; nil while they run.
    package var checks: String?
    /// When the reader's review was last asked for, and when it last became ready, in whole seconds since 1970; 0 for
    /// never, nil in what was stored before these were known.
    package var asked: Int?
    package var ready: Int?
    /// Whether all of the above is known at all.
    package var hasDetail: Bool
    package var isDraft: Bool?
    package var updated: Int
    /// The kinds of the reasons that there were, sorted.
    package var reasons: [String]
    /// It is ready to merge but for its running checks.
    var awaitsChecks: Bool?

    package init(
        _ facts: FetchedPull, waits: [TurnRules.DatedReason], rules: TurnRules,
        found: TurnRules.MatchedSearches
    ) {
        hasDetail = facts.hasDetail
        head = facts.head.map { head in
            SHA256.hash(data: Data(head.utf8)).prefix(8).map {
                String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }
            .joined()
        }
        let words = facts.words + facts.threads.flatMap(\.self) + facts.reviews.map(\.word)
        spoken = words.filter { rules.isOthers($0) }.map(\.at).max().map { Int($0.timeIntervalSince1970) }
        asked = rules.lastRequest(facts, found: found).map { Int($0.timeIntervalSince1970) } ?? 0
        ready = facts.readyAt.map { Int($0.timeIntervalSince1970) } ?? 0
        isDraft = facts.pull.isDraft
        awaitsChecks = rules.awaitsChecks(facts)
        checks = facts.pull.checks.flatMap { $0.state == .running ? nil : $0.state.rawValue }
        updated = Int(facts.pull.updatedAt.timeIntervalSince1970)
        reasons = Set(waits.filter(\.isTurn).map { Self.kind($0.reason) }).sorted()
    }

    /// What was encoded. Throws `ImpossibleValue` for a member that is missing.
    init(json: Data) throws {
        var (head, checks): (String?, String?)
        var (spoken, asked, ready, updated): (Int?, Int?, Int?, Int?)
        var (hasDetail, isDraft, awaitsChecks): (Bool?, Bool?, Bool?)
        var reasons: [String]?
        var reader = JSONReader(json)
        try reader.object { reader, name in
            switch name {
            case "head": head = try reader.string()
            case "spoken": spoken = try reader.int()
            case "checks": checks = try reader.string()
            case "asked": asked = try reader.int()
            case "ready": ready = try reader.int()
            case "hasDetail": hasDetail = try reader.bool()
            case "isDraft": isDraft = try reader.bool()
            case "awaitsChecks": awaitsChecks = try reader.bool()
            case "updated": updated = try reader.int()
            case "reasons":
                var kinds: [String] = []
                let isList = try reader.list { item in
                    if let kind = try item.string() { kinds.append(kind) }
                }
                if isList { reasons = kinds }
            default: break
            }
        }
        try reader.end()
        guard let hasDetail, let updated, let reasons else { throw ImpossibleValue(column: "seen") }
        (self.head, self.spoken, self.checks) = (head, spoken, checks)
        (self.asked, self.ready, self.isDraft, self.awaitsChecks) = (asked, ready, isDraft, awaitsChecks)
        (self.hasDetail, self.updated, self.reasons) = (hasDetail, updated, reasons)
    }

    /// A push, somebody else's comment or review, a draft that became ready, a review that was asked for again, checks
    /// that ended otherwise; not running ones that pass. Where one of the two knows less, only what both know counts.
    func hasChanged(since old: PullDigest) -> Bool {
        if isDraft == false, old.isDraft == true { return true }
        guard hasDetail, old.hasDetail else {
            return !hasDetail && !old.hasDetail && updated > old.updated
        }
        if let head, let before = old.head, head != before { return true }
        if let spoken, spoken > old.spoken ?? 0 { return true }
        if let asked, let before = old.asked, asked > before { return true }
        if let ready, let before = old.ready, ready > before { return true }
        return checks == Self.failed && old.checks != Self.failed
            || checks != nil && old.checks == Self.failed && checks != Self.failed
    }

    /// It is the reader's turn, and was not for this reason, or something happened since. One that was put away when
    /// only its checks were to come does not come back because they pass.
    func isTurnAnew(since old: PullDigest) -> Bool {
        let known = Set(old.reasons).union(old.awaitsChecks == true ? [Self.kind(.approvedUnmerged)] : [])
        return !reasons.isEmpty && (!known.isSuperset(of: reasons) || hasChanged(since: old))
    }

    private static let failed = PullRequest.Checks.State.failed.rawValue

    private static func kind(_ reason: TurnReason) -> String {
        switch reason {
        case .askedByName: "name"
        case .askedThroughTeam: "team"
        case .assigned: "assigned"
        case .approvalDismissed: "dismissed"
        case .commentAnswered: "answer"
        case .commentUnanswered: "comment"
        case .checksFail: "checks"
        case .conflicts: "conflicts"
        case .approvedUnmerged: "approved"
        case .changesRequested: "changes"
        case .changedSinceReview: "changed"
        }
    }
}

/// A pull request that a user has put away.
package struct StoredMark: Equatable, Sendable {
    /// Seconds that a snooze may last at most: a year.
    static let maximumSnooze: TimeInterval = 366 * 86_400

    /// The name that the pull request had when it was last seen.
    package let key: PullKey
    /// GitHub's id of the pull request, which stays the same when its repository is renamed or transferred; nil where
    /// none is known: older Enterprise servers send none.
    package let nodeId: String?
    package let mark: PullMark
    package let seen: PullDigest
    package let markedAt: Date

    package init(key: PullKey, nodeId: String? = nil, mark: PullMark, seen: PullDigest, markedAt: Date) {
        self.key = key
        self.nodeId = nodeId
        self.mark = mark
        self.seen = seen
        self.markedAt = markedAt
    }

    /// Whether the mark has done its duty. `digest`: how the pull request looks now, nil where it is not in sight.
    package func isOver(_ digest: PullDigest?, at now: Date) -> Bool {
        switch mark {
        // One longer than any can be was made by a clock that was ahead by years; it may be off by a day.
        case .snoozedUntil(let time):
            time <= now || time.timeIntervalSince(now) > Self.maximumSnooze + 86_400
        case .snoozedUntilChange: digest?.hasChanged(since: seen) ?? false
        case .muted: false
        case .done: digest?.isTurnAnew(since: seen) ?? false
        }
    }
}
