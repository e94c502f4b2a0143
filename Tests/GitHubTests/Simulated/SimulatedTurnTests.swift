import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSimulator

/// Situations of the article "Whose turn it is", made by the simulated GitHub, from the query to the inbox.
@Suite struct SimulatedTurnTests {
    /// The first account's GitHub is simulated, with the same clock.
    private func withGitHub(
        _ body: (PullServiceFixture, GitHubSimulation) async throws -> Void
    ) async throws {
        try await withPulls { fixture in
            try await body(fixture, fixture.simulateGitHub())
        }
    }

    /// The inbox item a minute later; nil if the pull request is in none of its sections.
    private func refreshed(_ pull: SimulatedPull, _ fixture: PullServiceFixture) async throws -> InboxItem? {
        fixture.clock.advance(60)
        await fixture.refresh()
        let inbox = try await fixture.inbox
        let source = inbox.sources.first
        #expect(source?.error == nil && source?.refused == 0, "\(fixture.log.lines)")
        return inbox.sections.flatMap(\.items).first { $0.pull.id == pull.key }
    }

    /// A pull request of ada's with passed checks and without conflicts.
    private func opened(
        in repository: String = "lovelace-labs/analytical-engine", _ gitHub: GitHubSimulation
    ) throws -> SimulatedPull {
        let pull = try gitHub.open(.init(repository: repository, author: "ada"))
        try gitHub.passChecks(of: pull.key)
        return try gitHub.setConflict(false, of: pull.key)
    }

    @Test func `an approved pull request is ready to merge, unless it has auto-merge, a queue or conflicts`()
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

    @Test func `running checks are waited for, and failed ones count from their end`() async throws {
        try await withGitHub { fixture, gitHub in
            let pull = try opened(gitHub)
            try gitHub.review(pull.key, by: "grace")
            fixture.clock.advance(60)
            // The new head's checks start some seconds after the push.
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

    @Test func `comments by machines or by bots on the user's list need no answer, and people's do`()
        async throws
    {
        try await withGitHub { fixture, gitHub in
            let pull = try opened(gitHub)
            for machine in ["k8s-ci-robot", "lovelace-bot", "dependabot"] {
                try gitHub.comment(on: pull.key, by: machine)
                #expect(try await refreshed(pull, fixture)?.reasons == [], "\(machine)")
            }
            try gitHub.comment(on: pull.key, by: "labs-automation")
            #expect(try await refreshed(pull, fixture)?.reasons == [.commentUnanswered])
            var choices = PullPreferences()
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
}
