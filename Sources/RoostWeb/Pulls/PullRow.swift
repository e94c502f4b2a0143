import Foundation
import GitHub
import TextFormats

/// One pull request of the inbox.
///
/// It is a class because it is large and never changes: each copy of a struct would count up all of its texts.
final class PullRow: Pictured, Sendable {
    /// More labels than these are only counted.
    private static let labelLimit = 2

    let item: InboxItem
    let avatar: String?
    let now: Date
    private let back: String
    private let checks: CheckWords?
    private let decision: PullRequest.ReviewDecision?
    let labels: [LabelView]
    let pullTitle: String
    let pullPath: String

    /// - Parameters:
    ///   - avatar: Roost's own address of the author's picture; nil: initials stand for it
    ///   - back: path and query of the page to return to; "" for the whole inbox
    init(_ item: InboxItem, avatar: String?, now: Date, back: String = "") {
        self.item = item
        self.avatar = avatar
        self.now = now
        self.back = back
        checks = item.pull.checks.map(CheckWords.init)
        decision = Self.decision(item)
        pullTitle = item.pull.title
        pullPath = item.key.path
        labels = item.pull.labels.prefix(Self.labelLimit).map { LabelView($0) }
    }
    var snoozeQuery: String? { back.isEmpty ? nil : "?back=\(PercentEncoding.encode(back))" }
    var repositoryOwner: String { item.pull.repositoryOwner }
    var repositoryName: String { item.pull.repositoryName }
    var author: String { item.pull.authorLogin }
    var initials: String { Initials(item.pull.authorLogin, limit: 1).text }
    var tone: Int { Tone.of(item.pull.authorLogin) }
    var isDraft: Bool { item.pull.isDraft == true }
    var overWord: String? { item.pull.state == .open ? nil : item.pull.state?.rawValue }
    /// How many labels are only counted where there is room for one, and where there is for two.
    var labelsBeyondOne: Int? { labelsBeyond(1) }
    var labelsBeyondTwo: Int? { labelsBeyond(Self.labelLimit) }

    private func labelsBeyond(_ shown: Int) -> Int? {
        let count = item.pull.labels.count
        return count > shown ? count - shown : nil
    }

    /// In words, the one that presses most first.
    var reasons: [String] { item.reasons.map { $0.words(beside: item.pull.repositoryOwner) } }
    var otherReasons: [String] { Array(reasons.dropFirst()) }
    var updatedTime: String { ISO8601.seconds(item.pull.updatedAt) }
    var updatedWhen: String { RelativeTime.ago(item.pull.updatedAt, now: now) }

    var checksState: String? { checks?.state }
    var checksSign: String? { checks?.sign }
    var checksWords: String? { checks?.words }
    var isApproved: Bool { decision == .approved }
    var wantsChanges: Bool { decision == .changesRequested }
    var wantsReview: Bool { decision == .reviewRequired }
    var isConflicting: Bool { item.pull.mergeable == .conflicting && !item.reasons.contains(.conflicts) }
    var pressure: String { item.pressure.rawValue }
    var isPressing: Bool { item.pressure != .calm }
    var pressureWords: String { item.pressure == .red ? "far too long" : "long" }
    var waitingTime: String { ISO8601.seconds(item.waitingSince) }
    var waitingFor: String { ElapsedTime.short(since: item.waitingSince, now: now) }

    /// What the reviews say, unless the reason says it already.
    private static func decision(_ item: InboxItem) -> PullRequest.ReviewDecision? {
        let decision = item.pull.reviewDecision
        return switch decision {
        case .approved where item.reasons.contains(.approvedUnmerged): nil
        case .changesRequested where item.reasons.contains(.changesRequested): nil
        case .reviewRequired where !item.reasons.isEmpty: nil
        default: decision
        }
    }

    var hasSize: Bool { item.pull.size != nil }
    var additions: String? { item.pull.additions.map(NumberText.grouped) }
    var deletions: String? { item.pull.deletions.map(NumberText.grouped) }
    var files: String? {
        item.pull.changedFiles.map { $0 == 1 ? "1 file" : "\(NumberText.grouped($0)) files" }
    }
    var comments: String? { item.pull.comments.flatMap { $0 > 0 ? NumberText.grouped($0) : nil } }
    var commentWords: String { item.pull.comments == 1 ? "comment" : "comments" }
    var unresolved: Int? { item.pull.unresolvedThreads.flatMap { $0 > 0 ? $0 : nil } }
    var unresolvedWords: String {
        item.pull.unresolvedThreads == 1 ? "unresolved thread" : "unresolved threads"
    }
}

/// Checks as a sign and as words: the colour never says it alone.
private struct CheckWords {
    let state, sign, words: String

    init(_ checks: PullRequest.Checks) {
        state = checks.state.rawValue
        switch checks.state {
        case .passed: (sign, words) = ("✓", "checks passed")
        case .failed:
            sign = "✕"
            words = Self.count(checks.failed, "check failed", "checks failed")
        case .running:
            sign = "●"
            words = Self.count(checks.running, "check is running", "checks are running")
        }
    }

    private static func count(_ number: Int?, _ one: String, _ many: String) -> String {
        guard let number, number > 0 else { return many }
        return "\(number) \(number == 1 ? one : many)"
    }
}

extension TurnReason {
    /// The words, without the organisation where the repository's name beside them says it already.
    fileprivate func words(beside owner: String) -> String {
        guard case .askedThroughTeam(let team?) = self,
            let slash = team.utf8.firstIndex(of: UInt8(ascii: "/")),
            team[..<slash] == owner || team[..<slash].lowercased() == owner.lowercased()
        else { return words }
        return Self.askedThroughTeam(String(team[slash...].dropFirst())).words
    }
}

struct LabelView {
    let label: PullRequest.Label

    init(_ label: PullRequest.Label) { self.label = label }
    var labelColor: String { Self.checked(label.color) }

    /// Six hexadecimal digits or grey: anything else came from no GitHub.
    private static func checked(_ color: String?) -> String {
        guard let color, color.utf8.count == 6, color.utf8.allSatisfy(isHexDigit) else { return "8c8a83" }
        return color
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// How long something has waited, short enough for a column. `Public/js/pulls.js` says the same: change both.
enum ElapsedTime {
    /// "now", "12 min", "5 h", "3 d".
    static func short(since date: Date, now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(CivilDate.bounded(date)).rounded(.down))
        switch seconds {
        case ..<60: return "now"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3_600) h"
        default: return "\(seconds / 86_400) d"
        }
    }

    /// When the words for `date` (these, and those of `RelativeTime.ago`) will be others; nil if never.
    static func change(of date: Date, now: Date) -> Date {
        let seconds = now.timeIntervalSince(date).rounded(.down)
        let step: Double =
            switch seconds {
            case ..<0: -seconds + 1
            case ..<60: 1
            case ..<3_600: 60
            case ..<86_400: 3_600
            default: 86_400
            }
        return date + ((seconds / step).rounded(.down) + 1) * step
    }
}
