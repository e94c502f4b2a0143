import Foundation

@testable import GitHub
@testable import GitHubWeb

/// Realistic pull requests with long and hostile text, which together use every property.
extension InboxItem {
    static let samples: [InboxItem] = [
        sample(
            "apple/swift-nio", 3214, "Close idle channels after the drain window", by: "glbrntt",
            [.askedByName], waited: 76, updated: 2
        ) {
            $0.checks = .init(state: .passed, passed: 14)
            ($0.additions, $0.deletions, $0.changedFiles) = (182, 40, 6)
            $0.labels = [.init(name: "semver/minor", color: "0e8a16")]
            $0.reviewDecision = .reviewRequired
            $0.comments = 12
            $0.unresolvedThreads = 3
        },
        sample(
            "roost/roost", 88, "Keep the last screen while the server restarts", by: "ada", [.checksFail],
            waited: 5, updated: 1
        ) {
            $0.checks = .init(state: .failed, passed: 9, failed: 2)
            ($0.additions, $0.deletions, $0.changedFiles) = (64, 12, 1)
            $0.mergeable = .conflicting
            $0.comments = 1
        },
        sample(
            "groue/GRDB.swift", 1795, "Do not link snapshot symbols on Linux", by: "doozMen",
            [.askedThroughTeam("groue/storage"), .commentAnswered], waited: 9 * 24, updated: 50
        ) {
            $0.checks = .init(state: .running, passed: 3, running: 4)
            ($0.additions, $0.deletions, $0.changedFiles) = (31, 4, 2)
            $0.reviewDecision = .changesRequested
            $0.labels = ["linux", "build", "needs a decision", "1.0", "good first review"].map {
                .init(name: $0, color: "5319e7")
            }
        },
        sample(
            "vapor/vapor", 3391, "Stream multipart bodies to disk", by: "0xTim", [.changedSinceReview],
            waited: 49, updated: 49
        ) {
            $0.checks = .init(state: .running)
            ($0.additions, $0.deletions, $0.changedFiles) = (14_420, 9_077, 132)
            $0.reviewDecision = .approved
            $0.isDraft = true
        },
        sample(
            "an-organisation-with-a-long-name/a-repository-with-an-even-longer-name", 100_204,
            "Bump the-dependency-whose-name-goes-on-and-on-without-any-blank from 1.2.3 to 1.2.4 in <b>/ & \"co\"",
            by: "dependabot", [], waited: 30 * 24, updated: 30 * 24
        ) { $0.isFromBot = true },
    ].compactMap(\.self)

    private static func sample(
        _ repository: String, _ number: Int, _ title: String, by author: String, _ reasons: [TurnReason],
        waited: Double, updated: Double, _ fill: (inout PullRequest) -> Void
    ) -> InboxItem? {
        let names = repository.splitBytes(at: "/").map(String.init)
        let pull = try? PullRequest(
            repositoryOwner: names[0], repositoryName: names[1], number: number, title: title,
            authorLogin: author, updatedAt: .sample - updated * 3_600,
            htmlURL: "https://github.com/\(repository)/pull/\(number)", now: .sample)
        guard var pull else { return nil }
        fill(&pull)
        return InboxItem(
            accountId: 1,
            key: PullKey(host: "github.com", owner: names[0], name: names[1], number: number), pull: pull,
            waits: reasons.map {
                .init($0, since: .sample - waited * 3_600, isTurn: $0 != .changedSinceReview)
            })
    }
}

extension InboxSource {
    static let sample = InboxSource(
        accountId: 1, host: "github.com", login: "ada", authentication: .authenticated,
        loading: .loaded(.sample - 12), updatedAt: .sample - 12, nextTryAt: .sample + 48,
        budget: RateBudget(
            resource: "graphql", limit: 5_000, remaining: 4_812, resetAt: .sample + 1_800))

    static let troubledSample = InboxSource(
        accountId: 2, host: "git.example.org", login: "ada-l", authentication: .authenticated,
        loading: .failed(.serverError(statusCode: 503)), error: .serverError(statusCode: 503),
        updatedAt: .sample - 840, nextTryAt: .sample + 32, hasLessDetail: true, refused: 2)
}

extension HiddenItem {
    static let samples: [HiddenItem] = [
        HiddenItem(
            key: InboxItem.samples[0].key, mark: .snoozedUntil(.sample + 86_400), markedAt: .sample,
            pull: InboxItem.samples[0].pull),
        HiddenItem(
            key: PullKey(host: "github.com", owner: "vapor", name: "vapor", number: 7), mark: .muted,
            markedAt: .sample - 60, pull: nil),
    ]
}

extension InboxSection {
    static let samples: [InboxSection] = [
        InboxSection(id: "turn", kind: .turn, name: "Your turn", items: Array(InboxItem.samples[..<3])),
        InboxSection(
            id: "changed", kind: .changed, name: "Reviewed by you, changed since",
            items: [InboxItem.samples[3]]),
        InboxSection(
            id: "own-1", kind: .own, name: "Releases", items: [InboxItem.samples[4]], total: 1_204,
            isCut: true),
    ]
}

extension PullListsView {
    static let sample = PullListsView(
        sections: InboxSection.samples.map { section in
            let rows = section.items.map {
                PullRow($0, PullPreferences(), avatar: nil, now: .sample)
            }
            return PullSectionView(section, groups: [.init(rows)], above: 2)
        }, hidden: HiddenItem.samples.map(HiddenPullRow.init), authors: ["ada", "glbrntt"],
        labels: ["bug"])
}

extension PullBoardView {
    static let sample = PullBoardView(
        sources: [.sample, .troubledSample], lists: .sample, back: "/pulls?sort=size", now: .sample)
}

extension PullsView {
    static let sample = PullsView(
        layout: .sample, board: .sample, query: InboxQuery(), choices: PullPreferences())
}

extension PullsTileView {
    static let sample = PullsTileView(
        rows: InboxItem.samples.map {
            PullRow($0, PullPreferences(), avatar: nil, now: .sample)
        }, waiting: 7, sources: [.sample], now: .sample)
}
