import Foundation
import Testing

@testable import RoostSimulator

@Suite struct GitHubCommandTests {
    private let gitHub = TestGitHub()
    private var simulation: GitHubSimulation { gitHub.simulation }

    private func finds(_ query: String, _ pull: SimulatedPull) throws -> Bool {
        try gitHub.search("is:pr \(query)", "&per_page=100&sort=updated").contains {
            $0.text("html_url")?.hasSuffix(pull.key.replacing("#", with: "/pull/")) == true
        }
    }

    @Test func `a review is requested at once, of a person, of a team, on an existing pull request`() throws {
        let pull = try simulation.requestReview(of: "ada")
        #expect(try finds("is:open user-review-requested:@me", pull))
        let team = try simulation.requestReview(
            of: "harbour-maps/tiles", .init(repository: "harbour-maps/styles", title: "Blue water"))
        #expect(try finds("is:open team-review-requested:harbour-maps/tiles", team))
        #expect(try !finds("is:open user-review-requested:@me", team))
        let written = try #require(simulation.world.moment().open.first { $0.author?.login == "ada" })
        try simulation.requestReview(of: "grace", on: written.key)
        #expect(try finds("review-requested:grace", written))
        #expect(simulation.world.moment().open.count == 202)
    }

    @Test func `comments, pushes, reviews, checks and merges happen when ordered`() throws {
        let pull = try simulation.open(.init(author: "ada", draft: true))
        gitHub.clock.advance(seconds: 60)
        #expect(try finds("draft:true author:@me", pull))
        try simulation.makeReady(pull.key)
        #expect(try !finds("draft:true author:@me", pull))
        try simulation.comment(on: pull.key, by: "grace", "@alan look")
        #expect(try finds("commenter:grace mentions:alan", pull))
        try simulation.failChecks(of: pull.key)
        #expect(try finds("status:failure", pull))
        let pushed = try simulation.push(to: pull.key)
        #expect(pushed.additions == pull.additions + 21 && pushed.updatedAt > pull.updatedAt)
        #expect(try simulation.review(pull.key, by: "grace").reviewDecision == "APPROVED")
        #expect(
            try simulation.review(pull.key, by: "alan", .changesRequested).reviewDecision
                == "CHANGES_REQUESTED")
        #expect(try simulation.merge(pull.key).state == .merged)
        #expect(try finds("is:merged", pull))
        #expect(throws: GitHubSimulation.UnknownName.self) { try simulation.push(to: pull.key) }
    }

    @Test func `a review removes the request, whether by name or through the team`() throws {
        let pull = try simulation.requestReview(of: "lovelace-labs/platform")
        try simulation.requestReview(of: "ada", on: pull.key)
        #expect(try finds("review-requested:@me", pull))
        try simulation.review(pull.key, by: "ada", .commented)
        #expect(try !finds("review-requested:@me", pull) && finds("reviewed-by:@me", pull))
    }

    @Test func `threads are opened and resolved`() throws {
        let pull = try simulation.requestReview(of: "ada")
        try simulation.thread(on: pull.key)
        let threads = {
            try gitHub.detailed("is:pr is:open user-review-requested:@me sort:created", first: 1)
                .first?.object("reviewThreads").objects("nodes")
                .compactMap { $0["isResolved"] as? Bool }
        }
        #expect(try threads() == [false])
        try simulation.resolve(on: pull.key)
        #expect(try threads() == [true])
    }

    @Test func `unknown names are refused with a message, and every order can be undone`() throws {
        for wrong in [
            { try simulation.requestReview(of: "nobody") }, { try simulation.open(.init(repository: "a/b")) },
            { try simulation.push(to: "a/b#1") },
        ] as [() throws -> SimulatedPull] {
            #expect(throws: GitHubSimulation.UnknownName.self) { _ = try wrong() }
        }
        try simulation.requestReview()
        simulation.tokens.revoke(login: "ada")
        simulation.restore()
        #expect(gitHub.ask("/user").status == 200 && simulation.world.moment().open.count == 200)
    }
}
