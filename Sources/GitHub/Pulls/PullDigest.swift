import Crypto
import Foundation
package import GRDB
import RoostSupport
import TextFormats

/// A fingerprint of a hidden pull request: shows that it has changed, but not its content.
package struct PullDigest: Encodable, Equatable, Hashable, Sendable {
    package var head: String?
    /// When someone else last commented, in whole seconds since 1970.
    package var spoken: Int?
    /// The checks' result, or nil while they run.
    package var checks: String?
    /// When the user's review was last requested, and when the draft was last marked as ready, in whole seconds since
    /// 1970. 0 means never; nil means stored by an older version.
    package var asked: Int?
    package var ready: Int?
    /// False if only the fields below are known.
    package var hasDetail = false
    package var isDraft: Bool?
    package var updated = 0
    /// Kinds of reasons, sorted.
    package var reasons: [String] = []
    /// True if only running checks keep it from being ready to merge.
    var awaitsChecks: Bool?

    init() {}

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
        let comments = facts.comments + facts.threads.flatMap(\.self) + facts.reviews.map(\.comment)
        spoken = comments.filter { rules.isByOtherPerson($0) }.map(\.at).max().map {
            Int($0.timeIntervalSince1970)
        }
        asked = rules.lastRequest(facts, found: found).map { Int($0.timeIntervalSince1970) } ?? 0
        ready = facts.readyAt.map { Int($0.timeIntervalSince1970) } ?? 0
        isDraft = facts.pull.isDraft
        awaitsChecks = rules.awaitsChecks(facts)
        checks = facts.pull.checks.flatMap { $0.state == .running ? nil : $0.state.rawValue }
        updated = Int(facts.pull.updatedAt.timeIntervalSince1970)
        reasons = Set(waits.filter(\.isTurn).map { Self.kind($0.reason) }).sorted()
    }

    /// Decodes stored JSON. Throws if a required field is missing.
    private init(json: Data) throws {
        var (updated, hasDetail, reasons): (Int?, Bool?, [String]?)
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
        (self.hasDetail, self.updated, self.reasons) = (hasDetail, updated, reasons)
    }

    /// Returns true after a push, another person's comment or review, the end of a draft, a new review request, or a
    /// different result of the checks. Running checks that pass don't count. If one digest has less detail, compares
    /// only what both have.
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

    /// Returns true if it is the user's turn for a new reason, or again after a change. Checks that pass don't count if
    /// the pull request was hidden while only they were missing.
    func isTurnAgain(since old: PullDigest) -> Bool {
        let previousReasons = Set(old.reasons).union(
            old.awaitsChecks == true ? [Self.kind(.approvedUnmerged)] : [])
        return !reasons.isEmpty && (!previousReasons.isSuperset(of: reasons) || hasChanged(since: old))
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

/// Stored as JSON. Reads it with `JSONReader`: each view of the inbox reads all marks, and `JSONDecoder` takes five
/// times as long.
extension PullDigest: ColumnValue {
    package static func read(_ row: Row, at index: Int) -> PullDigest? {
        String.read(row, at: index).flatMap { try? PullDigest(json: Data($0.utf8)) }
    }

    package var stored: DatabaseValue {
        // Texts, numbers and Booleans always have a JSON form.
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self).databaseValue } ?? .null
    }
}
