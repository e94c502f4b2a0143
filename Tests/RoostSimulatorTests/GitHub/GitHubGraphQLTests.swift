import Foundation
import RoostSimulator
import Testing

@Suite struct GitHubGraphQLTests {
    private let gitHub = TestGitHub()

    private static let rich = """
        query Inbox($q: String!, $n: Int = 20, $after: String) {
          rateLimit { cost limit remaining resetAt }
          viewer { login name avatarUrl(size: 64) }
          mine: search(query: $q, type: ISSUE, first: $n, after: $after) {
            issueCount pageInfo { hasNextPage endCursor }
            nodes { __typename ...Pull }
          }
        }
        fragment Pull on PullRequest {
          id number title url state isDraft createdAt updatedAt additions deletions changedFiles headRefOid
          reviewDecision mergeable totalCommentsCount
          author { __typename login avatarUrl }
          repository { nameWithOwner name isArchived isPrivate visibility owner { login } }
          labels(first: 5) { nodes { name color } }
          viewerLatestReview { state submittedAt commit { oid } }
          comments(last: 3) { totalCount nodes { author { login } createdAt } }
          reviews(last: 3) { totalCount }
          latestReviews(first: 5) { nodes { state author { login } } }
          latestOpinionatedReviews(first: 5) { nodes { state submittedAt } }
          reviewRequests(first: 10) { nodes { asCodeOwner requestedReviewer { __typename
            ... on User { login } ... on Team { slug combinedSlug organization { login } } } } }
          reviewThreads(first: 20) { totalCount nodes { isResolved comments(last: 2) { nodes { author { login } } } } }
          statusCheckRollup { state contexts(first: 1) { totalCount checkRunCount statusContextCount
            checkRunCountsByState { state count } statusContextCountsByState { state count } } }
          commits(last: 1) { nodes { commit { oid committedDate pushedDate authoredDate statusCheckRollup { state } } } }
          timelineItems(itemTypes: [REVIEW_REQUESTED_EVENT], last: 5) { nodes { ... on ReviewRequestedEvent {
            createdAt requestedReviewer { ... on User { login } ... on Team { combinedSlug } } } } }
        }
        """

    private func pulls(_ query: String) throws -> [[String: Any]] {
        try gitHub.data(Self.rich, ["q": query]).object("mine").objects("nodes")
    }

    @Test func `one query tells all that the inbox wants to know`() throws {
        let answer = try gitHub.graphQL(Self.rich, ["q": "is:open is:pr review-requested:@me"]).object
        #expect(answer["errors"] == nil)
        let data = answer.object("data")
        #expect(data.object("viewer").text("login") == "ada")
        #expect(data.object("rateLimit").number("limit") == 5_000)
        let pulls = data.object("mine").objects("nodes")
        #expect(pulls.count == 20 && data.object("mine").number("issueCount") ?? 0 > 20)
        for pull in pulls {
            #expect(pull.text("__typename") == "PullRequest")
            #expect(
                pull.text("title")?.isEmpty == false && pull.object("repository").text("nameWithOwner") != nil
            )
            #expect(pull.object("commits").objects("nodes").count == 1)
            #expect(!pull.object("timelineItems").objects("nodes").isEmpty)
        }
        #expect(pulls.contains { !$0.object("statusCheckRollup").isEmpty })
    }

    @Test func `GraphQL and REST tell the same of a pull request`() throws {
        let query = "is:open is:pr author:@me"
        let one = try pulls(query).sorted { $0.text("url") ?? "" < $1.text("url") ?? "" }
        let other = try gitHub.search(query, "&per_page=20").sorted {
            $0.text("html_url") ?? "" < $1.text("html_url") ?? ""
        }
        #expect(one.compactMap { $0.text("title") } == other.compactMap { $0.text("title") })
        #expect(one.compactMap { $0.text("updatedAt") } == other.compactMap { $0.text("updated_at") })
        #expect(one.compactMap { $0.text("id") } == other.compactMap { $0.text("node_id") })
    }

    @Test func `pages follow by their cursors until all is there`() throws {
        var seen: [String] = []
        var after: Any = NSNull()
        for _ in 0..<20 {
            let found = try gitHub.data(Self.rich, ["q": "is:open is:pr", "n": 50, "after": after]).object(
                "mine")
            seen += found.texts("id")
            guard found.object("pageInfo")["hasNextPage"] as? Bool == true else { break }
            after = found.object("pageInfo")["endCursor"] ?? NSNull()
        }
        #expect(seen.count == 200 && Set(seen).count == 200)
    }

    @Test func `whether it merges is unknown at first and known when asked again`() throws {
        let first = try pulls("is:open is:pr author:@me"), second = try pulls("is:open is:pr author:@me")
        #expect(first.allSatisfy { $0.text("mergeable") == "UNKNOWN" })
        #expect(second.allSatisfy { ["MERGEABLE", "CONFLICTING"].contains($0.text("mergeable")) })
        let ids = first.compactMap { $0.text("id") }
        let nodes = try gitHub.data(
            "query($ids: [ID!]!) { nodes(ids: $ids) { ... on PullRequest { mergeable } } }", ["ids": ids])
        #expect(nodes.objects("nodes").count == ids.count)
    }

    @Test func `a node that is gone is null beside its error`() throws {
        let id = try #require(try pulls("is:open is:pr author:@me").first?.text("id"))
        let answer = try gitHub.graphQL("{ nodes(ids: [\"\(id)\", \"PR_gone\"]) { id } }").object
        let nodes = try #require(answer.object("data")["nodes"] as? [Any])
        #expect((nodes[0] as? [String: Any])?.text("id") == id && nodes[1] is NSNull)
        let error = try #require(answer.objects("errors").first)
        #expect(error.text("type") == "NOT_FOUND" && error["path"] as? [AnyHashable] == ["nodes", 1])
    }

    @Test(arguments: [
        ("{ viewer { shoeSize } }", "Field 'shoeSize' doesn't exist on type 'User'", "undefinedField"),
        ("{ viewer }", "Field must have selections", "selectionMismatch"),
        ("{ viewer { login { x } } }", "Selections can't be made on scalars", "selectionMismatch"),
        ("{ viewer { login(size: 1) } }", "doesn't accept argument 'size'", "argumentNotAccepted"),
        ("{ viewer { ... on Unicorn { id } } }", "No such type Unicorn", "undefinedType"),
        ("{ viewer { ...Gone } }", "Fragment Gone was used", "useAndDefineFragment"),
        ("{ viewer { login }", "Unexpected end of file", "parseError"),
    ])
    func `a query that is wrong is refused in GitHub's words, without data`(
        query: String, words: String, code: String
    ) throws {
        let answer = gitHub.graphQL(query)
        let error = try #require(try answer.object.objects("errors").first)
        #expect(answer.status == 200)
        #expect(try answer.object["data"] == nil)
        #expect(error.text("message")?.contains(words) == true)
        #expect(error.object("extensions").text("code") == code)
    }

    @Test func `fragments that hold themselves and endless nesting are refused`() throws {
        let circle = "query { viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }"
        #expect(try gitHub.graphQL(circle).object["data"] == nil)
        let deep = String(repeating: "{a", count: 5_000) + String(repeating: "}", count: 5_000)
        #expect(gitHub.graphQL(deep).text.contains("too deep"))
    }

    @Test func `a connection wants a page, and no more than a hundred of it`() throws {
        let search = { (arguments: String) in
            "{ search(query: \"is:pr author:@me\", type: ISSUE, first: 1) { nodes { ... on "
                + "PullRequest { id comments\(arguments) { totalCount } } } } }"
        }
        let unpaged = try gitHub.graphQL(search("")).object
        #expect(unpaged.objects("errors").first?.text("type") == "MISSING_PAGINATION_BOUNDARIES")
        #expect(unpaged.object("data").object("search").objects("nodes").first?.isNull("comments") == true)
        let large = try gitHub.graphQL(search("(first: 101)")).object
        #expect(large.objects("errors").first?.text("type") == "EXCESSIVE_PAGINATION")
    }

    @Test func `aliases, directives, default values and merged fields work as specified`() throws {
        let query = """
            query($yes: Boolean = true, $no: Boolean = false) { # a remark
              a: viewer { login @include(if: $yes) name @skip(if: $yes) }
              viewer { login } viewer { id @include(if: $no) url }
            }
            """
        let data = try gitHub.data(query)
        #expect(data.object("a").keys.sorted() == ["login"])
        #expect(data.object("viewer").keys.sorted() == ["login", "url"])
    }

    @Test func `points are paid for connections, and an empty budget is told with status 200`() throws {
        let small = try gitHub.data("{ rateLimit { cost remaining } }").object("rateLimit")
        #expect(small.number("cost") == 1 && small.number("remaining") == 4_999)
        let large = """
            { rateLimit { cost } search(query: "is:pr", type: ISSUE, first: 100) { nodes { ... on PullRequest {
            comments(first: 10) { totalCount } reviews(first: 10) { totalCount } } } } }
            """
        #expect(try gitHub.data(large).object("rateLimit").number("cost") == 2)
        gitHub.simulation.leave(0, of: "graphql", to: "ada")
        let spent = gitHub.graphQL("{ viewer { login } }")
        #expect(spent.status == 200 && spent.header("X-RateLimit-Remaining") == "0")
        #expect(try spent.object.objects("errors").first?.text("type") == "RATE_LIMITED")
    }

    @Test func `who may not tell teams apart is refused, or gets null for them`() throws {
        gitHub.simulation.add(token: "ghp_narrow", login: "ada", scopes: ["repo"])
        let query =
            "{ search(query: \"is:pr is:open team-review-requested:kestrel-systems/backend\", type: "
            + "ISSUE, first: 1) { nodes { ... on PullRequest { reviewRequests(first: 9) { nodes { requestedReviewer { ... on Team { slug } } } } } } } }"
        let narrow = try gitHub.graphQL(query, token: "ghp_narrow").object
        #expect(
            narrow["data"] == nil && narrow.objects("errors").first?.text("type") == "INSUFFICIENT_SCOPES")
        let fine = try gitHub.graphQL(query, token: GitHubTokens.fineGrained(of: "ada")).object
        #expect(fine["data"] != nil && fine.objects("errors").first?.text("type") == "FORBIDDEN")
    }
}
