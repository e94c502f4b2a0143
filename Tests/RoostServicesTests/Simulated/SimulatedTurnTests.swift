import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// Situations of the article "Whose turn it is" as the simulated GitHub makes them, from the query to the inbox.
@Suite struct SimulatedTurnTests {
    /// The first account's GitHub is a simulated one by the same clock.
    private func withGitHub(
        _ body: (PullServiceFixture, GitHubSimulation) async throws -> Void
    ) async throws {
        try await withPulls { fixture in
            try await body(fixture, fixture.simulateGitHub())
        }
    }

    /// What the inbox says a minute later; nil where the pull request is in none of its sections.
    private func refreshed(_ pull: SimulatedPull, _ fixture: PullServiceFixture) async throws -> InboxItem? {
        fixture.clock.advance(60)
        await fixture.refresh()
        let inbox = try await fixture.inbox
        let source = inbox.sources.first
        #expect(source?.error == nil && source?.refused == 0, "\(fixture.log.lines)")
        return inbox.sections.flatMap(\.items).first { $0.pull.id == pull.key }
    }

    /// A pull request of ada's with checks that have passed and without conflicts.
    private func opened(
        in repository: String = "lovelace-labs/analytical-engine", _ gitHub: GitHubSimulation
    ) throws -> SimulatedPull {
        let pull = try gitHub.open(.init(repository: repository, author: "ada"))
        try gitHub.passChecks(of: pull.key)
        return try gitHub.setConflict(false, of: pull.key)
    }

    @Test func `approved it is ready to merge, but not with auto-merge, in the queue or with conflicts`()
        async throws
    {
        try await withGitHub { fixture, gitHub in
            let pull = try opened(gitHub)
            try gitHub.review(pull.key, by: "grace")
            let approval = fixture.clock.now
            let ready = try await refreshed(pull, fixture)
            #expect(ready?.reasons == [.approvedUnmerged] && ready?.waitingSince == approval)
            try gitHub.setConflict(of: pull.key)
            #expect(try await refreshed(pull, fixture)?.reasons == [.conflicts])
            try gitHub.setConflict(false, of: pull.key)
            #expect(try await refreshed(pull, fixture)?.reasons == [.approvedUnmerged])
            try gitHub.queue(pull.key)
            #expect(try await refreshed(pull, fixture)?.reasons == [])
            let other = try opened(gitHub)
            try gitHub.review(other.key, by: "grace")
            try gitHub.enableAutoMerge(of: other.key)
            #expect(try await refreshed(other, fixture)?.reasons == [])
        }
    }

    @Test func `who only reads a repository is not asked to merge there`() async throws {
        try await withGitHub { fixture, gitHub in
            let pull = try opened(in: "grace/nanoseconds", gitHub)
            try gitHub.review(pull.key, by: "grace")
            let item = try await refreshed(pull, fixture)
            #expect(item?.pull.reviewDecision == .approved && item?.reasons == [])
        }
    }

    @Test func `checks that run are waited for, and failed ones wait since they ended`() async throws {
        try await withGitHub { fixture, gitHub in
            let pull = try opened(gitHub)
            try gitHub.review(pull.key, by: "grace")
            fixture.clock.advance(60)
            // The new head's checks begin some seconds after the push.
            try gitHub.push(to: pull.key)
            try gitHub.setConflict(false, of: pull.key)
            await fixture.refresh()
            let running = try await fixture.inbox.sections.flatMap(\.items).first { $0.pull.id == pull.key }
            #expect(running?.pull.checks?.state == .running && running?.reasons == [])
            fixture.clock.advance(600)
            let ended = fixture.clock.now
            try gitHub.failChecks(of: pull.key)
            let failed = try await refreshed(pull, fixture)
            #expect(failed?.reasons.first == .checksFail)
            try gitHub.review(pull.key, by: "grace", .changesRequested)
            let since = try await refreshed(pull, fixture)
            #expect(since?.reasons.first == .checksFail && since?.waitingSince == ended)
        }
    }

    @Test func `a team is asked whoever has approved, and as the 21st reviewer`() async throws {
        try await withGitHub { fixture, gitHub in
            let team = "lovelace-labs/platform"
            let pull = try gitHub.requestReview(of: team)
            fixture.clock.advance(60)
            try gitHub.review(pull.key, by: "edsger")
            #expect(try await refreshed(pull, fixture)?.reasons == [.askedThroughTeam(team)])
            #expect(try await fixture.numbers("turn").contains(pull.number))
            let many = try gitHub.open()
            for person in SimulatedCast.people where !["ada", "grace"].contains(person.login) {
                try gitHub.requestReview(of: person.login, on: many.key)
            }
            try gitHub.requestReview(of: team, on: many.key)
            let item = try await refreshed(many, fixture)
            #expect(item?.reasons == [.askedThroughTeam(team)] && item?.pull.requestedTeams == [team])
        }
    }

    @Test func `what is assigned is one's turn until one has reviewed it`() async throws {
        try await withGitHub { fixture, gitHub in
            let pull = try gitHub.open()
            try gitHub.assign("ada", to: pull.key)
            let assigned = fixture.clock.now
            let item = try await refreshed(pull, fixture)
            #expect(item?.reasons == [.assigned] && item?.waitingSince == assigned)
            try gitHub.review(pull.key, by: "ada", .changesRequested)
            _ = try await refreshed(pull, fixture)
            #expect(try await !fixture.numbers("turn").contains(pull.number))
        }
    }

    @Test func `a push that dismisses an approval is said`() async throws {
        try await withGitHub { fixture, gitHub in
            let pull = try gitHub.open()
            fixture.clock.advance(60)
            try gitHub.review(pull.key, by: "ada")
            fixture.clock.advance(60)
            try gitHub.dismissApproval(of: "ada", on: pull.key)
            let reasons = try await refreshed(pull, fixture)?.reasons
            #expect(reasons == [.approvalDismissed(byPush: true), .changedSinceReview])
        }
    }

    @Test func `an answer stays shown when ten others comment after it`() async throws {
        try await withGitHub { fixture, gitHub in
            let pull = try gitHub.open()
            for author in ["ada", "grace"] + [String](repeating: "hedy", count: 10) {
                fixture.clock.advance(60)
                try gitHub.comment(on: pull.key, by: author)
            }
            #expect(try await refreshed(pull, fixture)?.reasons == [.commentAnswered])
        }
    }

    @Test func `machines need no answer, nor does a bot of one's own list, and people do`() async throws {
        try await withGitHub { fixture, gitHub in
            let pull = try opened(gitHub)
            for machine in ["k8s-ci-robot", "lovelace-bot", "dependabot"] {
                try gitHub.comment(on: pull.key, by: machine)
                #expect(try await refreshed(pull, fixture)?.reasons == [], "\(machine)")
            }
            try gitHub.comment(on: pull.key, by: "labs-automation")
            #expect(try await refreshed(pull, fixture)?.reasons == [.commentUnanswered])
            var choices = PullChoices()
            choices.botLogins = ["labs-automation"]
            try await fixture.pulls.choose(choices, for: fixture.user)
            #expect(try await refreshed(pull, fixture)?.reasons == [])
            try gitHub.review(pull.key, by: "hedy", .commented)
            #expect(try await refreshed(pull, fixture)?.reasons == [.commentUnanswered])
            try gitHub.comment(on: pull.key, by: "ada")
            #expect(try await refreshed(pull, fixture)?.reasons == [])
            try gitHub.thread(on: pull.key, by: "hedy")
            #expect(try await refreshed(pull, fixture)?.reasons == [.commentUnanswered])
            try gitHub.resolve(on: pull.key)
            #expect(try await refreshed(pull, fixture)?.reasons == [])
        }
    }

    @Test(arguments: [PullMark.done, .snoozedUntilChange])
    func `a draft that becomes ready comes back, as does one whose review is asked for again`(mark: PullMark)
        async throws
    {
        try await withGitHub { fixture, gitHub in
            let pull = try gitHub.requestReview(of: "ada", .init(draft: true))
            try gitHub.passChecks(of: pull.key)
            let item = try #require(try await refreshed(pull, fixture))
            for order in [
                { try gitHub.makeReady(pull.key) }, { try gitHub.requestReview(of: "ada", on: pull.key) },
            ] {
                try await fixture.pulls.mark(item.key, mark, for: fixture.user)
                #expect(try await refreshed(pull, fixture) == nil)
                _ = try order()
                #expect(try await refreshed(pull, fixture)?.reasons == [.askedByName])
            }
        }
    }
}
