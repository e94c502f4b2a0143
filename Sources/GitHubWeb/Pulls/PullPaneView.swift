import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

/// `/pulls/OWNER/NAME/NUMBER` and `/pulls/OWNER/NAME/NUMBER/files`.
struct PullPageView: PageView, Sendable {
    static let scripts = ["pull-page"]

    let layout: LayoutView
    let pane: PullPaneView

    var pageTitle: String { pane.pullTitle ?? pane.shortName }
    var expectedBytes: Int { 131_072 }
}

/// `/pulls/OWNER/NAME/NUMBER/pane`: the live part of a pull request's page, which is also shown next to the inbox.
struct PullPaneView: Sendable {
    let shortName: String
    /// Nil until GitHub has answered, for a pull request that is not in the inbox.
    let pullTitle: String?
    let summary: PullSummaryView?
    let freshness: FreshnessView?
    let timeline: PullTimelineView?
    let description: PullTextView?
    let hasDescription: Bool
    let aside: PullAsideView?
    let files: PullFilesView?
    let acts: PullActsView?
    let isFiles, isLoading, hasLessDetail: Bool
    /// True if the details are on their way, also those that replace what is shown.
    let isRefreshing: Bool
    let conversationAddress, filesAddress: String
    /// The same as fragments.
    let paneAddress, conversationPane, filesPane: String
    let refreshAction, back: String
    let newText: String?
    /// Equal for equal content, ignoring ages.
    let fingerprint: Int

    /// - Parameter pictures: nil in tests without a server
    init(_ content: PullPageContent, _ query: PullPageQuery, pictures services: GitHubServices?) {
        let (key, view) = (content.key, content.view)
        var pictures = PullPictures(services, on: key.host)
        let pull = view.details?.pull ?? view.item?.pull
        // 0 means that there was no look before.
        let lastSeen: Date? =
            if let seen = query.seen {
                seen > 0 ? Date(timeIntervalSince1970: Double(seen)) : nil
            } else { view.lastSeenAt }
        shortName = key.short
        pullTitle = pull.map { EmojiNames.replacingNames(in: $0.title) }
        summary = pull.map { PullSummaryView($0, content, &pictures) }
        timeline =
            query.tab == .conversation
            ? view.details.map {
                PullTimelineView($0, content, lastSeen: lastSeen, thread: query.thread, &pictures)
            } : nil
        hasDescription = query.tab == .conversation && view.details != nil
        description = view.details.flatMap { pictures.text($0.description) }
        aside = query.tab == .conversation ? view.details.map { PullAsideView($0, content, &pictures) } : nil
        files = query.tab == .files ? PullFilesView(content, query, pictures: services) : nil
        acts = view.details.map {
            PullActsView($0, draft: content.draft, login: content.login, account: content.account)
        }
        isFiles = query.tab == .files
        isLoading = view.details == nil && view.error == nil
        isRefreshing = isLoading || view.isLoading
        hasLessDetail = view.details?.hasLessDetail == true
        freshness = FreshnessView(content)
        conversationAddress = key.page()
        filesAddress = key.page("/files")
        let seen = lastSeen.map { "\(Int(CivilDate.bounded($0).timeIntervalSince1970))" } ?? "0"
        func pane(_ tab: PullPageQuery.Tab) -> String {
            key.page("/pane", ["tab": tab == .files ? tab.rawValue : nil, "seen": seen])
        }
        conversationPane = pane(.conversation)
        filesPane = pane(.files)
        paneAddress =
            query.tab == .files
            ? key.page(
                "/pane",
                [
                    "tab": "files", "since": query.since, "page": query.page > 1 ? "\(query.page)" : nil,
                    "diffs": query.diffs?.rawValue, "whitespace": query.whitespace?.rawValue,
                    "open": query.openPath,
                    "lines": query.isWhole ? "all" : nil, "seen": seen,
                ]) : key.page("/pane", ["thread": query.thread, "seen": seen])
        refreshAction = key.page("/refresh")
        back = query.tab == .files ? files?.back ?? key.page("/files") : key.page()
        newText = timeline.flatMap { timeline in
            timeline.newCount > 0 ? "\(timeline.newCount) new since your last look" : nil
        }
        fingerprint = Self.fingerprint(content, query)
    }

    var fileCount: String? { summary?.fileCount }

    private static func fingerprint(_ content: PullPageContent, _ query: PullPageQuery) -> Int {
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(content.view.details?.fetchedAt)
        hasher.combine(content.view.isLoading)
        hasher.combine(content.view.error.map { "\($0)" })
        hasher.combine(content.viewed)
        hasher.combine(content.draft)
        hasher.combine(content.choices.diffs)
        hasher.combine(content.choices.whitespace)
        hasher.combine(content.files?.headCommit)
        hasher.combine(content.files?.fetchedAt)
        hasher.combine(content.filesProblem)
        hasher.combine(content.wholeText)
        hasher.combine(content.wholeProblem)
        return hasher.finalize()
    }
}

/// The top of a pull request's page: what it is, its state, and why it is the reader's turn.
struct PullSummaryView: Sendable {
    let pull: PullRequest
    let person: PersonView
    let labels: [LabelView]
    let stateText, stateClass: String
    let baseBranch, headBranch: String?
    let reasonLabels: [String]
    let createdTime, createdWhen: String?
    let checksState, checksText: String?
    let shareAddress: String
    let fileCount: String?
    /// After "/pulls/", for the actions of the inbox; nil if it is not there.
    let actionPath: String?

    init(_ pull: PullRequest, _ content: PullPageContent, _ pictures: inout PullPictures) {
        self.pull = pull
        person = pictures.person(pull.authorLogin, pull.authorAvatarURL)
        labels = pull.labels.map { LabelView($0) }
        switch pull.state {
        case .merged: (stateText, stateClass) = ("Merged", "merged")
        case .closed: (stateText, stateClass) = ("Closed", "closed")
        case .open, nil:
            (stateText, stateClass) = pull.isDraft == true ? ("Draft", "draft") : ("Open", "open")
        }
        let details = content.view.details
        baseBranch = details.flatMap { $0.baseBranch.isEmpty ? nil : $0.baseBranch }
        headBranch = details.flatMap { details in
            guard !details.headBranch.isEmpty else { return nil }
            return details.headRepository.map { "\($0):\(details.headBranch)" } ?? details.headBranch
        }
        reasonLabels =
            content.view.item?.reasons.map { $0.label(withoutOwner: pull.repositoryOwner) } ?? []
        createdTime = pull.createdAt.map(ISO8601.seconds)
        createdWhen = pull.createdAt.map { RelativeTime.ago($0, now: content.now) }
        let checks = pull.checks.map(ChecksBadge.init)
        (checksState, checksText) = (checks?.state, checks?.text)
        shareAddress = ShareAddress.of(pull.htmlURL)
        fileCount = pull.changedFiles.map(NumberText.grouped)
        actionPath = content.view.item?.key.path
    }

    var pullTitle: String { EmojiNames.replacingNames(in: pull.title) }
    var hasReasons: Bool { !reasonLabels.isEmpty }
    var hasLabels: Bool { !labels.isEmpty }
    var additions: String? { pull.additions.map(NumberText.grouped) }
    var deletions: String? { pull.deletions.map(NumberText.grouped) }
    var isConflicting: Bool { pull.state != .merged && pull.mergeable == .conflicting }
}

/// Reviewers, checks and linked issues.
struct PullAsideView: Sendable {
    struct ReviewerRow {
        let person: PersonView
        let verdictText, verdictClass: String
        let time, when: String?
    }

    struct CheckRow {
        let checkName, checkClass, checkText: String
        let duration: String?
        let checkURL: String?
        let isRequired: Bool
    }

    /// More checks that passed are folded.
    private static let shownChecks = 6

    let reviewerRows: [ReviewerRow]
    let checkRows, otherCheckRows: [CheckRow]
    let otherChecks: String?
    let checksSummary: String
    let issues: [PullDetails.Issue]

    var hasReviewers: Bool { !reviewerRows.isEmpty }
    var hasChecks: Bool { !checkRows.isEmpty }
    var hasIssues: Bool { !issues.isEmpty }

    init(_ details: PullDetails, _ content: PullPageContent, _ pictures: inout PullPictures) {
        let now = content.now
        reviewerRows = details.reviewers.map { reviewer in
            let (text, style) = Self.verdict(reviewer.verdict)
            return ReviewerRow(
                person: pictures.person(reviewer.name, reviewer.avatarURL), verdictText: text,
                verdictClass: style, time: reviewer.at.map(ISO8601.seconds),
                when: reviewer.at.map { RelativeTime.ago($0, now: now) })
        }
        let order: [PullDetails.Check.State] = [.failed, .running, .passed, .skipped]
        let sorted = order.flatMap { state in details.checks.filter { $0.state == state } }
        let urgent = sorted.count { $0.state == .failed || $0.state == .running }
        let shown = sorted.count <= Self.shownChecks + 2 ? sorted.count : max(urgent, Self.shownChecks)
        let rows = sorted.map { Self.row($0, now: now) }
        checkRows = Array(rows.prefix(shown))
        otherCheckRows = Array(rows.dropFirst(shown))
        otherChecks =
            otherCheckRows.isEmpty ? nil : "\(otherCheckRows.count) more that passed or were skipped"
        checksSummary = Self.summary(of: details.checks)
        issues = details.issues
    }

    private static func verdict(_ verdict: PullDetails.Reviewer.Verdict) -> (String, String) {
        switch verdict {
        case .requested: ("review requested", "requested")
        case .commented: ("commented", "commented")
        case .approved: ("approved", "approved")
        case .changesRequested: ("requested changes", "changesRequested")
        case .dismissed: ("dismissed", "dismissed")
        }
    }

    private static func row(_ check: PullDetails.Check, now: Date) -> CheckRow {
        let text =
            switch check.state {
            case .passed: "passed"
            case .failed: "failed"
            case .running: "running"
            case .skipped: "skipped"
            }
        let end = check.finishedAt ?? (check.state == .running ? now : nil)
        let duration = check.startedAt.flatMap { start in
            end.map { Self.duration($0.timeIntervalSince(start)) }
        }
        return CheckRow(
            checkName: check.name, checkClass: check.state.rawValue, checkText: text, duration: duration,
            checkURL: check.url, isRequired: check.isRequired == true)
    }

    /// "42 s", "3 min 5 s" or "2 h 10 min".
    static func duration(_ seconds: TimeInterval) -> String {
        let whole = Int(min(max(seconds, 0), 8_640_000).rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3_600: return whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s"
        default:
            let minutes = whole % 3_600 / 60
            return minutes == 0 ? "\(whole / 3_600) h" : "\(whole / 3_600) h \(minutes) min"
        }
    }

    private static func summary(of checks: [PullDetails.Check]) -> String {
        let counts: [(PullDetails.Check.State, String)] = [
            (.failed, "failed"), (.running, "running"), (.passed, "passed"), (.skipped, "skipped"),
        ]
        return counts.compactMap { state, word in
            let count = checks.count { $0.state == state }
            return count > 0 ? "\(count) \(word)" : nil
        }
        .joined(separator: ", ")
    }
}

extension FreshnessView {
    /// In seconds. Older details are fetched again.
    private static let lifetime: TimeInterval = 60

    /// Nil before the first attempt has an outcome; the page then says that it is loading.
    fileprivate init?(_ content: PullPageContent) {
        let view = content.view
        let updatedAt = view.details?.fetchedAt
        guard updatedAt != nil || view.error != nil else { return nil }
        let isOld = updatedAt.map { content.now.timeIntervalSince($0) > 5 * Self.lifetime } ?? true
        self.init(
            state: view.error != nil || isOld ? .stale : .live, updatedAt: updatedAt,
            reason: view.error?.message(source: "GitHub") ?? (view.isLoading ? "Refreshing." : nil),
            suggestion: view.error?.recoverySuggestion, source: "GitHub", now: content.now)
    }
}
