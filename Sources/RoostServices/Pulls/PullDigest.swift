import Crypto
package import Foundation

/// What a pull request looked like when it was put away: enough to see a change, too little to tell its content.
package struct PullDigest: Encodable, Equatable, Hashable, Sendable {
    /// The head's commit, hashed.
    package var head: String?
    /// When somebody else spoke last, in whole seconds since 1970.
    package var spoken: Int?
    /// How the checks ended; nil while they run.
    package var checks: String?
    /// Whether the three above are known at all.
    package var hasDetail: Bool
    package var updated: Int
    /// The kinds of the reasons that there were, sorted.
    package var reasons: [String]

    package init(_ facts: FetchedPull, waits: [TurnRules.Wait], login: String) {
        hasDetail = facts.hasDetail
        head = facts.head.map { head in
            SHA256.hash(data: Data(head.utf8)).prefix(8).map {
                String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }
            .joined()
        }
        let words = facts.words + facts.threads.flatMap(\.self) + facts.reviews.map(\.word)
        spoken = words.filter { !$0.isBot && !$0.login.isSameLogin(as: login) }.map(\.at).max()
            .map { Int($0.timeIntervalSince1970) }
        checks = facts.pull.checks.flatMap { $0.state == .running ? nil : $0.state.rawValue }
        updated = Int(facts.pull.updatedAt.timeIntervalSince1970)
        reasons = Set(waits.filter(\.isTurn).map { Self.kind($0.reason) }).sorted()
    }

    /// What was encoded. Throws `ImpossibleValue` for a member that is missing.
    init(json: Data) throws {
        var (head, checks): (String?, String?)
        var (spoken, updated): (Int?, Int?)
        var (hasDetail, reasons): (Bool?, [String]?)
        var reader = JSONReader(json)
        try reader.object { reader, name in
            switch name {
            case "head": head = try reader.string()
            case "spoken": spoken = try reader.int()
            case "checks": checks = try reader.string()
            case "hasDetail": hasDetail = try reader.bool()
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
        (self.hasDetail, self.updated, self.reasons) = (hasDetail, updated, reasons)
    }

    /// A push, somebody else's comment or review, checks that ended otherwise. Where one of the two knows less, only
    /// what both know counts.
    package func hasChanged(since old: PullDigest) -> Bool {
        guard hasDetail, old.hasDetail else {
            return !hasDetail && !old.hasDetail && updated > old.updated
        }
        if let head, let before = old.head, head != before { return true }
        if let spoken, spoken > old.spoken ?? 0 { return true }
        return checks != nil && checks != old.checks
    }

    /// It is the reader's turn, and was not for this reason, or something happened since.
    package func isTurnAnew(since old: PullDigest) -> Bool {
        !reasons.isEmpty && (!Set(reasons).isSubset(of: old.reasons) || hasChanged(since: old))
    }

    private static func kind(_ reason: TurnReason) -> String {
        switch reason {
        case .askedByName: "name"
        case .askedThroughTeam: "team"
        case .commentAnswered: "answer"
        case .checksFail: "checks"
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

    package let key: PullKey
    package let mark: PullMark
    package let seen: PullDigest
    package let markedAt: Date

    package init(key: PullKey, mark: PullMark, seen: PullDigest, markedAt: Date) {
        self.key = key
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
