import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// Answers to the operations `Inbox`, `Details`, `Checks` and `Mergeable`.
@Suite struct GitHubGraphQLTests {
    private let gitHub = TestGitHub()

    private func pulls(_ words: String) throws -> [[String: Any]] {
        try gitHub.page(words, first: 20).objects("nodes")
    }

    @Test func `two requests return everything that the inbox needs`() throws {
        let query = "is:open is:pr review-requested:@me"
        let answer = try gitHub.inbox(query, first: 20).object
        #expect(answer["errors"] == nil)
        let data = answer.object("data")
        #expect(data.object("viewer").text("login") == "ada")
        #expect(data.object("rateLimit").number("limit") == 5_000)
        let pulls = try gitHub.detailed(query, first: 20)
        #expect(data.object("found").texts("id") == pulls.compactMap { $0.text("id") })
        #expect(pulls.count == 20 && data.object("found").number("issueCount") ?? 0 > 20)
        for pull in pulls {
            #expect(pull.text("__typename") == "PullRequest")
            #expect(pull.text("title")?.isEmpty == false)
            #expect(pull.object("repository").text("nameWithOwner") != nil)
            #expect(pull.object("commits").objects("nodes").count == 1)
            #expect(!pull.object("timelineItems").objects("nodes").isEmpty)
        }
        #expect(pulls.contains { !$0.object("statusCheckRollup").isEmpty })
    }

    @Test func `several searches are answered under their own names`() throws {
        let searches = [
            PullQuery.Search(alias: "yours"), .init(alias: "own7"),
        ]
        let queries = ["q0": "is:pr is:open author:@me", "q1": "is:pr is:open author:grace"]
        let data = try gitHub.graphQL(PullQuery.inbox(searches), queries).object.object("data")
        let (yours, own) = (data.object("yours").objects("nodes"), data.object("own7").objects("nodes"))
        #expect(yours.allSatisfy { $0.object("author").text("login") == "ada" })
        #expect(own.allSatisfy { $0.object("author").text("login") == "grace" })
        #expect(yours.count > 10 && !own.isEmpty)
    }

    @Test func `GraphQL and REST agree about a pull request`() throws {
        let query = "is:open is:pr author:@me"
        let one = try pulls(query).sorted { $0.text("url") ?? "" < $1.text("url") ?? "" }
        let other = try gitHub.search(query, "&per_page=20").sorted {
            $0.text("html_url") ?? "" < $1.text("html_url") ?? ""
        }
        #expect(one.compactMap { $0.text("title") } == other.compactMap { $0.text("title") })
        #expect(one.compactMap { $0.text("updatedAt") } == other.compactMap { $0.text("updated_at") })
        #expect(one.compactMap { $0.text("id") } == other.compactMap { $0.text("node_id") })
    }

    @Test(arguments: [7, 50, 100])
    func `pages follow their cursors to the end`(size: Int) throws {
        var seen: [String] = []
        var after: String?
        for _ in 0..<40 {
            let page = try gitHub.page("is:open is:pr", first: size, after: after)
            seen += page.texts("id")
            #expect(page.number("issueCount") == 200)
            guard page.object("pageInfo")["hasNextPage"] as? Bool == true else { break }
            after = page.object("pageInfo").text("endCursor")
        }
        #expect(seen.count == 200 && Set(seen).count == 200)
        let past = try gitHub.page("is:open is:pr", after: "Y3Vyc29yOjIwMA==").object("pageInfo")
        #expect(past["hasNextPage"] as? Bool == false && past.isNull("endCursor"))
    }

    @Test(arguments: ["nonsense", "", "Y3Vyc29yOi01"])
    func `a search with an invalid cursor is null next to its error`(cursor: String) throws {
        let answer = try gitHub.inbox("is:pr", after: cursor).object
        let error = try #require(answer.objects("errors").first)
        #expect(error.text("type") == "INVALID_CURSOR_ARGUMENTS")
        #expect(error.text("message") == "`\(cursor)` does not appear to be a valid cursor.")
        #expect(error["path"] as? [String] == ["found"] && answer.object("data").isNull("found"))
        #expect(answer.object("data").object("viewer").text("login") == "ada")
    }

    @Test func `inner lists are cut to the latest items and count all`() throws {
        let key = try gitHub.simulation.open().key
        for number in 1...52 { try gitHub.simulation.comment(on: key, "number \(number)") }
        for _ in 1...52 { try gitHub.simulation.thread(on: key) }
        let query = "is:pr is:open repo:lovelace-labs/analytical-engine sort:created"
        let pull = try #require(try gitHub.detailed(query, first: 1, includesThreads: true).first)
        #expect(pull.object("comments").objects("nodes").count == 50)
        #expect(pull.object("comments").number("totalCount") == 52)
        #expect(pull.object("reviewThreads").number("totalCount") == 52)
        #expect(pull.object("reviewThreads").objects("nodes").count == 50)
        let threads = pull.object("threads").objects("nodes")
        #expect(
            threads.count == 15 && threads.allSatisfy { $0.object("comments").objects("nodes").count == 1 })
        #expect(pull.number("totalCommentsCount") == 104)
    }

    @Test func `checks are counted by state, as in the simulated world`() throws {
        let moment = gitHub.simulation.world.moment()
        var kinds: Set<String> = []
        for pull in try gitHub.detailed("is:open is:pr", first: 100) {
            let head = pull.object("commits").objects("nodes").first?.object("commit") ?? [:]
            let contexts = head.object("statusCheckRollup").object("contexts")
            let real = try #require(moment.open.first { $0.nodeID == pull.text("id") })
            #expect(pull.object("statusCheckRollup").text("state") == real.checks.state(at: moment.now))
            #expect(head.isNull("statusCheckRollup") == real.checks.checks.isEmpty)
            for (list, isContext) in [("checkRunCountsByState", false), ("statusContextCountsByState", true)]
            {
                let counts = contexts.objects(list).map { ($0.text("state") ?? "", $0.number("count") ?? 0) }
                let states = real.checks.checks.filter { $0.isContext == isContext }
                    .map { $0.state(at: moment.now) }
                let expected = Dictionary(states.map { ($0, 1.0) }, uniquingKeysWith: +)
                #expect(Dictionary(uniqueKeysWithValues: counts) == expected)
                kinds.formUnion(counts.map { "\(list) \($0.0)" })
            }
        }
        #expect(kinds.count > 3, "\(kinds)")
    }

    @Test func `mergeability is unknown at first and known in the next request`() throws {
        let first = try pulls("is:open is:pr author:@me"), second = try pulls("is:open is:pr author:@me")
        #expect(first.allSatisfy { $0.text("mergeable") == "UNKNOWN" })
        #expect(second.allSatisfy { ["MERGEABLE", "CONFLICTING"].contains($0.text("mergeable")) })
        let ids = first.compactMap { $0.text("id") }
        #expect(try gitHub.mergeable(ids) == second.map { $0.text("mergeable") })
    }

    @Test func `a node that is gone is null next to its error`() throws {
        let id = try #require(try pulls("is:open is:pr author:@me").first?.text("id"))
        let answer = try gitHub.graphQL(PullQuery.mergeable, ["ids": [id, "PR_gone"]]).object
        let nodes = try #require(answer.object("data")["nodes"] as? [Any])
        #expect((nodes[0] as? [String: Any])?.text("id") == id && nodes[1] is NSNull)
        let error = try #require(answer.objects("errors").first)
        #expect(error.text("type") == "NOT_FOUND" && error["path"] as? [AnyHashable] == ["nodes", 1])
    }

    private static let document = PullQuery.inbox([.init(alias: "found")])

    @Test(arguments: [
        document + " ", document.replacing("title", with: "title body"), PullQuery.details() + " ",
        PullQuery.checks.replacing("state", with: "state id"),
        document.replacing("$q0", with: "$words"), document.replacing("first: 100", with: "first: 101"),
        document.replacing("Inbox", with: "Outbox"), "query Inbox { viewer { login } }",
        PullQuery.mergeable.replacing("Mergeable", with: "Repositories"), "{ viewer { login } }",
        "mutation Inbox { a { b } }", "",
    ])
    func `a document that Roost does not send is refused, and costs nothing`(document: String) throws {
        let answer = gitHub.graphQL(document, ["q0": "is:pr", "ids": ["PR_sim1"]])
        #expect(try answer.status == 200 && answer.object["data"] == nil)
        let error = try #require(try answer.object.objects("errors").first)
        #expect(error.object("extensions").text("code") == "unknownDocument")
        #expect(answer.header("X-RateLimit-Remaining") == "5000")
    }

    @Test(arguments: [
        (document, #"{}"#, "q0"), (document, #"{"q0":null}"#, "q0"), (document, #"{"q0":5}"#, "q0"),
        (PullQuery.inbox([.init(alias: "a", isContinued: true)]), #"{"q0":"is:pr"}"#, "a0"),
        (PullQuery.mergeable, #"{"ids":["PR_sim1",null]}"#, "ids"), (PullQuery.mergeable, "{}", "ids"),
        (PullQuery.details(), #"{"discussed":[]}"#, "others"),
        (PullQuery.checks, #"{"running":[],"open":null}"#, "open"),
    ])
    func `a missing variable, or one of another type, is refused`(
        document: String, variables: String, name: String
    ) throws {
        let input = try JSONSerialization.jsonObject(with: Data(variables.utf8)) as? [String: Any] ?? [:]
        let answer = try gitHub.graphQL(document, input).object
        let error = try #require(answer.objects("errors").first)
        #expect(answer["data"] == nil && error.object("extensions").text("code") == "variableMismatch")
        #expect(error.text("message")?.hasPrefix("Variable $\(name) ") == true)
    }

    @Test func `an invalid request is refused with its own status`() throws {
        func post(_ body: String, token: String? = GitHubTokens.classic(of: "ada")) -> SimulatedResponse {
            gitHub.simulation.answer(
                GitHubRequest(
                    method: "POST", target: "/graphql", token: token, contentType: "application/json",
                    body: Array(body.utf8)))
        }
        let valid = GitHubRequest.graphQLBody(PullQuery.mergeable, ["ids": []])
        #expect(post("{").status == 400 && post("[]").text.contains("Problems parsing JSON"))
        #expect(post(#"{"query":5}"#).text.contains("A query attribute must be specified"))
        #expect(post(valid).status == 200 && post(valid, token: nil).status == 401)
        #expect(post(valid, token: "ghp_x").text.contains("Bad credentials"))
        #expect(gitHub.ask("/graphql").status == 404)
    }

    private func cost(_ document: String, _ variables: [String: Any]) throws -> Double? {
        try gitHub.graphQL(document, variables).object.object("data").object("rateLimit").number("cost")
    }

    /// docs.github.com counts a request for each search, and one for each list of each pull request: ten, and with
    /// review threads also the threads and the comments of fifteen.
    @Test(arguments: [(0, 0, 1), (0, 10, 1), (0, 50, 5), (50, 0, 13), (50, 50, 18), (100, 100, 36)])
    func `lists cost points, as GitHub counts them`(discussed: Int, others: Int, points: Double)
        throws
    {
        let ids = gitHub.simulation.world.moment().open.prefix(100).map(\.nodeID)
        let lists = ["discussed": Array(ids.prefix(discussed)), "others": Array(ids.prefix(others))]
        let answer = gitHub.graphQL(PullQuery.details(), lists)
        let limit = try answer.object.object("data").object("rateLimit")
        #expect(limit.number("cost") == points && limit.number("remaining") == 5_000 - points)
        #expect(answer.header("X-RateLimit-Remaining") == "\(5_000 - Int(points))")
    }

    @Test func `searches without lists cost one point together, and checks three requests each`() throws {
        let searches = PullSearch.standard.enumerated().map { PullQuery.Search(alias: "s\($0.offset)") }
        let queries = Dictionary(
            uniqueKeysWithValues: searches.indices.map { ("q\($0)", "is:pr author:@me") })
        #expect(try cost(PullQuery.inbox(searches), queries) == 1)
        let ids = gitHub.simulation.world.moment().open.prefix(100).map(\.nodeID)
        #expect(try cost(PullQuery.checks, ["running": ids, "open": [String]()]) == 3)
        #expect(try cost(PullQuery.checks, ["running": ids, "open": ids]) == 4)
    }

    @Test func `checks and threads are returned alone, and nothing else with them`() throws {
        let pulls = gitHub.simulation.world.moment().open
        let pull = try #require(pulls.first { !$0.threads.isEmpty && !$0.checks.checks.isEmpty })
        let data = try gitHub.graphQL(
            PullQuery.checks, ["running": [pull.nodeID, "PR_gone"], "open": [pull.nodeID]]
        ).object.object("data")
        let running = try #require(data["running"] as? [Any])
        let node = try #require(running.first as? [String: Any])
        #expect(Set(node.keys) == ["id", "headRefOid", "statusCheckRollup", "commits"])
        #expect(running.count == 2 && running.last is NSNull)
        let open = try #require(data.objects("open").first)
        #expect(Set(open.keys) == ["id", "reviewThreads"])
        #expect(open.object("reviewThreads").number("totalCount") == Double(pull.threads.count))
    }

    @Test func `checks, conflicts and resolved threads do not change the update time`() throws {
        let key = try gitHub.simulation.open().key
        let before = try gitHub.simulation.thread(on: key).updatedAt
        gitHub.clock.advance(seconds: 60)
        for change in [
            { try gitHub.simulation.failChecks(of: key) }, { try gitHub.simulation.passChecks(of: key) },
            { try gitHub.simulation.setConflict(of: key) }, { try gitHub.simulation.resolve(on: key) },
        ] {
            #expect(try change().updatedAt == before)
        }
        #expect(try gitHub.simulation.comment(on: key).updatedAt > before)
    }

    @Test func `a query that costs more than is left is refused and costs nothing`() throws {
        gitHub.simulation.setRemaining(4, of: "graphql", to: "ada")
        let ids = gitHub.simulation.world.moment().open.prefix(50).map(\.nodeID)
        let refused = gitHub.graphQL(PullQuery.details(), ["discussed": [String](), "others": ids])
        #expect(refused.status == 200 && refused.header("X-RateLimit-Remaining") == "4")
        #expect(try refused.object.objects("errors").first?.text("type") == "RATE_LIMITED")
        #expect(gitHub.inbox("is:pr", first: 10).header("X-RateLimit-Remaining") == "3")
        #expect(gitHub.ask("/user").header("X-RateLimit-Remaining") == "4999")
        gitHub.clock.advance(seconds: 3_601)
        #expect(gitHub.inbox("is:pr").header("X-RateLimit-Remaining") == "4999")
    }

    @Test func `a token that may not read teams is refused, or gets null for them`() throws {
        gitHub.simulation.add(token: "ghp_narrow", login: "ada", scopes: ["repo"])
        let query = "is:pr is:open team-review-requested:kestrel-systems/backend"
        let narrow = try gitHub.details(query, token: "ghp_narrow").object
        #expect(
            narrow["data"] == nil && narrow.objects("errors").first?.text("type") == "INSUFFICIENT_SCOPES")
        let lean = try gitHub.details(query, hasTeams: false, token: "ghp_narrow").object
        let first = try #require(lean.object("data").objects("others").first)
        let reviewers = first.object("reviewRequests").objects("nodes").map { $0.object("requestedReviewer") }
        let team = try #require(reviewers.first { $0.text("__typename") == "Team" })
        #expect(lean["errors"] == nil && team["combinedSlug"] == nil)
        let fine = try gitHub.details(query, token: GitHubTokens.fineGrained(of: "ada")).object
        let error = try #require(fine.objects("errors").first)
        #expect(fine["data"] != nil && error.text("type") == "FORBIDDEN")
        let path = try #require(error["path"] as? [Any])
        #expect(path.first as? String == "others" && path.last as? String == "requestedReviewer")
    }

    @Test func `private repositories' pull requests are hidden from tokens without access`() throws {
        gitHub.simulation.add(token: "ghp_public", login: "ada", scopes: ["read:org"])
        let secret = try #require(gitHub.simulation.world.moment().open.first { $0.repository.isPrivate })
        let query = "is:pr repo:\(secret.repository.fullName)"
        #expect(try gitHub.page(query).number("issueCount") ?? 0 > 0)
        let hidden = try gitHub.inbox(query, token: "ghp_public").object.object("data").object("found")
        #expect(hidden.number("issueCount") == 0)
        let answer = try gitHub.graphQL(
            PullQuery.mergeable, ["ids": [secret.nodeID]], token: "ghp_public"
        ).object
        #expect(answer.objects("errors").first?.text("type") == "NOT_FOUND")
    }
}
