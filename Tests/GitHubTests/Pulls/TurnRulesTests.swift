import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct TurnRulesTests {
    private let rules = TurnRules(login: "Ada", teams: ["roost/core"])
    private let start = TestClock.start - 20 * 86_400

    private func day(_ days: Double) -> Date { start + days * 86_400 }

    private func facts(
        by author: String = "grace", _ change: (inout FetchedPull) -> Void = { _ in }
    ) throws -> FetchedPull {
        var pull = try PullRequest(
            repositoryOwner: "roost", repositoryName: "nest", number: 7, title: "Tidy", authorLogin: author,
            updatedAt: day(15), htmlURL: "https://github.com/roost/nest/pull/7")
        pull.createdAt = day(0)
        pull.isDraft = false
        var facts = FetchedPull(pull: pull)
        facts.reviewers = []
        facts.head = "head"
        facts.committedAt = day(1)
        change(&facts)
        return facts
    }

    private func comment(_ login: String, _ days: Double, isBot: Bool = false) -> FetchedPull.Comment {
        FetchedPull.Comment(login: login, isBot: isBot, at: day(days))
    }

    private func review(
        _ login: String, _ state: FetchedPull.Review.State, _ days: Double, head: String? = "head"
    ) -> FetchedPull.Review {
        FetchedPull.Review(comment: comment(login, days), state: state, head: head)
    }

    private func waits(
        _ facts: FetchedPull, found: TurnRules.MatchedSearches = [], rules: TurnRules? = nil
    ) -> [TurnRules.DatedReason] {
        (rules ?? self.rules).waits(facts, found: found)
    }

    private func item(
        _ facts: FetchedPull, found: TurnRules.MatchedSearches, rules: TurnRules? = nil
    ) -> InboxItem {
        InboxItem(
            facts, at: PullFixture.key(7), of: 1, searches: found, rules: rules ?? self.rules)
    }

    // Requests

    @Test func `a request by name is your turn, since the last request`() throws {
        let facts = try facts {
            $0.reviewers = [.user("ada")]
            $0.requests = [
                .init(reviewer: .user("ada"), at: day(2)), .init(reviewer: .user("ada"), at: day(5)),
                .init(reviewer: .user("hedy"), at: day(9)),
            ]
        }
        #expect(waits(facts, found: [.reviewRequested]) == [.init(.askedByName, since: day(5))])
    }

    @Test func `without the request's time the wait counts from the creation`() throws {
        let facts = try facts { $0.reviewers = [.user("ada")] }
        #expect(waits(facts).map(\.since) == [day(0)])
    }

    @Test func `a team that is requested again has its turn again`() throws {
        let facts = try facts {
            $0.reviewers = [.team("roost/core")]
            $0.reviews = [review("hedy", .approved, 3)]
            $0.requests = [.init(reviewer: .team("roost/core"), at: day(5))]
        }
        #expect(
            waits(facts, found: [.reviewRequested]) == [.init(.askedThroughTeam("roost/core"), since: day(5))]
        )
    }

    @Test func `a parent of your team is named`() throws {
        let facts = try facts { $0.reviewers = [.team("roost/everybody")] }
        #expect(
            waits(facts, found: [.reviewRequested]).map(\.reason) == [.askedThroughTeam("roost/everybody")])
        #expect(rules.requestingTeams(facts, found: [.mentions]).isEmpty)
    }

    @Test(arguments: [PullRequest.State.closed, .merged])
    func `a closed or merged pull request waits for no one`(state: PullRequest.State) throws {
        var otherPull = try facts { $0.reviewers = [.user("ada")] }
        #expect(!waits(otherPull, found: [.own(1)]).isEmpty)
        otherPull.pull.state = state
        #expect(waits(otherPull, found: [.own(1)]).isEmpty)
        let ownPull = try facts(by: "ada") {
            $0.pull.checks = .init(state: .failed)
            $0.pull.state = state
        }
        #expect(waits(ownPull, found: [.own(1)]).isEmpty)
        #expect(!item(ownPull, found: [.own(1)]).isAuthoredByUser)
        #expect(item(ownPull, found: [.yours]).isAuthoredByUser)
    }

    @Test func `where no review is required an approval counts, unless someone requests changes`() throws {
        let approved = try facts(by: "ada") { $0.opinions = [review("grace", .approved, 3)] }
        #expect(waits(approved) == [.init(.approvedUnmerged, since: day(3))])
        var mixed = approved
        mixed.opinions.append(review("hedy", .changesRequested, 4))
        #expect(!waits(mixed).map(\.reason).contains(.approvedUnmerged))
        var required = approved
        required.pull.reviewDecision = .reviewRequired
        #expect(waits(required).isEmpty)
    }

    @Test func `a request by name goes before one of your team, and another team's is not yours`() throws {
        let requestedTwice = try facts { $0.reviewers = [.user("ada"), .team("roost/core")] }
        #expect(waits(requestedTwice, found: [.reviewRequested]).map(\.reason) == [.askedByName])
        #expect(rules.requestingTeams(requestedTwice, found: [.reviewRequested]) == ["roost/core"])
        let otherPull = try facts { $0.reviewers = [.team("roost/docs")] }
        #expect(waits(otherPull).isEmpty && rules.requestingTeams(otherPull, found: []).isEmpty)
    }

    @Test func `a team that the token may not read is a team without a name`() throws {
        let facts = try facts { $0.reviewers = [.team(nil)] }
        let blind = TurnRules(login: "ada", teams: nil)
        #expect(
            waits(facts, found: [.reviewRequested], rules: blind).map(\.reason) == [.askedThroughTeam(nil)])
        #expect(waits(facts, found: [.mentions], rules: blind).isEmpty)
    }

    @Test func `with REST only, the searches decide whose review is requested`() throws {
        let facts = try facts {
            $0.reviewers = nil
            $0.hasDetail = false
        }
        #expect(
            waits(facts, found: [.reviewRequested, .reviewRequestedByName]).map(\.reason) == [.askedByName])
        let team: TurnRules.MatchedSearches = [.reviewRequested, .team("roost/core")]
        #expect(waits(facts, found: team).map(\.reason) == [.askedThroughTeam("roost/core")])
        #expect(waits(facts, found: [.reviewRequested]).map(\.reason) == [.askedThroughTeam(nil)])
    }

    // Answers

    @Test func `an answer is noticed even if your own comment is older than the fetched ones`() throws {
        var facts = try facts {
            $0.comments = [comment("grace", 4)] + (0..<49).map { comment("person-\($0)", 5) }
            $0.hasEarlierComments = true
        }
        #expect(waits(facts, found: [.commented]) == [.init(.commentAnswered, since: day(4))])
        #expect(waits(facts, found: [.mentions]).isEmpty, "the search does not say that you commented")
        facts.ownReview = review("ada", .commented, 6)
        #expect(waits(facts, found: [.commented]).isEmpty, "your review is later")
    }

    @Test(arguments: ["tidy-bot", "Tidy-Bot", "tidy[bot]", "k8s-ci-robot", "labs-automation"])
    func `a machine account is a bot even if GitHub calls it a user`(login: String) throws {
        let rules = TurnRules(login: "ada", teams: [], bots: ["labs-automation"])
        let facts = try facts { $0.threads = [[comment("ada", 2), comment(login, 3)]] }
        #expect(waits(facts, rules: rules).isEmpty)
        let botPull = try self.facts(by: login)
        #expect(item(botPull, found: [.mentions], rules: rules).pull.isFromBot)
        let person = try self.facts { $0.threads = [[comment("ada", 2), comment("robot-ada", 3)]] }
        #expect(waits(person, rules: rules).map(\.reason) == [.commentAnswered])
    }

    @Test func `your review is a reply to the conversation`() throws {
        let facts = try facts {
            $0.comments = [comment("ada", 2), comment("grace", 4)]
            $0.reviews = [review("ada", .commented, 6)]
        }
        #expect(!waits(facts).map(\.reason).contains(.commentAnswered))
    }

    // Your own

    @Test func `your failing checks are your turn, since the commit if their end is unknown`()
        throws
    {
        let facts = try facts(by: "ada") {
            $0.pull.checks = .init(state: .failed)
            $0.pull.isDraft = true
        }
        #expect(waits(facts) == [.init(.checksFail, since: day(1))])
        let otherPull = try self.facts { $0.pull.checks = .init(state: .failed) }
        #expect(waits(otherPull).isEmpty)
        let running = try self.facts(by: "ada") { $0.pull.checks = .init(state: .running, failed: 1) }
        #expect(waits(running).isEmpty)
    }

    @Test func `one running check is enough to wait for, whatever has failed`() throws {
        let facts = try facts(by: "ada") {
            $0.pull.reviewDecision = .approved
            $0.pull.checks = .init(state: .failed, passed: 1, failed: 1, running: 1)
        }
        #expect(waits(facts).map(\.reason) == [.checksFail])
    }

    @Test(arguments: [
        (FetchedPull.Permission?.none, true), (.read, false), (.triage, false), (.write, true),
        (.maintain, true), (.admin, true),
    ])
    func `a user who may not merge is not asked to`(permission: FetchedPull.Permission?, isReady: Bool) throws
    {
        let facts = try facts(by: "ada") {
            $0.pull.reviewDecision = .approved
            $0.permission = permission
        }
        #expect(waits(facts).map(\.reason) == (isReady ? [.approvedUnmerged] : []))
    }

    @Test func `requested changes are your turn until you push`() throws {
        let facts = try facts(by: "ada") { $0.opinions = [review("hedy", .changesRequested, 3)] }
        #expect(waits(facts) == [.init(.changesRequested, since: day(3))])
        var pushed = facts
        pushed.head = "newer"
        #expect(waits(pushed).isEmpty)
        var unnamed = facts
        unnamed.opinions = [review("hedy", .changesRequested, 3, head: nil)]
        #expect(waits(unnamed).map(\.reason) == [.changesRequested])
        unnamed.committedAt = day(4)
        #expect(waits(unnamed).isEmpty)
    }

    @Test func `several reasons are listed together`() throws {
        let facts = try facts(by: "ada") {
            $0.pull.checks = .init(state: .failed)
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 2)]
        }
        #expect(waits(facts).map(\.reason) == [.checksFail, .approvedUnmerged])
    }

    @Test func `a comment on an older head, or one that its author followed up, is settled`()
        throws
    {
        let commenting = review("hedy", .commented, 4)
        let open = try facts(by: "ada") { $0.reviews = [commenting] }
        #expect(waits(open) == [.init(.commentUnanswered, since: day(4))])
        let settled: [(inout FetchedPull) -> Void] = [
            { $0.head = "newer" }, { $0.reviews.append(review("Hedy", .changesRequested, 5)) },
            { $0.comments = [comment("ada", 5)] }, { $0.threads = [[comment("ada", 5)]] },
            { $0.reviews.append(review("ada", .commented, 5)) },
        ]
        for (number, settle) in settled.enumerated() {
            var facts = open
            settle(&facts)
            #expect(waits(facts).isEmpty, "\(number)")
        }
        var other = open
        other.reviews.append(review("alan", .approved, 5))
        #expect(waits(other) == [.init(.commentUnanswered, since: day(4))], "another's approval is no answer")
    }

    @Test func `a dismissed approval is reported until you review again, even if a person dismissed it`()
        throws
    {
        let dismissed = try facts {
            $0.dismissals = [.init(login: "Ada", state: .approved, at: day(5), isByPush: false)]
        }
        #expect(waits(dismissed) == [.init(.approvalDismissed(byPush: false), since: day(5))])
        let otherPull = try facts {
            $0.dismissals = [
                .init(login: "hedy", state: .approved, at: day(5), isByPush: true),
                .init(login: "ada", state: .changesRequested, at: day(5), isByPush: true),
            ]
        }
        #expect(waits(otherPull).isEmpty)
    }

    // Changed since

    @Test func `a push whose commit is older than your review counts from the review`() throws {
        let facts = try facts { $0.ownReview = review("ada", .approved, 3, head: "old") }
        #expect(waits(facts).first?.since == day(3))
    }

    @Test func `a comment by the author after your review is a change, others' comments are not`() throws {
        let author = try facts {
            $0.ownReview = review("ada", .approved, 3)
            $0.comments = [comment("grace", 4)]
        }
        #expect(waits(author).map(\.reason) == [.changedSinceReview])
        let other = try facts {
            $0.ownReview = review("ada", .approved, 3)
            $0.comments = [comment("hedy", 4)]
        }
        #expect(waits(other).isEmpty)
    }

    @Test func `without a review of yours nothing has changed since it`() throws {
        let facts = try facts { $0.comments = [comment("grace", 4)] }
        #expect(waits(facts, found: [.reviewed]).isEmpty)
    }
}
