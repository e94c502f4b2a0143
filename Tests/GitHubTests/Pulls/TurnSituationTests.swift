import Foundation
import TestSupport
import Testing

@testable import GitHub

/// A row of the first tables of the article "Whose turn it is", and the pull request that it describes.
struct TurnSituation: Sendable, CustomTestStringConvertible {
    let words: String
    let says: [String]
    /// Nil if it is not the reader's turn.
    let since: (words: String, date: Date)?
    private let author: String
    private let found: TurnRules.MatchedSearches
    private let change: @Sendable (inout FetchedPull) -> Void

    init(
        _ words: String, says: [String], since: (String, Date)? = nil, author: String = "grace",
        found: TurnRules.MatchedSearches, _ change: @escaping @Sendable (inout FetchedPull) -> Void
    ) {
        self.words = words
        self.says = says
        self.since = since.map { (words: $0.0, date: $0.1) }
        self.author = author
        self.found = found
        self.change = change
    }

    var testDescription: String { words }

    /// The row as the article has it.
    var row: String {
        let says = says.isEmpty ? "nothing" : says.joined(separator: ", ")
        return "| \(words) | \(since == nil ? "no" : "yes") | \(says) | \(since?.words ?? "-") |"
    }

    func classified() throws -> InboxItem { try Situations.classified(by: author, found, change) }
}

/// A row of the article's last table: what happens to a pull request that was marked.
struct MarkSituation: Sendable, CustomTestStringConvertible {
    let words: String
    let done: Bool
    let snoozed: Bool
    let before: @Sendable () throws -> InboxItem
    let after: @Sendable () throws -> InboxItem

    /// - Parameter later: the searches that find it afterwards; nil for the same ones
    init(
        _ words: String, done: Bool, snoozed: Bool, author: String = "grace",
        found: TurnRules.MatchedSearches,
        later: TurnRules.MatchedSearches? = nil,
        before: @escaping @Sendable (inout FetchedPull) -> Void = { _ in },
        after: @escaping @Sendable (inout FetchedPull) -> Void = { _ in }
    ) {
        self.words = words
        self.done = done
        self.snoozed = snoozed
        let asked: @Sendable (inout FetchedPull) -> Void = { facts in
            if author == "grace" {
                facts.reviewers = [.user("ada")]
                facts.requests = [.init(reviewer: .user("ada"), at: day(5))]
            }
            before(&facts)
        }
        self.before = { try Situations.classified(by: author, found, asked) }
        self.after = {
            try Situations.classified(by: author, later ?? found) {
                asked(&$0)
                after(&$0)
            }
        }
    }

    var testDescription: String { words }

    var row: String { "| \(words) | \(Self.label(done)) | \(Self.label(snoozed)) |" }

    private static func label(_ comesBack: Bool) -> String { comesBack ? "comes back" : "stays" }
}

/// Compares the rules with the article: each row is a test, and each test a row.
@Suite struct TurnSituationTests {
    private static let article = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/roost/roost.docc/WhoseTurn.md").standardizedFileURL

    /// The rows of the article's tables with this many columns, without header rows.
    private static func rows(columns: Int) throws -> [String] {
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").map(String.init)
        let rows = lines.filter { $0.hasPrefix("|") && $0.count(where: { $0 == "|" }) == columns + 1 }
        let heads = lines.indices.filter { lines[$0].hasPrefix("|---") }.map { lines[$0 - 1] }
        return rows.filter { !$0.hasPrefix("|---") && !heads.contains($0) }
    }

    @Test func `the article's rows are these tests, word for word and in order`() throws {
        #expect(try Self.rows(columns: 4) == Situations.turns.map(\.row))
        #expect(try Self.rows(columns: 3) == Situations.marks.map(\.row))
    }

    @Test(arguments: Situations.turns)
    func `whose turn it is, its reason, and since when it waits`(situation: TurnSituation) throws {
        let pull = try situation.classified()
        #expect(pull.isTurn == (situation.since != nil))
        #expect(pull.waits.map(\.reason.label) == situation.says)
        if let since = situation.since { #expect(pull.waitingSince == since.date) }
    }

    @Test(arguments: Situations.marks)
    func `a marked pull request comes back or stays hidden`(situation: MarkSituation) throws {
        let (before, after) = (try situation.before(), try situation.after())
        for (mark, comesBack) in [
            (PullMark.done, situation.done), (.snoozedUntilChange, situation.snoozed), (.muted, false),
        ] {
            let stored = StoredMark(
                key: PullFixture.key(7), mark: mark, seen: before.digest, markedAt: Situations.now)
            #expect(!stored.isOver(before.digest, at: Situations.now), "\(mark) at once")
            #expect(stored.isOver(after.digest, at: Situations.now) == comesBack, "\(mark)")
        }
    }
}

/// Days after the beginning of the situations.
private func day(_ days: Double) -> Date { Situations.now + (days - 20) * 86_400 }

private func comment(_ login: String, _ days: Double, isBot: Bool = false) -> FetchedPull.Comment {
    FetchedPull.Comment(login: login, isBot: isBot, at: day(days))
}

private func review(
    _ login: String, _ state: FetchedPull.Review.State, _ days: Double, head: String = "head",
    id: String? = nil
) -> FetchedPull.Review {
    FetchedPull.Review(comment: comment(login, days), state: state, head: head, id: id)
}

enum Situations {
    static let now = TestClock.start

    /// The result for ada, who is in two teams and has a bot on her list. The pull request was opened on day 0, pushed
    /// to on day 1, and last updated on day 15.
    static func classified(
        by author: String, _ found: TurnRules.MatchedSearches, _ change: (inout FetchedPull) -> Void
    ) throws -> InboxItem {
        var pull = try PullRequest(
            repositoryOwner: "roost", repositoryName: "nest", number: 7, title: "Tidy", authorLogin: author,
            updatedAt: day(15), htmlURL: "https://github.com/roost/nest/pull/7", now: now)
        pull.createdAt = day(0)
        pull.isDraft = false
        var facts = FetchedPull(pull: pull)
        facts.reviewers = []
        facts.head = "head"
        facts.committedAt = day(1)
        facts.permission = .write
        change(&facts)
        let rules = TurnRules(
            login: "ada", teams: ["roost/core", "roost/docs"], bots: ["labs-automation"])
        return InboxItem(facts, at: PullFixture.key(7), of: 1, searches: found, rules: rules)
    }

    static let turns = others + own

    private static let others = [
        TurnSituation(
            "A review is requested by your name",
            says: ["review requested"],
            since: ("the request", day(5)),
            found: [.reviewRequested]
        ) {
            $0.reviewers = [.user("ada")]
            $0.requests = [.init(reviewer: .user("ada"), at: day(5))]
        },
        TurnSituation(
            "A review is requested by your name, of a draft",
            says: ["review requested"],
            since: ("the request", day(5)),
            found: [.reviewRequested]
        ) {
            $0.pull.isDraft = true
            $0.reviewers = [.user("ada")]
            $0.requests = [.init(reviewer: .user("ada"), at: day(5))]
        },
        TurnSituation(
            "A review is requested through your team",
            says: ["review requested from roost/core"],
            since: ("the request", day(5)),
            found: [.reviewRequested]
        ) {
            $0.reviewers = [.team("roost/core")]
            $0.requests = [.init(reviewer: .team("roost/core"), at: day(5))]
        },
        TurnSituation(
            "A review is requested through your team, and someone of another team has approved it",
            says: ["review requested from roost/core"],
            since: ("the request", day(5)),
            found: [.reviewRequested]
        ) {
            $0.reviewers = [.team("roost/core")]
            $0.requests = [.init(reviewer: .team("roost/core"), at: day(5))]
            $0.reviews = [review("hedy", .approved, 6)]
            $0.opinions = [review("hedy", .approved, 6)]
        },
        TurnSituation(
            "A review is requested through two of your teams",
            says: ["review requested from roost/core", "review requested from roost/docs"],
            since: ("the first request", day(5)),
            found: [.reviewRequested]
        ) {
            $0.reviewers = [.team("roost/core"), .team("roost/docs")]
            $0.requests = [
                .init(reviewer: .team("roost/core"), at: day(5)),
                .init(reviewer: .team("roost/docs"), at: day(7)),
            ]
        },
        TurnSituation(
            "A review is requested of twenty people, and then through your team",
            says: ["review requested from roost/core"],
            since: ("the request", day(5)),
            found: [.reviewRequested]
        ) {
            $0.reviewers = (1...20).map { .user("person-\($0)") } + [.team("roost/core")]
            $0.requests = [.init(reviewer: .team("roost/core"), at: day(5))]
        },
        TurnSituation(
            "A review is requested through your team, of a draft",
            says: ["review requested from roost/core"],
            found: [.reviewRequested]
        ) {
            $0.pull.isDraft = true
            $0.reviewers = [.team("roost/core")]
        },
        TurnSituation(
            "A review is requested through your team, of a draft that is ready since",
            says: ["review requested from roost/core"],
            since: ("it became ready", day(8)),
            found: [.reviewRequested]
        ) {
            $0.readyAt = day(8)
            $0.reviewers = [.team("roost/core")]
            $0.requests = [.init(reviewer: .team("roost/core"), at: day(5))]
        },
        TurnSituation(
            "A review is requested through a team that you are not in",
            says: [],
            found: [.mentions]
        ) {
            $0.reviewers = [.team("roost/design")]
        },
        TurnSituation(
            "It is assigned to you",
            says: ["assigned to you"],
            since: ("the assignment", day(5)),
            found: [.assigned]
        ) {
            $0.assignments = [.init(login: "ada", at: day(5)), .init(login: "hedy", at: day(6))]
        },
        TurnSituation(
            "It is assigned to you, and you have reviewed it since",
            says: [],
            found: [.assigned, .reviewed]
        ) {
            $0.assignments = [.init(login: "ada", at: day(5))]
            $0.ownReview = review("ada", .changesRequested, 6)
        },
        TurnSituation(
            "It is assigned to you, you have reviewed it, and its author has pushed since",
            says: ["assigned to you", "changed since your review"],
            since: ("the push", day(7)),
            found: [.assigned, .reviewed]
        ) {
            $0.assignments = [.init(login: "ada", at: day(5))]
            $0.ownReview = review("ada", .changesRequested, 6, head: "old")
            $0.committedAt = day(7)
        },
        TurnSituation(
            "You commented, and its author answered",
            says: ["your comment was answered"],
            since: ("the answer", day(4)),
            found: [.commented]
        ) {
            $0.comments = [comment("ada", 2), comment("grace", 4)]
        },
        TurnSituation(
            "You commented, its author answered, and ten others commented after that",
            says: ["your comment was answered"],
            since: ("the answer", day(4)),
            found: [.commented]
        ) {
            $0.comments =
                [comment("ada", 2), comment("grace", 4)]
                + (5...14).map { comment("person-\($0)", Double($0)) }
        },
        TurnSituation(
            "You commented, its author answered, and you wrote again",
            says: [],
            found: [.commented]
        ) {
            $0.comments = [comment("ada", 2), comment("grace", 4), comment("ada", 5)]
        },
        TurnSituation(
            "You commented, and someone other than its author wrote below it",
            says: [],
            found: [.commented]
        ) {
            $0.comments = [comment("ada", 2), comment("hedy", 4)]
        },
        TurnSituation(
            "You commented on the code, and someone answered in the thread",
            says: ["your comment was answered"],
            since: ("the answer", day(4)),
            found: [.commented]
        ) {
            $0.threads = [[comment("ada", 2), comment("hedy", 4)]]
        },
        TurnSituation(
            "You commented on the code, and `k8s-ci-robot`, `lint-bot`, `lint[bot]` or a bot of "
                + "your own list answered",
            says: [],
            found: [.commented]
        ) {
            $0.threads = ["k8s-ci-robot", "lint-bot", "lint[bot]", "Labs-Automation"].map {
                [comment("ada", 2), comment($0, 4)]
            }
        },
        TurnSituation(
            "You reviewed it, and its author has pushed since",
            says: ["changed since your review"],
            found: [.reviewed]
        ) {
            $0.ownReview = review("ada", .commented, 3, head: "old")
            $0.committedAt = day(5)
        },
        TurnSituation(
            "You approved it, and a push dismissed your approval",
            says: ["a push dismissed your approval", "changed since your review"],
            since: ("the dismissal", day(5)),
            found: [.reviewed]
        ) {
            $0.ownReview = review("ada", .dismissed, 3, head: "old")
            $0.committedAt = day(5)
            $0.dismissals = [.init(login: "ada", state: .approved, at: day(5), isByPush: true)]
        },
        TurnSituation(
            "You approved it, a push dismissed your approval, and you have approved it again",
            says: [],
            found: [.reviewed]
        ) {
            $0.ownReview = review("ada", .approved, 6)
            $0.dismissals = [.init(login: "ada", state: .approved, at: day(5), isByPush: true)]
        },
        TurnSituation(
            "It is merged or closed, whatever was requested",
            says: [],
            found: [.reviewRequested]
        ) {
            $0.pull.state = .merged
            $0.reviewers = [.user("ada")]
        },
    ]

    private static let own = [
        TurnSituation(
            "Its checks fail",
            says: ["your PR’s checks fail"],
            since: ("the first failed check ended", day(3)),
            author: "ada", found: [.yours]
        ) {
            $0.pull.checks = .init(state: .failed)
            ($0.checksFailedAt, $0.checksEndedAt) = (day(3), day(4))
        },
        TurnSituation(
            "Its checks are running",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.checks = .init(state: .running)
        },
        TurnSituation(
            "It conflicts with its base branch",
            says: ["merge conflicts"],
            since: ("the last activity: GitHub does not say since when", day(15)),
            author: "ada", found: [.yours]
        ) {
            $0.pull.mergeable = .conflicting
        },
        TurnSituation(
            "It is approved, and conflicts with its base branch",
            says: ["merge conflicts"],
            since: ("the last activity", day(15)),
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 4)]
            $0.pull.mergeable = .conflicting
        },
        TurnSituation(
            "It is approved, and its checks have passed",
            says: ["ready to merge"],
            since: ("the approval, or the end of the checks if that was later", day(6)),
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 4)]
            $0.pull.checks = .init(state: .passed)
            $0.checksEndedAt = day(6)
        },
        TurnSituation(
            "It is approved, and checks are running",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 4)]
            $0.pull.checks = .init(state: .running, passed: 3, running: 1)
        },
        TurnSituation(
            "It is approved, and in the merge queue",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 4)]
            $0.isInMergeQueue = true
        },
        TurnSituation(
            "It is approved, and auto-merge is on",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 4)]
            $0.hasAutoMerge = true
        },
        TurnSituation(
            "It is approved, and you may not merge in its repository",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 4)]
            $0.permission = .triage
        },
        TurnSituation(
            "It is approved, and a draft",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 4)]
            $0.pull.isDraft = true
        },
        TurnSituation(
            "Changes were requested",
            says: ["changes requested"],
            since: ("the review", day(4)),
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .changesRequested
            $0.opinions = [review("hedy", .changesRequested, 4)]
        },
        TurnSituation(
            "Changes were requested, and you have pushed since",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .changesRequested
            $0.opinions = [review("hedy", .changesRequested, 4, head: "old")]
        },
        TurnSituation(
            "Changes were requested, and you have asked that reviewer again",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.pull.reviewDecision = .changesRequested
            $0.reviewers = [.user("hedy")]
            $0.opinions = [review("hedy", .changesRequested, 4)]
        },
        TurnSituation(
            "A reviewer commented, and neither approved it nor requested changes",
            says: ["a comment awaits your answer"],
            since: ("the review", day(4)),
            author: "ada", found: [.yours]
        ) {
            $0.reviews = [review("hedy", .commented, 4)]
        },
        TurnSituation(
            "A reviewer commented, and you have answered or pushed since",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.reviews = [review("hedy", .commented, 4), review("alan", .commented, 6, head: "old")]
            $0.comments = [comment("ada", 5)]
        },
        TurnSituation(
            "A reviewer commented, and approved it later",
            says: ["ready to merge"],
            since: ("the approval", day(6)),
            author: "ada", found: [.yours]
        ) {
            $0.reviews = [review("hedy", .commented, 4), review("hedy", .approved, 6)]
            $0.opinions = [review("hedy", .approved, 6)]
        },
        TurnSituation(
            "Someone asks you something for the first time",
            says: ["a comment awaits your answer"],
            since: ("the question", day(4)),
            author: "ada", found: [.yours]
        ) {
            $0.comments = [comment("hedy", 4)]
        },
        TurnSituation(
            "A thread on its code is open, and someone else had the last word",
            says: ["a comment awaits your answer"],
            since: ("the first word that you have not answered", day(4)),
            author: "ada", found: [.yours]
        ) {
            $0.threads = [[comment("hedy", 4), comment("alan", 5)]]
        },
        TurnSituation(
            "A thread on its code is open, and you had the last word",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.threads = [[comment("hedy", 4), comment("ada", 5)]]
        },
        TurnSituation(
            "A reviewer commented on the code, and each of those threads is resolved",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.reviews = [review("hedy", .commented, 4, id: "R1")]
            $0.reviewsInThreads = ["R1"]
        },
        TurnSituation(
            "Someone answered you",
            says: ["your comment was answered"],
            since: ("the answer", day(4)),
            author: "ada", found: [.yours]
        ) {
            $0.comments = [comment("ada", 2), comment("hedy", 4)]
        },
        TurnSituation(
            "Only bots commented",
            says: [],
            author: "ada", found: [.yours]
        ) {
            $0.comments = [comment("k8s-ci-robot", 4), comment("lint", 5, isBot: true)]
            $0.threads = [[comment("labs-automation", 4)]]
            $0.reviews = [review("lint-bot", .commented, 4)]
        },
    ]

    static let marks = [
        MarkSituation(
            "Its author pushes",
            done: true, snoozed: true, found: [.reviewRequested],
            after: { $0.head = "new" }),
        MarkSituation(
            "Someone comments or reviews",
            done: true, snoozed: true, found: [.reviewRequested],
            after: { $0.comments = [comment("hedy", 9)] }),
        MarkSituation(
            "The draft becomes ready for review",
            done: true, snoozed: true, found: [.reviewRequested],
            before: { $0.pull.isDraft = true },
            after: { ($0.pull.isDraft, $0.readyAt) = (false, day(9)) }),
        MarkSituation(
            "A review is requested of you again",
            done: true, snoozed: true, found: [.reviewRequested],
            after: { $0.requests.append(.init(reviewer: .user("ada"), at: day(9))) }),
        MarkSituation(
            "Its checks fail",
            done: true, snoozed: true, found: [.reviewRequested],
            before: { $0.pull.checks = .init(state: .running) },
            after: { $0.pull.checks = .init(state: .failed) }),
        MarkSituation(
            "Its failed checks pass",
            done: true, snoozed: true, found: [.reviewRequested],
            before: { $0.pull.checks = .init(state: .failed) },
            after: { $0.pull.checks = .init(state: .passed) }),
        MarkSituation(
            "Its running checks pass",
            done: false, snoozed: false, found: [.reviewRequested],
            before: { $0.pull.checks = .init(state: .running) },
            after: { $0.pull.checks = .init(state: .passed) }),
        MarkSituation(
            "It is yours and approved, and its running checks pass",
            done: false, snoozed: false, author: "ada", found: [.yours],
            before: { ($0.pull.checks, $0.pull.reviewDecision) = (.init(state: .running), .approved) },
            after: { $0.pull.checks = .init(state: .passed) }),
        MarkSituation(
            "A bot comments",
            done: false, snoozed: false, found: [.reviewRequested],
            after: { $0.comments = [comment("lint-bot", 9)] }),
        MarkSituation(
            "You comment",
            done: false, snoozed: false, found: [.reviewRequested],
            after: { $0.comments = [comment("ada", 9)] }),
        MarkSituation(
            "It is assigned to you as well",
            done: true, snoozed: false, found: [.reviewRequested], later: [.reviewRequested, .assigned]),
        MarkSituation(
            "Your review is no longer requested, and its author pushes",
            done: false, snoozed: true, found: [.reviewRequested], later: [.mentions],
            after: { ($0.reviewers, $0.head) = ([], "new") }),
    ]
}
