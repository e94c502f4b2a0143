import Foundation
import Testing

@testable import GitHub

@Suite struct TurnRulesTests {
    private let rules = TurnRules(login: "Ada", teams: ["roost/core"])
    private let start = TestClock.start - 20 * 86_400

    /// Days after the beginning.
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

    private func word(_ login: String, _ days: Double, isBot: Bool = false) -> FetchedPull.Comment {
        FetchedPull.Comment(login: login, isBot: isBot, at: day(days))
    }

    private func review(
        _ login: String, _ state: FetchedPull.Review.State, _ days: Double, head: String? = "head"
    ) -> FetchedPull.Review {
        FetchedPull.Review(word: word(login, days), state: state, head: head)
    }

    private func waits(
        _ facts: FetchedPull, found: TurnRules.MatchedSearches = [], rules: TurnRules? = nil
    ) -> [TurnRules.DatedReason] {
        (rules ?? self.rules).waits(facts, found: found)
    }

    // Requests

    @Test func `asked by name it is your turn, since you were asked last`() throws {
        let facts = try facts {
            $0.reviewers = [.user("ada")]
            $0.requests = [
                .init(reviewer: .user("ada"), at: day(2)), .init(reviewer: .user("ada"), at: day(5)),
                .init(reviewer: .user("hedy"), at: day(9)),
            ]
        }
        #expect(waits(facts, found: [.asked]) == [.init(.askedByName, since: day(5))])
    }

    @Test func `without the request's time it counts from the beginning`() throws {
        let facts = try facts { $0.reviewers = [.user("ada")] }
        #expect(waits(facts).map(\.since) == [day(0)])
    }

    @Test func `a draft asks whom it names, and no team before it is ready`() throws {
        let named = try facts {
            $0.reviewers = [.user("ada"), .team("roost/core")]
            $0.pull.isDraft = true
        }
        #expect(waits(named, found: [.asked]).map(\.reason) == [.askedByName])
        var team = named
        team.reviewers = [.team("roost/core")]
        #expect(waits(team, found: [.asked]).map(\.isTurn) == [false])
    }

    @Test(arguments: [FetchedPull.Review.State.approved, .changesRequested, .commented])
    func `asked through a team it is your turn as long as the team is asked, whoever has reviewed`(
        state: FetchedPull.Review.State
    ) throws {
        let facts = try facts {
            $0.reviewers = [.team("Roost/Core")]
            $0.reviews = [review("hedy", state, 3)]
            $0.opinions = $0.reviews
        }
        #expect(waits(facts, found: [.asked]) == [.init(.askedThroughTeam("Roost/Core"), since: day(0))])
    }

    @Test func `two teams are two requests, each since it was asked`() throws {
        let rules = TurnRules(login: "ada", teams: ["roost/core", "roost/docs"])
        let facts = try facts {
            $0.reviewers = [.team("roost/core"), .team("roost/docs")]
            $0.requests = [
                .init(reviewer: .team("roost/core"), at: day(2)),
                .init(reviewer: .team("roost/docs"), at: day(6)),
            ]
        }
        let expected = [
            TurnRules.DatedReason(.askedThroughTeam("roost/core"), since: day(2)),
            .init(.askedThroughTeam("roost/docs"), since: day(6)),
        ]
        #expect(waits(facts, found: [.asked], rules: rules) == expected)
    }

    @Test func `a team that is asked anew has its turn again`() throws {
        let facts = try facts {
            $0.reviewers = [.team("roost/core")]
            $0.reviews = [review("hedy", .approved, 3)]
            $0.requests = [.init(reviewer: .team("roost/core"), at: day(5))]
        }
        #expect(waits(facts, found: [.asked]) == [.init(.askedThroughTeam("roost/core"), since: day(5))])
    }

    @Test func `a team above your own is named`() throws {
        let facts = try facts { $0.reviewers = [.team("roost/everybody")] }
        #expect(waits(facts, found: [.asked]).map(\.reason) == [.askedThroughTeam("roost/everybody")])
        #expect(rules.askingTeams(facts, found: [.mentions]).isEmpty)
    }

    @Test(arguments: [PullRequest.State.closed, .merged])
    func `what is over waits for nobody`(state: PullRequest.State) throws {
        var others = try facts { $0.reviewers = [.user("ada")] }
        #expect(!waits(others, found: [.own(1)]).isEmpty)
        others.pull.state = state
        #expect(waits(others, found: [.own(1)]).isEmpty)
        let mine = try facts(by: "ada") {
            $0.pull.checks = .init(state: .failed)
            $0.pull.state = state
        }
        #expect(waits(mine, found: [.own(1)]).isEmpty)
        #expect(!ClassifiedPull(mine, finds: [.own(1)], rules: rules).isYours)
        #expect(ClassifiedPull(mine, finds: [.yours], rules: rules).isYours)
    }

    @Test func `where no review is required an approval counts, unless somebody asks for changes`() throws {
        let approved = try facts(by: "ada") { $0.opinions = [review("grace", .approved, 3)] }
        #expect(waits(approved) == [.init(.approvedUnmerged, since: day(3))])
        var mixed = approved
        mixed.opinions.append(review("hedy", .changesRequested, 4))
        #expect(!waits(mixed).map(\.reason).contains(.approvedUnmerged))
        var required = approved
        required.pull.reviewDecision = .reviewRequired
        #expect(waits(required).isEmpty)
    }

    @Test func `who asked for changes and is asked again has had an answer`() throws {
        let asked = try facts(by: "ada") {
            $0.opinions = [review("grace", .changesRequested, 4, head: "head")]
        }
        #expect(waits(asked).map(\.reason) == [.changesRequested])
        var again = asked
        again.reviewers = [.user("Grace")]
        #expect(waits(again).isEmpty)
    }

    @Test func `a bot's review is nobody's review`() throws {
        let facts = try facts {
            $0.reviewers = [.team("roost/core")]
            $0.reviews = [.init(word: word("lint", 2, isBot: true), state: .commented)]
        }
        #expect(waits(facts, found: [.asked]).map(\.isTurn) == [true])
    }

    @Test func `by name goes before the team, and another team is not yours`() throws {
        let both = try facts { $0.reviewers = [.user("ada"), .team("roost/core")] }
        #expect(waits(both, found: [.asked]).map(\.reason) == [.askedByName])
        #expect(rules.askingTeams(both, found: [.asked]) == ["roost/core"])
        let others = try facts { $0.reviewers = [.team("roost/docs")] }
        #expect(waits(others).isEmpty && rules.askingTeams(others, found: []).isEmpty)
    }

    @Test func `a team that the token may not see is a team without a name`() throws {
        let facts = try facts { $0.reviewers = [.team(nil)] }
        let blind = TurnRules(login: "ada", teams: nil)
        #expect(waits(facts, found: [.asked], rules: blind).map(\.reason) == [.askedThroughTeam(nil)])
        #expect(waits(facts, found: [.mentions], rules: blind).isEmpty)
    }

    @Test func `where only REST is to be had, the searches say who is asked`() throws {
        let facts = try facts {
            $0.reviewers = nil
            $0.hasDetail = false
        }
        #expect(waits(facts, found: [.asked, .askedByName]).map(\.reason) == [.askedByName])
        let team: TurnRules.MatchedSearches = [.asked, .team("roost/core")]
        #expect(waits(facts, found: team).map(\.reason) == [.askedThroughTeam("roost/core")])
        #expect(waits(facts, found: [.asked]).map(\.reason) == [.askedThroughTeam(nil)])
    }

    // Answers

    @Test func `your comment was answered when a person spoke after you`() throws {
        let facts = try facts { $0.words = [word("ada", 2), word("lint", 3, isBot: true), word("grace", 4)] }
        #expect(waits(facts) == [.init(.commentAnswered, since: day(4))])
    }

    @Test func `what others say to one another under somebody's pull request is no answer`() throws {
        let facts = try facts { $0.words = [word("ada", 2), word("hedy", 4)] }
        #expect(waits(facts).isEmpty)
        let mine = try self.facts(by: "ada") { $0.words = [word("ada", 2), word("hedy", 4)] }
        #expect(waits(mine) == [.init(.commentAnswered, since: day(4))])
    }

    @Test func `an answer is seen although your own words are further back than what was asked for`() throws {
        var facts = try facts {
            $0.words = [word("grace", 4)] + (0..<49).map { word("person-\($0)", 5) }
            $0.hasEarlierWords = true
        }
        #expect(waits(facts, found: [.commented]) == [.init(.commentAnswered, since: day(4))])
        #expect(waits(facts, found: [.mentions]).isEmpty, "the search does not say that you commented")
        facts.ownReview = review("ada", .commented, 6)
        #expect(waits(facts, found: [.commented]).isEmpty, "your review is later")
    }

    @Test(arguments: ["tidy-bot", "Tidy-Bot", "tidy[bot]", "k8s-ci-robot", "labs-automation"])
    func `a machine is a bot although GitHub calls it a user`(login: String) throws {
        let rules = TurnRules(login: "ada", teams: [], bots: ["labs-automation"])
        let facts = try facts { $0.threads = [[word("ada", 2), word(login, 3)]] }
        #expect(waits(facts, rules: rules).isEmpty)
        let theirs = try self.facts(by: login)
        #expect(ClassifiedPull(theirs, finds: [.mentions], rules: rules).pull.isFromBot)
        let person = try self.facts { $0.threads = [[word("ada", 2), word("robot-ada", 3)]] }
        #expect(waits(person, rules: rules).map(\.reason) == [.commentAnswered])
    }

    @Test func `bots answer nobody, and your own last word ends it`() throws {
        let bots = try facts { $0.words = [word("ada", 2), word("lint", 3, isBot: true)] }
        #expect(waits(bots).isEmpty)
        let ended = try facts { $0.words = [word("ada", 2), word("grace", 4), word("ADA", 5)] }
        #expect(waits(ended).isEmpty)
        let silent = try facts { $0.words = [word("grace", 4)] }
        #expect(waits(silent).isEmpty)
    }

    @Test func `a review of yours is a reply to the conversation`() throws {
        let facts = try facts {
            $0.words = [word("ada", 2), word("grace", 4)]
            $0.reviews = [review("ada", .commented, 6)]
        }
        #expect(!waits(facts).map(\.reason).contains(.commentAnswered))
    }

    @Test func `a thread on the code is answered on its own`() throws {
        let facts = try facts {
            $0.threads = [[word("ada", 2), word("hedy", 3)], [word("grace", 5), word("ada", 6)]]
        }
        #expect(waits(facts).map(\.reason) == [.commentAnswered] && waits(facts).first?.since == day(3))
    }

    // Your own

    @Test func `your failing checks are your turn, since the commit where their end is unknown`()
        throws
    {
        let facts = try facts(by: "ada") {
            $0.pull.checks = .init(state: .failed)
            $0.pull.isDraft = true
        }
        #expect(waits(facts) == [.init(.checksFail, since: day(1))])
        let others = try self.facts { $0.pull.checks = .init(state: .failed) }
        #expect(waits(others).isEmpty)
        let running = try self.facts(by: "ada") { $0.pull.checks = .init(state: .running, failed: 1) }
        #expect(waits(running).isEmpty)
    }

    @Test func `one check that still runs is enough to wait for, whatever failed`() throws {
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
    func `who may not merge is not asked to`(permission: FetchedPull.Permission?, isReady: Bool) throws {
        let facts = try facts(by: "ada") {
            $0.pull.reviewDecision = .approved
            $0.permission = permission
        }
        #expect(waits(facts).map(\.reason) == (isReady ? [.approvedUnmerged] : []))
    }

    @Test func `approved and unmerged is your turn unless it is a draft or conflicts`() throws {
        let good = try facts(by: "ada") {
            $0.pull.reviewDecision = .approved
            $0.pull.mergeable = .mergeable
            $0.opinions = [review("hedy", .approved, 3), review("grace", .approved, 4)]
        }
        #expect(waits(good) == [.init(.approvedUnmerged, since: day(4))])
        var draft = good
        draft.pull.isDraft = true
        #expect(waits(draft).isEmpty)
        var conflicting = good
        conflicting.pull.mergeable = .conflicting
        #expect(waits(conflicting) == [.init(.conflicts, since: day(15))])
        conflicting.pull.checks = .init(state: .failed)
        #expect(waits(conflicting).map(\.reason) == [.checksFail, .conflicts])
        var required = good
        required.pull.reviewDecision = .reviewRequired
        #expect(waits(required).isEmpty)
    }

    @Test func `changes asked for are your turn until you push`() throws {
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

    @Test func `several reasons stand together`() throws {
        let facts = try facts(by: "ada") {
            $0.pull.checks = .init(state: .failed)
            $0.pull.reviewDecision = .approved
            $0.opinions = [review("hedy", .approved, 2)]
        }
        #expect(waits(facts).map(\.reason) == [.checksFail, .approvedUnmerged])
    }

    @Test func `a comment that is not of the head as it is, or that its author followed up, is settled`()
        throws
    {
        let comment = review("hedy", .commented, 4)
        let open = try facts(by: "ada") { $0.reviews = [comment] }
        #expect(waits(open) == [.init(.commentUnanswered, since: day(4))])
        let settled: [(inout FetchedPull) -> Void] = [
            { $0.head = "newer" }, { $0.reviews.append(review("Hedy", .changesRequested, 5)) },
            { $0.words = [word("ada", 5)] }, { $0.threads = [[word("ada", 5)]] },
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

    @Test func `a dismissal of your approval is said until you review again, by a person too`() throws {
        let dismissed = try facts {
            $0.dismissals = [.init(login: "Ada", state: .approved, at: day(5), isByPush: false)]
        }
        #expect(waits(dismissed) == [.init(.approvalDismissed(byPush: false), since: day(5))])
        let others = try facts {
            $0.dismissals = [
                .init(login: "hedy", state: .approved, at: day(5), isByPush: true),
                .init(login: "ada", state: .changesRequested, at: day(5), isByPush: true),
            ]
        }
        #expect(waits(others).isEmpty)
    }

    // Changed since

    @Test func `a new head after your review is a change, and no turn by itself`() throws {
        let facts = try facts {
            $0.ownReview = review("ada", .approved, 3, head: "old")
            $0.committedAt = day(5)
        }
        let expected = TurnRules.DatedReason(.changedSinceReview, since: day(5), isTurn: false)
        #expect(waits(facts, found: [.reviewed]) == [expected])
        var same = facts
        same.ownReview = review("ada", .approved, 3, head: "head")
        #expect(waits(same, found: [.reviewed]).isEmpty)
    }

    @Test func `a commit that is older than the review it was pushed after counts from the review`() throws {
        let facts = try facts { $0.ownReview = review("ada", .approved, 3, head: "old") }
        #expect(waits(facts).first?.since == day(3))
    }

    @Test func `words of the author after your review are a change, those of others are not`() throws {
        let author = try facts {
            $0.ownReview = review("ada", .approved, 3)
            $0.words = [word("grace", 4)]
        }
        #expect(waits(author).map(\.reason) == [.changedSinceReview])
        let other = try facts {
            $0.ownReview = review("ada", .approved, 3)
            $0.words = [word("hedy", 4)]
        }
        #expect(waits(other).isEmpty)
    }

    @Test func `without a review of yours nothing has changed since it`() throws {
        let facts = try facts { $0.words = [word("grace", 4)] }
        #expect(waits(facts, found: [.reviewed]).isEmpty)
    }
}
