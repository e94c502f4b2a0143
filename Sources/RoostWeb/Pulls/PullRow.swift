package import Foundation
package import RoostServices

/// One pull request of the inbox.
package struct PullRow: TemplateView {
    package static let template = "pulls/row"
    package static var sample: PullRow {
        PullRow(InboxItem.samples[0], avatar: nil, assets: "/static/0123abcd", now: .sample)
    }
    /// More labels than these are only counted.
    private static let labelLimit = 3

    package let item: InboxItem
    package let avatar: String?
    package let assets: String
    package let now: Date
    private let checks: CheckWords?
    private let labels: [Part]

    /// - Parameters:
    ///   - avatar: Roost's own address of the author's picture; nil: initials stand for it
    ///   - assets: as in `LayoutView`
    package init(_ item: InboxItem, avatar: String?, assets: String, now: Date) {
        self.item = item
        self.avatar = avatar
        self.assets = assets
        self.now = now
        checks = item.pull.checks.map(CheckWords.init)
        labels = item.pull.labels.prefix(Self.labelLimit).map { Part(LabelView($0)) }
    }

    package func field(_ name: String) -> Any? {
        let pull = item.pull
        switch name {
        case "pullKey": return item.key.description
        case "pullPath": return item.key.path
        case "pullAddress": return pull.htmlURL
        case "pullTitle": return pull.title
        case "pullNumber": return pull.number
        case "repository": return pull.repositoryFullName
        case "author": return pull.authorLogin
        case "avatar": return avatar
        case "initials": return Initials(pull.authorLogin, limit: 1).text
        case "assets": return assets
        case "isDraft": return pull.isDraft == true
        case "overWord": return pull.state == .open ? nil : pull.state?.rawValue
        case "labels": return labels
        case "moreLabels":
            return pull.labels.count > Self.labelLimit ? pull.labels.count - Self.labelLimit : nil
        case "reasons": return item.reasons.map { $0.words(beside: pull.repositoryOwner) }
        case "updatedTime": return AgeText.iso(pull.updatedAt)
        case "updatedWhen": return AgeText.ago(pull.updatedAt, now: now)
        default: return state(name) ?? figure(name)
        }
    }

    private func state(_ name: String) -> Any? {
        switch name {
        case "checksState": checks?.state
        case "checksSign": checks?.sign
        case "checksWords": checks?.words
        case "isApproved": decision == .approved
        case "wantsChanges": decision == .changesRequested
        case "wantsReview": decision == .reviewRequired
        case "isConflicting": item.pull.mergeable == .conflicting
        case "pressure": item.pressure.rawValue
        case "isPressing": item.pressure != .calm
        case "pressureWords": item.pressure == .red ? "far too long" : "long"
        case "pressureSign": item.pressure == .red ? "!!" : "!"
        case "waitingTime": AgeText.iso(item.waitingSince)
        case "waitingFor": WaitText.short(since: item.waitingSince, now: now)
        default: nil
        }
    }

    /// What the reviews say, unless the reason says it already.
    private var decision: PullRequest.ReviewDecision? {
        let decision = item.pull.reviewDecision
        return switch decision {
        case .approved where item.reasons.contains(.approvedUnmerged): nil
        case .changesRequested where item.reasons.contains(.changesRequested): nil
        case .reviewRequired where !item.reasons.isEmpty: nil
        default: decision
        }
    }

    private func figure(_ name: String) -> Any? {
        let pull = item.pull
        switch name {
        case "hasSize": return pull.size != nil
        case "additions": return pull.additions.map(Figure.grouped)
        case "deletions": return pull.deletions.map(Figure.grouped)
        case "files": return pull.changedFiles.map { $0 == 1 ? "1 file" : "\(Figure.grouped($0)) files" }
        case "comments": return pull.comments.flatMap { $0 > 0 ? Figure.grouped($0) : nil }
        case "commentWords": return pull.comments == 1 ? "comment" : "comments"
        case "unresolved": return pull.unresolvedThreads.flatMap { $0 > 0 ? $0 : nil }
        case "unresolvedWords":
            return pull.unresolvedThreads == 1 ? "unresolved thread" : "unresolved threads"
        default: return nil
        }
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
            team[..<slash].lowercased() == owner.lowercased()
        else { return words }
        return Self.askedThroughTeam(String(team[slash...].dropFirst())).words
    }
}

private struct LabelView: ViewFields {
    let label: PullRequest.Label

    init(_ label: PullRequest.Label) { self.label = label }

    func field(_ name: String) -> Any? {
        switch name {
        case "labelName": label.name
        case "labelColor": Self.checked(label.color)
        default: nil
        }
    }

    /// Six hexadecimal digits or grey: anything else came from no GitHub.
    private static func checked(_ color: String?) -> String {
        guard let color, color.utf8.count == 6, color.allSatisfy(\.isHexDigit) else { return "8c8a83" }
        return color
    }
}

/// Whole numbers as they are read: "4,812".
package enum Figure {
    package static func grouped(_ number: Int) -> String {
        var text = String(number.magnitude)
        var place = text.count - 3
        while place > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
            place -= 3
        }
        return number < 0 ? "−\(text)" : text
    }
}
