import Foundation
import GitHub
import RoostWeb
import TextFormats

/// One pull request of the inbox. A class, because copying such a large struct would retain each of its strings.
final class PullRow: Pictured, Sendable {
    /// Further labels are only counted.
    private static let labelLimit = 2

    let item: InboxItem
    let pressure: InboxItem.Pressure
    let avatar: String?
    let now: Date
    private let back: String
    private let checks: ChecksBadge?
    private let decision: PullRequest.ReviewDecision?
    let labels: [LabelView]
    let pullTitle: String
    let pullPath: String
    let pageAddress: String

    /// - Parameters:
    ///   - choices: the reader's, for how long a wait is too long
    ///   - avatar: Roost's own address of the author's picture; nil shows initials
    ///   - back: the page to return to; "" for the unfiltered inbox
    init(_ item: InboxItem, _ choices: PullPreferences, avatar: String?, now: Date, back: String = "") {
        self.item = item
        pressure = item.pressure(choices, at: now)
        self.avatar = avatar
        self.now = now
        self.back = back
        checks = item.pull.checks.map(ChecksBadge.init)
        decision = Self.decision(item)
        pullTitle = EmojiNames.replacingNames(in: item.pull.title)
        pullPath = item.key.path
        pageAddress = item.key.page()
        labels = item.pull.labels.prefix(Self.labelLimit).map { LabelView($0) }
    }
    var snoozeQuery: String? { back.isEmpty ? nil : "?back=\(PercentEncoding.encode(back))" }
    var repositoryOwner: String { item.pull.repositoryOwner }
    var repositoryName: String { item.pull.repositoryName }
    var author: String { item.pull.authorLogin }
    var initials: String { Initials(item.pull.authorLogin, limit: 1).text }
    var tone: Int { Tone.of(item.pull.authorLogin) }
    var isDraft: Bool { item.pull.isDraft == true }
    var closedState: String? { item.pull.state == .open ? nil : item.pull.state?.rawValue }
    /// How many labels are hidden where there is room for one, or for two.
    var moreLabelsAfterOne: Int? { moreLabels(after: 1) }
    var moreLabelsAfterTwo: Int? { moreLabels(after: Self.labelLimit) }

    private func moreLabels(after shown: Int) -> Int? {
        let count = item.pull.labels.count
        return count > shown ? count - shown : nil
    }

    /// The most urgent first.
    var reasons: [String] { item.reasons.map { $0.label(withoutOwner: item.pull.repositoryOwner) } }
    var otherReasons: [String] { Array(reasons.dropFirst()) }
    var updatedTime: String { ISO8601.seconds(item.pull.updatedAt) }
    var updatedWhen: String { RelativeTime.ago(item.pull.updatedAt, now: now) }

    var checksState: String? { checks?.state }
    var checksText: String? { checks?.text }
    var isApproved: Bool { decision == .approved }
    var hasRequestedChanges: Bool { decision == .changesRequested }
    var isReviewRequired: Bool { decision == .reviewRequired }
    var isConflicting: Bool { item.pull.mergeable == .conflicting && !item.reasons.contains(.conflicts) }
    var isPressing: Bool { pressure != .calm }
    var pressureText: String { pressure == .red ? "far too long" : "long" }
    var waitingTime: String { ISO8601.seconds(item.waitingSince) }
    var waitingFor: String { ElapsedTime.short(since: item.waitingSince, now: now) }

    /// The review decision, unless a reason already implies it.
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
    var commentLabel: String { item.pull.comments == 1 ? "comment" : "comments" }
    var unresolved: Int? { item.pull.unresolvedThreads.flatMap { $0 > 0 ? $0 : nil } }
    var unresolvedLabel: String {
        item.pull.unresolvedThreads == 1 ? "unresolved thread" : "unresolved threads"
    }
}

/// Checks in words. Styles draw an icon for each state, so that none is shown by colour alone.
struct ChecksBadge {
    let state, text: String

    init(_ checks: PullRequest.Checks) {
        state = checks.state.rawValue
        text =
            switch checks.state {
            case .passed: "checks passed"
            case .failed: Self.count(checks.failed, "check failed", "checks failed")
            case .running: Self.count(checks.running, "check is running", "checks are running")
            }
    }

    private static func count(_ number: Int?, _ one: String, _ many: String) -> String {
        guard let number, number > 0 else { return many }
        return "\(number) \(number == 1 ? one : many)"
    }
}

extension TurnReason {
    /// Omits the organisation if it is the repository's owner, which the row already shows.
    func label(withoutOwner owner: String) -> String {
        guard case .askedThroughTeam(let team?) = self,
            let slash = team.utf8.firstIndex(of: UInt8(ascii: "/")),
            team[..<slash] == owner || team[..<slash].lowercased() == owner.lowercased()
        else { return label }
        return Self.askedThroughTeam(String(team[slash...].dropFirst())).label
    }
}

struct LabelView {
    let label: PullRequest.Label

    init(_ label: PullRequest.Label) { self.label = label }
    var labelName: String { EmojiNames.replacingNames(in: label.name) }
    var labelColor: String { Self.checked(label.color) }

    /// GitHub sends six hexadecimal digits. Returns grey for anything else.
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

/// `Public/js/pulls.js` formats waiting times the same way: change both.
enum ElapsedTime {
    /// Returns for example "now", "12 min", "5 h" or "3 d".
    static func short(since date: Date, now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(CivilDate.bounded(date)).rounded(.down))
        switch seconds {
        case ..<60: return "now"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3_600) h"
        default: return "\(seconds / 86_400) d"
        }
    }

    /// Returns when the text for `date` changes next, here or in `RelativeTime.ago`.
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
