import Foundation
import RoostSimulator
import Testing

/// What GitHub refuses before it looks at anything, and what it costs to ask.
@Suite struct GraphQLRefusalTests {
    private let gitHub = TestGitHub()

    @Test(arguments: [
        (
            "query($q: String!) { viewer { login } }",
            "Variable $q is declared by anonymous query but not used", "variableNotUsed"
        ),
        (
            "query Q($q: String) { viewer { login } }", "Variable $q is declared by Q but not used",
            "variableNotUsed"
        ),
        (
            "query Q { user(login: $who) { login } }", "Variable $who is used by Q but not declared",
            "variableNotDefined"
        ),
        (
            "{ viewer { login @include(if: $yes) } }",
            "Variable $yes is used by anonymous query but not declared", "variableNotDefined"
        ),
        ("{ nodes(ids: [$one]) { id } }", "Variable $one is used", "variableNotDefined"),
        (
            "{ viewer { ...A } } fragment A on User { avatarUrl(size: $s) }", "Variable $s is used",
            "variableNotDefined"
        ),
        ("{ viewer { login @shout } }", "Directive @shout is not defined", "undefinedDirective"),
        (
            "{ viewer { ... on User @shout { login } } }", "Directive @shout is not defined",
            "undefinedDirective"
        ),
        (
            "{ viewer { ...A } } fragment A on User { ...A }", "Fragment A contains an infinite loop",
            "infiniteLoop"
        ),
        (
            "{ viewer { login } } fragment A on User { id }", "Fragment A was defined, but not used",
            "useAndDefineFragment"
        ),
        (
            "{ search(first: 1) { issueCount } }",
            "Field 'search' is missing required arguments: query, type", "missingRequiredArguments"
        ),
        (
            "{ repository(owner: \"grace\") { id } }",
            "Field 'repository' is missing required arguments: name", "missingRequiredArguments"
        ),
        ("{ nodes { id } }", "Field 'nodes' is missing required arguments: ids", "missingRequiredArguments"),
        (
            "{ search(query: 5, type: ISSUE, first: 1) { issueCount } }",
            "Argument 'query' on Field 'search' has an invalid value (5). Expected type 'String!'.",
            "argumentLiteralsIncompatible"
        ),
        (
            "{ search(query: \"a\", type: ISSUE, first: \"1\") { issueCount } }",
            "Argument 'first' on Field 'search' has an invalid value (\"1\"). Expected type 'Int'.",
            "argumentLiteralsIncompatible"
        ),
        (
            "{ search(query: \"a\", type: \"ISSUE\", first: 1) { issueCount } }",
            "Argument 'type' on Field 'search' has an invalid value (\"ISSUE\"). Expected type 'SearchType!'.",
            "argumentLiteralsIncompatible"
        ),
        (
            "{ search(query: \"a\", type: ISSUE, first: 1) { title } }",
            "Field 'title' doesn't exist on type 'SearchResultItemConnection'", "undefinedField"
        ),
        (
            "{ search(query: \"a\", type: ISSUE, first: 1) { nodes { title } } }",
            "Selections can't be made directly on unions (see selections on SearchResultItem)",
            "selectionMismatch"
        ),
    ])
    func `a query that cannot be meant is refused in GitHub's words`(
        query: String, words: String, code: String
    ) throws {
        let answer = gitHub.graphQL(query)
        #expect(answer.status == 200)
        let object = try answer.object
        #expect(object["data"] == nil)
        let errors = object.objects("errors").filter { $0.object("extensions").text("code") == code }
        let error = try #require(errors.first, "\(object)")
        #expect(error.text("message")?.hasPrefix(words) == true, "\(error)")
        #expect(gitHub.ask("/rate_limit").header("X-RateLimit-Remaining") == "5000")
        let limits = try gitHub.ask("/rate_limit").object.object("resources").object("graphql")
        #expect(limits.number("remaining") == 5_000)
    }

    @Test func `the place of an error is where its field stands`() throws {
        let query = "{\n  a: viewer {\n    login\n    shoeSize\n  }\n}"
        let error = try #require(try gitHub.graphQL(query).object.objects("errors").first)
        let place = try #require(error.objects("locations").first)
        #expect(place.number("line") == 4 && place.number("column") == 5)
        #expect(error["path"] as? [String] == ["query", "a", "shoeSize"])
    }

    @Test func `points and nodes are counted as GitHub's example counts them`() throws {
        // docs.github.com: 1 + 100 + 5,000 requests are 51 points; 100 + 5,000 + 300,000 nodes.
        let query = """
            query($n: Int = 50) { rateLimit { cost nodeCount remaining used }
              search(query: "is:pr", type: ISSUE, first: 100) { nodes { ... on PullRequest { ...P } } } }
            fragment P on PullRequest { reviewThreads(first: $n) {
              nodes { comments(first: 60) { totalCount } } } }
            """
        let limit = try gitHub.data(query).object("rateLimit")
        #expect(limit.number("cost") == 51 && limit.number("nodeCount") == 305_100)
        #expect(limit.number("remaining") == 4_949 && limit.number("used") == 51)
        let cheaper = try gitHub.data(query, ["n": 1]).object("rateLimit")
        #expect(cheaper.number("cost") == 2 && cheaper.number("nodeCount") == 6_200)
        let large = try gitHub.graphQL(query, ["n": 100]).object
        #expect(large.objects("errors").first?.text("type") == "MAX_NODE_LIMIT_EXCEEDED")
        #expect(try gitHub.data("{ rateLimit { used } }").object("rateLimit").number("used") == 54)
    }

    @Test func `a query that costs more than there is left is refused and costs nothing`() throws {
        gitHub.simulation.leave(5, of: "graphql", to: "ada")
        let query =
            "{ search(query: \"is:pr\", type: ISSUE, first: 100) { nodes { ... on PullRequest { reviewThreads"
            + "(first: 20) { nodes { comments(first: 5) { totalCount } } } } } } }"
        let refused = gitHub.graphQL(query)
        #expect(refused.status == 200 && refused.header("X-RateLimit-Remaining") == "5")
        #expect(try refused.object.objects("errors").first?.text("type") == "RATE_LIMITED")
        #expect(gitHub.graphQL("{ viewer { login } }").header("X-RateLimit-Remaining") == "4")
        #expect(gitHub.ask("/user").header("X-RateLimit-Remaining") == "4999")
        gitHub.clock.advance(seconds: 3_601)
        #expect(gitHub.graphQL("{ viewer { login } }").header("X-RateLimit-Remaining") == "4999")
    }

    @Test func `what is no query at all is refused with a status of its own`() throws {
        func post(_ body: String, token: String? = GitHubTokens.classic(of: "ada")) -> SimulatedAnswer {
            gitHub.simulation.answer(
                GitHubRequest(
                    method: "POST", target: "/graphql", token: token, contentType: "application/json",
                    body: Array(body.utf8)))
        }
        #expect(post("{").status == 400 && post("[]").text.contains("Problems parsing JSON"))
        #expect(post("{\"query\":5}").text.contains("A query attribute must be specified"))
        #expect(post("{\"query\":\"{ viewer { id } }\"}", token: nil).status == 401)
        #expect(post("{\"query\":\"{ viewer { id } }\"}", token: "ghp_x").text.contains("Bad credentials"))
        #expect(gitHub.ask("/graphql").status == 404)
        let mutation = try #require(try gitHub.graphQL("mutation { a { b } }").object.objects("errors").first)
        #expect(mutation.text("message") == "The simulated GitHub takes no mutation")
    }
}
