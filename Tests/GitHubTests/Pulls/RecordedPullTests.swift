import Foundation
import Testing

@testable import GitHub
@testable import TextFormats

/// GitHub's recorded answers, parsed as pull requests.
@Suite(.recordedPulls) struct RecordedPullTests {
    @Test func `every recorded search is parsed without malformed items`() throws {
        let searches = try RecordedPulls.searches()
        #expect(searches.count >= 10)
        for (name, body) in searches {
            let page = try PullPage(rest: body, now: Date())
            #expect(page.refusals.isEmpty, "\(name): \(page.refusals.values)")
            #expect(!page.facts.isEmpty && page.total >= page.facts.count, "\(name)")
        }
    }

    @Test func `owner, name, author and times of a recorded search are those of its items`() throws {
        let body = try RecordedPulls.read("hub4j/search_prs_hub4j_2026/__files/2-search_issues.json")
        let page = try PullPage(rest: body, now: Date())
        #expect(page.facts.count == 30 && page.total == 1_370 && !page.isIncomplete)
        let pull = try #require(page.facts.first?.pull)
        #expect(pull.id == "hub4j/github-api#2193" && pull.authorLogin == "dependabot[bot]" && pull.isFromBot)
        #expect(pull.htmlURL == "https://github.com/hub4j/github-api/pull/2193" && pull.comments == 1)
        #expect(pull.labels.map(\.name) == ["dependencies", "java"] && pull.labels.last?.color == "ffa221")
        #expect(pull.updatedAt == ISO8601.parse("2026-02-10T07:47:33Z") && pull.isDraft == false)
    }

    @Test func `the issues in a search for issues and pull requests are skipped`() throws {
        let bodies = try RecordedPulls.searches().filter { $0.name.contains("search_open_mixed_2020") }
        let pages = try bodies.map { try PullPage(rest: $0.body, now: Date()) }
        #expect(pages.map(\.facts.count).reduce(0, +) == 23)
        #expect(pages.flatMap(\.facts).allSatisfy { $0.pull.htmlURL.contains("/pull/") })
    }

    @Test func `the recorded draft is a draft`() throws {
        let body = try RecordedPulls.read("hub4j/search_prs_draft/__files/15-search_issues.json")
        #expect(try PullPage(rest: body, now: Date()).facts.map(\.pull.isDraft) == [true])
    }

    @Test func `Mergeable's recorded search is parsed with its reviews, comments and threads`() throws {
        let body = try #require(try RecordedPulls.answers(har: "mergeable/search-pulls.graphql.har").first)
        let answer = try GraphQLPullResponse(body, now: Date())
        let page = try #require(answer.pages["search"])
        let facts = try #require(page.facts.first)
        #expect(page.refusals.isEmpty && page.total == 1 && facts.pull.id == "pvcnt/mergeable#13")
        #expect(facts.pull.reviewDecision == .approved && facts.pull.size == 4)
        #expect(facts.pull.authorLogin == "glossawy" && facts.pull.unresolvedThreads == 1)
        #expect(facts.opinions.map(\.comment.login) == ["pvcnt"])
        #expect(facts.comments.map(\.login) == ["pvcnt", "glossawy", "pvcnt"] && facts.pull.comments == 3)
    }

    @Test func `gh-dash's recorded search is parsed, and its issues are not pull requests`() throws {
        let pulls = try GraphQLPullResponse(
            RecordedPulls.read("gh-dash/searchPullRequests.graphql.json"), now: Date())
        let page = try #require(pulls.pages["search"])
        #expect(page.refusals.isEmpty, "\(page.refusals)")
        let first = try #require(page.facts.first)
        #expect(first.pull.id == "dlvhdr/gh-dash#635" && first.pull.size == 3 && first.pull.checks == nil)
        #expect(first.reviews.map(\.state) == [.approved] && first.pull.mergeable == .unknown)
        let issues = try GraphQLPullResponse(
            RecordedPulls.read("gh-dash/searchIssues.graphql.json"), now: Date())
        #expect(
            issues.pages["search"]?.facts.isEmpty == true && issues.pages["search"]?.refusals.isEmpty == true)
    }

    @Test func `a recorded answer under the field's own name fills the sections`() async throws {
        let body = try RecordedPulls.read("gh-dash/searchPullRequests.graphql.json")
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { _, _ in String(decoding: body, as: UTF8.self) })
            await fixture.refresh()
            #expect(try await fixture.numbers("yours").contains(635))
            #expect(try await fixture.source?.error == nil)
        }
    }
}
