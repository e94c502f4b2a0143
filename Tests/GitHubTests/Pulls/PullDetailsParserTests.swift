import ArticleText
import Foundation
import TestSupport
import Testing

@testable import GitHub

/// GitHub's answers about one pull request, also hostile ones.
@Suite struct PullDetailsParserTests {
    /// - Parameter more: further members of the pull request, each `"name":value`
    private func details(_ more: String...) throws -> PullDetails {
        let node = PullFixture.node(7).dropLast() + more.map { "," + $0 }.joined() + "}"
        let body = """
            {"data":{"repository":{"mergeCommitAllowed":true,"rebaseMergeAllowed":true,"pullRequest":\(node)}}}
            """
        let answer = try PullDetailsAnswer(Data(body.utf8), now: TestClock.start)
        return try #require(answer.draft).details(of: PullFixture.key(7), now: TestClock.start)
    }

    private func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    private func timeline(_ nodes: String..., total: Int? = nil) -> String {
        let count = total.map { "\"totalCount\":\($0)," } ?? ""
        return "\"timelineItems\":{\(count)\"nodes\":[\(nodes.joined(separator: ","))]}"
    }

    private func actor(_ login: String) -> String { #"{"__typename":"User","login":"\#(login)"}"# }

    private func comment(_ id: String, at: String = "2026-11-02T10:00:00Z", html: String = "<p>Hm.</p>")
        throws
        -> String
    {
        """
        {"__typename":"IssueComment","id":"\(id)","createdAt":"\(at)","url":"https://github.com/x",
        "author":\(actor("alan")),"bodyHTML":\(try json(html))}
        """
    }

    private func review(_ id: String, _ state: String, by login: String = "alan", html: String = "") -> String
    {
        """
        {"__typename":"PullRequestReview","id":"\(id)","state":"\(state)","submittedAt":"2026-11-03T10:00:00Z",
        "url":"https://github.com/r","bodyHTML":"\(html)","author":\(actor(login))}
        """
    }

    /// - Parameter comments: the id of each comment's review, and its state
    private func thread(_ id: String, hunk: String = "@@ -1 +1 @@\\n+x", _ comments: (String, String)...)
        -> String
    {
        let nodes = comments.enumerated().map { index, comment in
            """
            {"id":"\(id)-\(index)","createdAt":"2026-11-0\(index + 2)T10:00:00Z","url":"https://github.com/c",
            "state":"\(comment.1)","bodyHTML":"<p>Why?</p>","diffHunk":"\(hunk)","author":\(actor("alan")),
            "pullRequestReview":{"id":"\(comment.0)"}}
            """
        }
        return """
            {"id":"\(id)","path":"a.swift","line":3,"diffSide":"LEFT","isResolved":true,"isOutdated":false,
            "comments":{"nodes":[\(nodes.joined(separator: ","))]}}
            """
    }

    private func threads(_ threads: String...) -> String {
        "\"reviewThreads\":{\"nodes\":[\(threads.joined(separator: ","))]}"
    }

    private func reviews(_ details: PullDetails) -> [(id: String, verdict: String, threads: [String])] {
        details.timeline.compactMap { entry in
            guard case .review(let id, _, let verdict, _, let threads, _) = entry.event else { return nil }
            return (id, verdict.rawValue, threads.map(\.id))
        }
    }

    // Texts

    @Test func `texts are sanitized, and their relative links lead to the host`() throws {
        let html = """
            <p onclick="x()">One <script>alert(1)</script><a href="/roost/nest/issues/3">#3</a>
            <a href="javascript:alert(1)">bad</a> <a href="https://example.org/">good</a>
            <img src="https://camo.githubusercontent.com/a.png" alt="A nest"></p>
            """
        let details = try details(#""bodyHTML":\#(json(html))"#, timeline(try comment("c", html: html)))
        let text = details.description.html
        #expect(!text.contains("script") && !text.contains("onclick"))
        #expect(text.contains(#"href="https://github.com/roost/nest/issues/3""#))
        #expect(text.contains(#"href="https://example.org/""#))
        let pictures = details.description.compactMap { part in
            if case .picture(let picture) = part { picture.url } else { nil }
        }
        #expect(pictures == ["https://camo.githubusercontent.com/a.png"])
        guard case .comment(let comment)? = details.timeline.first?.event else {
            Issue.record("no comment")
            return
        }
        #expect(comment.body.html == text && comment.author?.login == "alan")
    }

    @Test func `a long text is cut, and a much longer one is left out`() throws {
        let long = try details(#""bodyHTML":"<p>\#(String(repeating: "word ", count: 100_000))</p>""#)
        #expect(long.description.html.utf8.count < 210_000)
        #expect(long.description.html.hasSuffix("<p><em>The rest of this text is on GitHub.</em></p>"))
        let endless = try details(#""bodyHTML":"\#(String(repeating: "a", count: 1_000_001))""#)
        #expect(endless.description == [])
    }

    @Test func `many long comments do not fill the memory`() throws {
        let html = "<p>" + String(repeating: "word ", count: 10_000) + "</p>"
        let nodes = try (0..<100).map { try comment("c\($0)", html: html) }
        let details = try details("\"timelineItems\":{\"nodes\":[\(nodes.joined(separator: ","))]}")
        let bytes = details.timeline.reduce(0) { sum, entry in
            if case .comment(let comment) = entry.event { sum + comment.body.html.utf8.count } else { sum }
        }
        #expect(details.timeline.count == 100 && (1_900_000...2_100_000).contains(bytes))
    }

    // The timeline

    @Test func `a thread belongs to the review that it began with`() throws {
        let details = try details(
            timeline(review("r1", "COMMENTED"), review("r2", "APPROVED"), review("r3", "COMMENTED")),
            threads(thread("t1", ("r1", "SUBMITTED"), ("r3", "SUBMITTED"))))
        // The third review only holds an answer.
        let reviews = reviews(details)
        #expect(reviews.map(\.id) == ["r1", "r2"] && reviews.map(\.verdict) == ["commented", "approved"])
        #expect(reviews.map(\.threads) == [["t1"], []])
        guard case .review(_, _, _, _, let threads, _)? = details.timeline.first?.event else { return }
        #expect(threads[0].comments.map(\.id) == ["t1-0", "t1-1"])
        #expect(threads[0].path == "a.swift" && threads[0].line == 3 && threads[0].isOnOldFile)
        #expect(threads[0].isResolved && !threads[0].isOutdated && threads[0].diffHunk == "@@ -1 +1 @@\n+x")
    }

    @Test func `an unfinished review stays private`() throws {
        let details = try details(
            timeline(review("r1", "PENDING")), threads(thread("t1", ("r1", "PENDING"))))
        #expect(details.timeline.isEmpty)
    }

    @Test func `a thread whose review was not fetched has its place by its date`() throws {
        let details = try details(
            timeline(
                try comment("c1", at: "2026-11-01T10:00:00Z"), try comment("c2", at: "2026-11-08T10:00:00Z")),
            threads(thread("t1", ("gone", "SUBMITTED"))))
        #expect(details.timeline.count == 3 && reviews(details).map(\.threads) == [["t1"]])
        #expect(details.timeline[1].at == (try PullFixture.date("2026-11-02T10:00:00Z")))
    }

    @Test func `commits after each other are one entry, and never before what they follow`() throws {
        let commit = { (sha: String, at: String) in
            """
            {"__typename":"PullRequestCommit","pushed":{"oid":"\(String(repeating: sha, count: 40))",
            "committedDate":"\(at)","messageHeadline":"Tidy","author":{"name":"Grace","user":null}}}
            """
        }
        let details = try details(
            timeline(
                commit("a", "2026-11-01T10:00:00Z"), commit("b", "2026-11-01T11:00:00Z"),
                try comment("c", at: "2026-11-05T10:00:00Z"), commit("c", "2026-11-02T10:00:00Z")))
        let shas = details.timeline.map { entry -> [String] in
            if case .commits(let commits) = entry.event {
                commits.map { String($0.sha.prefix(1)) }
            } else {
                []
            }
        }
        #expect(shas == [["a", "b"], [], ["c"]])
        #expect(details.timeline.map(\.at) == details.timeline.map(\.at).sorted())
    }

    @Test func `events have their people and values`() throws {
        let who = "\"createdAt\":\"2026-11-02T10:00:00Z\",\"actor\":\(actor("grace"))"
        let (one, two) = (String(repeating: "1", count: 40), String(repeating: "2", count: 40))
        let details = try details(
            timeline(
                #"{"__typename":"RenamedTitleEvent",\#(who),"previousTitle":"Old","currentTitle":"New"}"#,
                #"{"__typename":"HeadRefForcePushedEvent",\#(who),"beforeCommit":{"oid":"\#(one)"},"afterCommit":{"oid":"\#(two)"}}"#,
                #"{"__typename":"ReviewRequestedEvent",\#(who),"requestedReviewer":{"__typename":"Team","combinedSlug":"roost/core"}}"#,
                #"{"__typename":"ReviewRequestRemovedEvent",\#(who),"requestedReviewer":null}"#,
                #"{"__typename":"ConvertToDraftEvent",\#(who)}"#,
                #"{"__typename":"ReadyForReviewEvent",\#(who)}"#,
                #"{"__typename":"ClosedEvent",\#(who)}"#, #"{"__typename":"ReopenedEvent",\#(who)}"#,
                #"{"__typename":"MergedEvent",\#(who),"commit":{"oid":"\#(two)"}}"#,
                #"{"__typename":"PinnedEvent",\#(who)}"#, #"{"__typename":"ClosedEvent"}"#))
        let grace = PullDetails.Person(login: "grace", avatarURL: nil)
        #expect(
            details.timeline.map(\.event) == [
                .renamed(by: grace, from: "Old", to: "New"), .forcePush(by: grace, before: one, after: two),
                .reviewRequested(by: grace, reviewer: "roost/core"),
                .reviewRequestRemoved(by: grace, reviewer: "a team"), .convertedToDraft(by: grace),
                .readyForReview(by: grace), .closed(by: grace), .reopened(by: grace),
                .merged(by: grace, commit: two),
            ])
    }

    @Test func `a hundred entries are read of thousands, and the others are counted`() throws {
        let nodes = try (0..<3_000).map { try comment("c\($0)") }
        let details = try details(
            "\"timelineItems\":{\"totalCount\":3000,\"nodes\":[\(nodes.joined(separator: ","))]}")
        #expect(details.timeline.count == 100 && details.omittedEntries == 2_900)
    }

    @Test func `a long hunk keeps its end, with a header that counts right`() throws {
        let lines = (1...100).map { $0 % 2 == 0 ? "+new \($0)" : " old \($0)" }
        let hunk = (["@@ -10,50 +20,100 @@ func a()"] + lines).joined(separator: "\\n")
        let details = try details(threads(thread("t1", hunk: hunk, ("r", "SUBMITTED"))))
        guard case .review(_, _, _, _, let threads, _)? = details.timeline.first?.event else {
            Issue.record("no thread")
            return
        }
        let kept = threads[0].diffHunk.split(separator: "\n")
        #expect(kept.count == 41 && kept.last == "+new 100")
        // 60 lines were cut, 30 of which are only in the new file.
        #expect(kept.first == "@@ -40,20 +80,40 @@" && kept[1] == " old 61")
    }

    // People and checks

    @Test func `a verdict counts more than a later comment, and a new request more than both`() throws {
        let review = { (login: String, state: String) in
            """
            {"state":"\(state)","submittedAt":"2026-11-03T10:00:00Z","author":{"login":"\(login)"},
            "commit":{"oid":"\(String(repeating: "e", count: 40))"}}
            """
        }
        let latest = [
            ("alan", "COMMENTED"), ("hedy", "COMMENTED"), ("emmy", "APPROVED"), ("grace", "COMMENTED"),
        ]
        let details = try details(
            #""latestReviews":{"nodes":[\#(latest.map { review($0.0, $0.1) }.joined(separator: ","))]}"#,
            #""latestOpinionatedReviews":{"nodes":[\#(review("alan", "CHANGES_REQUESTED"))]}"#,
            #""reviewRequests":{"nodes":[{"requestedReviewer":{"__typename":"User","login":"Emmy"}}]}"#)
        // grace is the author.
        #expect(details.reviewers.map(\.name) == ["Emmy", "alan", "hedy"])
        #expect(details.reviewers.map(\.verdict) == [.requested, .changesRequested, .commented])
        #expect(details.reviewers[1].commit == String(repeating: "e", count: 40))
    }

    @Test func `check runs and commit statuses have states, times and pages`() throws {
        let times = #""startedAt":"2026-11-03T10:00:00Z","completedAt":"2026-11-03T10:05:00Z""#
        let checks = [
            #"{"__typename":"CheckRun","name":"test","status":"COMPLETED","conclusion":"SUCCESS",\#(times),"detailsUrl":"https://ci.example.org/1","isRequired":true,"checkSuite":{"workflowRun":{"workflow":{"name":"CI"}}}}"#,
            #"{"__typename":"CheckRun","name":"lint","status":"COMPLETED","conclusion":"TIMED_OUT","detailsUrl":"javascript:alert(1)"}"#,
            #"{"__typename":"CheckRun","name":"docs","status":"IN_PROGRESS","conclusion":null,\#(times)}"#,
            #"{"__typename":"CheckRun","name":"deploy","status":"COMPLETED","conclusion":"SKIPPED"}"#,
            #"{"__typename":"StatusContext","context":"legacy","state":"EXPECTED","createdAt":"2026-11-03T10:00:00Z"}"#,
            #"{"__typename":"StatusContext","context":"old","state":"ERROR","createdAt":"2026-11-03T10:00:00Z"}"#,
            #"{"__typename":"CheckRun","status":"COMPLETED"}"#,
        ]
        let contexts = #"{"contexts":{"nodes":[\#(checks.joined(separator: ","))]}}"#
        let details = try details(
            #""commits":{"nodes":[{"commit":{"statusCheckRollup":\#(contexts)}}]}"#,
            #""statusCheckRollup":{"state":"FAILURE"}"#)
        #expect(details.checks.map(\.name) == ["CI / test", "lint", "docs", "deploy", "legacy", "old"])
        #expect(
            details.checks.map(\.state) == [.passed, .failed, .running, .skipped, .running, .failed])
        #expect(details.checks[0].url == "https://ci.example.org/1" && details.checks[0].isRequired == true)
        #expect(details.checks[1].url == nil && details.checks[2].finishedAt == nil)
        #expect(details.checks[0].finishedAt == (try PullFixture.date("2026-11-03T10:05:00Z")))
        #expect(details.pull.checks == .init(state: .failed, passed: 2, failed: 2, running: 2))
    }

    @Test func `only what the token's owner may do is offered`() throws {
        let rights = [
            #""viewerCanUpdate":true"#, #""viewerDidAuthor":false"#, #""viewerCanUpdateBranch":true"#,
            #""state":"OPEN""#,
        ].joined(separator: ",")
        let write = #""repository":{"nameWithOwner":"roost/nest","viewerPermission":"WRITE"}"#
        let writer = try details(rights, write).permissions
        #expect(writer.canUpdate && writer.canReview && writer.canUpdateBranch)
        #expect(writer.mergeMethods == ["merge", "rebase"] && !writer.canEnableAutoMerge)
        #expect(try details(rights).permissions.mergeMethods.isEmpty)
        let closed = try details(rights, write, #""state":"CLOSED""#).permissions
        #expect(!closed.canReview && closed.mergeMethods.isEmpty && closed.canUpdate)
    }

    @Test func `issues that it closes have pages and states`() throws {
        let issues = """
            "closingIssuesReferences":{"nodes":[
            {"number":3,"title":"Cold","url":"https://github.com/roost/nest/issues/3","closed":true,
            "repository":{"nameWithOwner":"roost/nest"}},{"number":0,"url":"https://github.com/x"},
            {"number":4,"url":"ftp://x"}]}
            """
        #expect(
            try details(issues).issues == [
                PullDetails.Issue(
                    repositoryFullName: "roost/nest", number: 3, title: "Cold",
                    url: "https://github.com/roost/nest/issues/3", isClosed: true)
            ])
    }

    // Other answers

    @Test func `details are the same after they were stored`() throws {
        let details = try details(
            timeline(try comment("c"), review("r1", "APPROVED")), threads(thread("t1", ("r1", "SUBMITTED"))),
            #""bodyHTML":"<p>Hello <img src=\"https://example.org/a.png\"></p>""#)
        let stored = try JSONEncoder().encode(details)
        #expect(try JSONDecoder().decode(PullDetails.self, from: stored) == details)
    }

    @Test(arguments: [
        "null", "{}", #"{"data":null}"#, #"{"data":{"repository":null}}"#,
        #"{"data":{"repository":{"pullRequest":null}}}"#, #"{"data":{"repository":[7]}}"#,
    ])
    func `an answer without a pull request has none`(body: String) throws {
        #expect(try PullDetailsAnswer(Data(body.utf8), now: TestClock.start).draft == nil)
    }

    @Test func `a pull request without a title is refused`() throws {
        let body =
            #"{"data":{"repository":{"pullRequest":{"number":7,"url":"https://github.com/o/n/pull/7"}}}}"#
        let draft = try #require(try PullDetailsAnswer(Data(body.utf8), now: TestClock.start).draft)
        #expect(throws: (any Error).self) {
            try draft.details(of: PullFixture.key(7), now: TestClock.start)
        }
    }
}
