import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct GraphQLPullParserTests {
    private func page(_ nodes: String...) throws -> PullPage {
        let body = PullScript.answer([#""asked":\#(PullScript.page(nodes))"#])
        let answer = try GraphQLPullResponse(Data(body.utf8), now: TestClock.start)
        return try #require(answer.pages["asked"])
    }

    private func facts(_ more: String...) throws -> FetchedPull {
        let node = PullFixture.node(7)
        let page = try page(more.isEmpty ? node : node.dropLast(1) + "," + more.joined(separator: ",") + "}")
        #expect(page.refusals.isEmpty, "\(page.refusals)")
        return try #require(page.facts.first)
    }

    @Test func `everything that a row shows is read`() throws {
        let facts = try facts(
            #""additions":12,"deletions":3,"changedFiles":2,"reviewDecision":"CHANGES_REQUESTED""#,
            #""mergeable":"CONFLICTING","totalCommentsCount":5,"headRefOid":"abc""#,
            #""labels":{"nodes":[{"name":"bug","color":"d73a4a"},{"name":"odd","color":"red"},{"color":"d73a4a"}]}"#,
            #""statusCheckRollup":{"state":"FAILURE"}"#,
            #""reviewThreads":{"totalCount":3,"nodes":[{"isResolved":false},{"isResolved":true},{"isResolved":false}]}"#
        )
        let pull = facts.pull
        #expect(pull.id == "roost/nest#7" && pull.title == "Tidy the perch" && pull.authorLogin == "grace")
        #expect(pull.htmlURL == "https://github.com/roost/nest/pull/7" && pull.isDraft == false)
        #expect(pull.additions == 12 && pull.deletions == 3 && pull.changedFiles == 2 && pull.size == 15)
        #expect(pull.reviewDecision == .changesRequested && pull.mergeable == .conflicting)
        #expect(pull.comments == 5 && pull.unresolvedThreads == 2 && pull.checks?.state == .failed)
        let labels = [PullRequest.Label(name: "bug", color: "d73a4a"), .init(name: "odd", color: nil)]
        #expect(pull.labels == labels)
        #expect(facts.head == "abc" && facts.nodeId == "PR_7" && facts.hasDetail)
    }

    @Test func `checks are counted by conclusion, runs and statuses together`() throws {
        let facts = try facts(
            #""statusCheckRollup":{"state":"PENDING"}"#,
            #"""
            "commits":{"nodes":[{"commit":{"committedDate":"2026-11-09T10:00:00Z","statusCheckRollup":{"contexts":{
            "checkRunCountsByState":[{"state":"SUCCESS","count":4},{"state":"SKIPPED","count":1},
            {"state":"TIMED_OUT","count":2},{"state":"IN_PROGRESS","count":3}],
            "statusContextCountsByState":[{"state":"SUCCESS","count":1},{"state":"EXPECTED","count":1}]}}}}]}
            """#)
        #expect(facts.pull.checks == .init(state: .running, passed: 6, failed: 2, running: 4))
        #expect(facts.committedAt == Date(timeIntervalSince1970: 1_794_218_400))
    }

    @Test func `reviews, comments and requests are read with their people and times`() throws {
        let facts = try facts(
            #""viewerLatestReview":{"state":"COMMENTED","submittedAt":"2026-11-05T10:00:00Z","commit":{"oid":"old"}}"#,
            #"""
            "latestOpinionatedReviews":{"nodes":[
            {"state":"APPROVED","submittedAt":"2026-11-06T10:00:00Z","author":{"__typename":"User","login":"hedy"}},
            {"state":"PENDING","submittedAt":null,"author":{"login":"ada"}},
            {"state":"NEW_STATE","submittedAt":"2026-11-06T10:00:00Z","author":{"login":"x"}}]}
            """#,
            #""comments":{"nodes":[\#(PullFixture.comment("ada", "2026-11-07T10:00:00Z")),{"createdAt":null}]}"#,
            #"""
            "threads":{"nodes":[
            {"isResolved":false,"comments":{"nodes":[\#(PullFixture.comment("hedy", "2026-11-08T10:00:00Z"))]}},
            {"isResolved":true,"comments":{"nodes":[\#(PullFixture.comment("hedy", "2026-11-08T10:00:00Z"))]}}]}
            """#,
            #"""
            "reviewRequests":{"nodes":[{"requestedReviewer":{"__typename":"User","login":"ada"}},
            {"requestedReviewer":{"__typename":"Team","combinedSlug":"roost/core"}},{"requestedReviewer":null}]}
            """#,
            #"""
            "timelineItems":{"nodes":[{},{"createdAt":"2026-11-04T10:00:00Z",
            "requestedReviewer":{"__typename":"User","login":"ada"}}]}
            """#)
        #expect(facts.ownReview?.state == .commented && facts.ownReview?.head == "old")
        #expect(facts.opinions.map(\.comment.login) == ["hedy"] && facts.opinions.first?.state == .approved)
        #expect(facts.comments.map(\.login) == ["ada"])
        #expect(facts.threads.count == 1 && facts.threads.first?.first?.login == "hedy")
        #expect(facts.reviewers == [.user("ada"), .team("roost/core"), .team(nil)])
        let asked = try PullFixture.date("2026-11-04T10:00:00Z")
        #expect(facts.requests == [.init(reviewer: .user("ada"), at: asked)])
    }

    @Test func `the fields that decide about merging are read`() throws {
        let facts = try facts(
            #""isInMergeQueue":true,"autoMergeRequest":{"enabledAt":"2026-11-09T10:00:00Z"}"#,
            #""repository":{"nameWithOwner":"roost/nest","viewerPermission":"TRIAGE"}"#)
        #expect(facts.isInMergeQueue && facts.hasAutoMerge && facts.permission == .triage)
        let none = try self.facts(
            #""isInMergeQueue":false,"autoMergeRequest":null"#,
            #""repository":{"nameWithOwner":"roost/nest","viewerPermission":null}"#)
        #expect(!none.isInMergeQueue && !none.hasAutoMerge && none.permission == nil)
    }

    @Test
    func `the end of checks is read from suites and statuses, except those still running or never started`()
        throws
    {
        let facts = try facts(
            #"""
            "commits":{"nodes":[{"commit":{"committedDate":"2026-11-09T10:00:00Z",
            "checkSuites":{"nodes":[{"conclusion":"SUCCESS","updatedAt":"2026-11-09T10:05:00Z"},
            {"conclusion":"FAILURE","updatedAt":"2026-11-09T10:07:00Z"},
            {"conclusion":"TIMED_OUT","updatedAt":"2026-11-09T10:09:00Z"},
            {"conclusion":null,"updatedAt":"2026-11-09T11:00:00Z"}]},
            "status":{"contexts":[{"state":"SUCCESS","createdAt":"2026-11-09T10:20:00Z"},
            {"state":"PENDING","createdAt":"2026-11-09T11:00:00Z"},
            {"state":"ERROR","createdAt":"2026-11-09T10:06:00Z"}]}}}]}
            """#)
        #expect(facts.checksFailedAt == (try PullFixture.date("2026-11-09T10:06:00Z")))
        #expect(facts.checksEndedAt == (try PullFixture.date("2026-11-09T10:20:00Z")))
        let none = try self.facts(
            #""commits":{"nodes":[{"commit":{"committedDate":null,"checkSuites":null,"status":null}}]}"#)
        #expect(none.checksFailedAt == nil && none.checksEndedAt == nil)
    }

    @Test func `the timeline has requests, assignments, ready-for-review events and dismissals`() throws {
        let facts = try facts(
            #"""
            "timelineItems":{"nodes":[
            {"__typename":"ReviewRequestedEvent","createdAt":"2026-11-02T10:00:00Z","requestedReviewer":null},
            {"__typename":"AssignedEvent","createdAt":"2026-11-03T10:00:00Z","assignee":{"login":"ada"}},
            {"__typename":"ReadyForReviewEvent","createdAt":"2026-11-04T10:00:00Z"},
            {"__typename":"ReadyForReviewEvent","createdAt":"2026-11-05T10:00:00Z"},
            {"__typename":"ReviewDismissedEvent","createdAt":"2026-11-06T10:00:00Z",
            "previousReviewState":"APPROVED","pullRequestCommit":{"id":"x"},"review":{"author":{"login":"ada"}}},
            {"__typename":"ReviewDismissedEvent","createdAt":"2026-11-07T10:00:00Z",
            "previousReviewState":"CHANGES_REQUESTED","pullRequestCommit":null,"review":{"author":{"login":"x"}}},
            {"__typename":"ReviewDismissedEvent","createdAt":"2026-11-08T10:00:00Z",
            "previousReviewState":"APPROVED","pullRequestCommit":null,"review":null}]}
            """#)
        let time = { (day: Int) in try PullFixture.date("2026-11-0\(day)T10:00:00Z") }
        #expect(facts.requests == [.init(reviewer: .team(nil), at: try time(2))])
        #expect(facts.assignments == [.init(login: "ada", at: try time(3))])
        #expect(facts.readyAt == (try time(5)))
        #expect(
            facts.dismissals == [
                .init(login: "ada", state: .approved, at: try time(6), isByPush: true),
                .init(login: "x", state: .changesRequested, at: try time(7), isByPush: false),
            ])
    }

    @Test func `reviews with comments in threads are known, including resolved threads`() throws {
        let facts = try facts(
            #""reviews":{"nodes":[{"id":"R1","state":"COMMENTED","submittedAt":"2026-11-08T10:00:00Z"}]}"#,
            #"""
            "threads":{"nodes":[{"isResolved":true,"comments":{"nodes":[
            {"createdAt":"2026-11-08T10:00:00Z","pullRequestReview":{"id":"R1"}},
            {"createdAt":"2026-11-08T10:00:00Z","pullRequestReview":null}]}},
            {"isResolved":false,"comments":{"nodes":[
            {"createdAt":"2026-11-08T10:00:00Z","pullRequestReview":{"id":"R2"}}]}}]}
            """#)
        #expect(facts.reviews.map(\.id) == ["R1"] && facts.reviewsInThreads == ["R1", "R2"])
        #expect(facts.threads.count == 1)
    }

    @Test func `more comments than the requested ones are reported`() throws {
        let comment = PullFixture.comment("ada", "2026-11-07T10:00:00Z")
        let more = try facts(#""comments":{"totalCount":2,"nodes":[\#(comment)]}"#)
        #expect(more.hasEarlierComments && more.pull.comments == 2)
        let all = try facts(#""comments":{"totalCount":1,"nodes":[\#(comment)]}"#)
        #expect(!all.hasEarlierComments)
    }

    @Test func `a deleted author is the ghost, and a bot is known by its type or name`() throws {
        #expect(try facts(#""author":null"#).pull.authorLogin == "ghost")
        #expect(try facts(#""author":{"__typename":"Bot","login":"dependabot"}"#).pull.isFromBot)
        for login in ["renovate[bot]", "tidy-bot", "k8s-ci-robot"] {
            #expect(try facts(#""author":{"login":"\#(login)"}"#).pull.isFromBot, "\(login)")
        }
        #expect(try !facts().pull.isFromBot)
    }

    @Test func `owner and name are read in every form`() throws {
        let split = try facts(#""repository":{"name":"egg","owner":{"login":"hen"}}"#)
        #expect(split.pull.repositoryFullName == "hen/egg")
        let none = try facts(#""repository":null"#)
        #expect(none.pull.repositoryFullName == "roost/nest")
    }

    @Test(arguments: [
        #""number":0"#, #""number":"7""#, #""title":"""#, #""title":null"#, #""url":"javascript:alert(1)""#,
        #""url":null"#, #""url":"https://x y""#, #""updatedAt":"soon""#, #""reviewDecision":"MAYBE""#,
        #""mergeable":"PERHAPS""#, #""statusCheckRollup":{"state":"ODD"}"#,
        #""repository":{"nameWithOwner":"a/b/c"}"#, #""repository":{"nameWithOwner":"a b/c"}"#,
        #""author":{"login":" "}"#, #""repository":{"nameWithOwner":"a/b","viewerPermission":"OWNER"}"#,
    ])
    func `an item with a missing, mistyped or unknown value is refused, and the others are kept`(
        fault: String
    )
        throws
    {
        let malformed = PullFixture.node(1).dropLast(1) + "," + fault + "}"
        let page = try page(String(malformed), PullFixture.node(2))
        #expect(page.facts.map(\.pull.number) == [2])
        #expect(page.refusals.count == 1, "\(page.refusals)")
    }

    @Test func `a null node is counted, an empty node of another type and an issue are not`() throws {
        let issue = #"{"number":3,"title":"x","url":"https://github.com/roost/nest/issues/3"}"#
        let page = try page("null", "{}", #"{"__typename":"Issue"}"#, issue, PullFixture.node(2))
        #expect(page.facts.map(\.pull.number) == [2] && page.refusals.isEmpty && page.nulls == 1)
    }

    @Test func `a time ahead of Roost's clock is clamped, and the item is kept`() throws {
        let facts = try facts(#""updatedAt":"2027-01-01T00:00:00Z","createdAt":"2027-01-01T00:00:00Z""#)
        #expect(facts.pull.updatedAt == TestClock.start && facts.pull.createdAt == TestClock.start)
    }

    @Test func `an item of REST is read by its own field names, without detail`() throws {
        let item = PullFixture.item(9).replacing(
            #""labels":[]"#, with: #""labels":[{"name":"bug","color":"d73a4a"},"plain"]"#)
        let page = try PullPage(rest: PullFixture.search([item]), now: TestClock.start)
        let facts = try #require(page.facts.first)
        #expect(facts.pull.id == "roost/nest#9" && facts.pull.comments == 2 && !facts.hasDetail)
        #expect(
            facts.pull.labels.map(\.name) == ["bug"] && facts.pull.checks == nil && facts.pull.size == nil)
    }

    @Test func `issues in REST's search are skipped and malformed items counted`() throws {
        let issue = #"{"number":3,"title":"x","html_url":"https://github.com/roost/nest/issues/3"}"#
        let page = try PullPage(
            rest: PullFixture.search([issue, "5", PullFixture.item(1)]), now: TestClock.start)
        #expect(page.facts.map(\.pull.number) == [1] && page.refusals.count == 1)
    }

    @Test(arguments: ["", "{}", "[]", #"{"items":{}}"#, "<html>", #"{"items":[]}{}"#])
    func `an answer that is not a search throws`(body: String) {
        #expect(throws: (any Error).self) { _ = try PullPage(rest: Data(body.utf8), now: TestClock.start) }
    }
}
