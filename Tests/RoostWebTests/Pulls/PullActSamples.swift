import ArticleText
import Foundation

@testable import GitHub
@testable import GitHubWeb
@testable import RoostSupport
@testable import RoostWeb

extension PullDetails {
    /// An open pull request by glbrntt that ada may review and merge.
    static func actSample(fill: (inout PullDetails) -> Void = { _ in }) -> PullDetails {
        let item = InboxItem.samples[0]
        var details = PullDetails(key: item.key, nodeId: "PR_7", pull: item.pull, fetchedAt: .sample)
        details.headCommit = String(repeating: "a1", count: 20)
        details.permissions = Permissions(
            canUpdate: true, canReview: true, mergeMethods: ["squash", "merge", "fast-forward"],
            canUpdateBranch: true, canEnableAutoMerge: true)
        details.reviewers = [
            Reviewer(name: "hedy", avatarURL: nil, verdict: .changesRequested, at: nil),
            Reviewer(name: "roost/core", avatarURL: nil, verdict: .requested, at: nil),
        ]
        details.checks = [Check(name: "lint", state: .failed, startedAt: nil, finishedAt: nil, url: nil)]
        fill(&details)
        return details
    }

    static let actThread = Thread(
        id: "PRRT_1", path: "Sources/App.swift", line: 3, startLine: nil, isOnOldFile: false,
        isResolved: false, isOutdated: false, diffHunk: "",
        comments: [
            Comment(
                id: "PRRC_1", author: nil, body: [], at: .sample,
                url: "https://github.com/apple/swift-nio/pull/7#discussion_r42")
        ])
}

extension PullActsView {
    static let sample = PullActsView(
        PullDetails.actSample(),
        draft: PullReview(
            verdict: .requestChanges, body: "Almost <there>",
            comments: [
                .init(path: "Sources/App.swift", line: 12, startLine: 9, body: "Why “twice”?"),
                .init(path: "README.md", line: 1, isOnOldFile: true, body: "Keep this."),
            ], head: String(repeating: "b2", count: 20)),
        login: "ada", account: 7)
}

extension PullReplyView {
    static let sample = PullReplyView(PullDetails.actThread, of: PullDetails.actSample(), as: 7)
}

extension PullActView {
    static let sample = PullActView(
        layout: .sample, .review, PullDetails.actSample().key,
        FormState(
            typed: [
                "body": "Fine <b>", "verdict": "approve", "account": "7",
                "head": String(repeating: "a1", count: 20),
            ],
            fieldErrors: ["body": "GitHub refused this: “Can not approve your own pull request”"]),
        isRefused: true)
}
