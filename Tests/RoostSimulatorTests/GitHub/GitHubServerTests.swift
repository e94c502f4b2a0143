import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

@Suite struct GitHubServerTests {
    private static let agent = "User-Agent: RoostTests/1"
    private static let headers = [agent, "Authorization: Bearer \(GitHubTokens.classic(of: "ada"))"]

    private func get(_ running: RunningSimulator, _ path: String) async -> RawClient.Result {
        await running.gitHub.get(path, headers: Self.headers)
    }

    private func graphQL(_ running: RunningSimulator) async -> RawClient.Result {
        let document = PullQuery.inbox([.init(alias: "a")], .init(pageSize: 6))
        return await running.gitHub.get(
            "/api/graphql", headers: Self.headers + ["Content-Type: application/json"], method: "POST",
            body: GitHubRequest.graphQLBody(document, ["q0": "is:pr is:open"]))
    }

    @Test func `GitHub listens on a port of its own, with its API next to its pages`() async throws {
        try await RunningSimulator.run { running in
            #expect(running.simulator.gitHubURL != running.simulator.url)
            #expect(running.simulator.gitHubAPIURL == running.simulator.gitHubURL + "/api/v3")
            for path in ["/api/v3/user", "/user"] {
                #expect(await get(running, path).text.contains(#""login":"ada""#))
            }
            #expect(await graphQL(running).text.contains(#""viewer":{"login":"ada"}"#))
            let user = await get(running, "/user").text
            #expect(user.contains("\(running.simulator.gitHubURL)/avatars/u/4001"))
            #expect(await running.gitHub.get("/avatars/u/4001?s=20").status == 200)
            #expect(await running.client.get("/user", headers: Self.headers).status == 404)
        }
    }

    @Test func `the log has queries, and never a token`() async throws {
        try await RunningSimulator.run { running in
            _ = await graphQL(running)
            _ = await running.gitHub.get(
                "/login/oauth/access_token", method: "POST", body: "client_secret=hidden&code=1")
            let log = await running.control.get("/_simulator/requests").text
            #expect(log.contains(#"{\"operationName\":\"Inbox\",\"query\":\"query Inbox($q0: String!)"#))
            #expect(log.contains("/login/oauth/access_token"))
            #expect(!log.contains("ghp_") && !log.contains("hidden"))
            #expect(running.simulator.requests(to: "/graphql").first?.body?.contains("viewer") == true)
        }
    }

    @Test(arguments: [
        ("github-primary:90", 403, "rate limit exceeded"), ("github-403", 403, "SAML"),
        ("github-503", 503, "Unicorn"),
    ])
    func `GitHub's own faults affect only its API`(
        name: String, status: Int, text: String
    ) async throws {
        try await RunningSimulator.run { running in
            let response = await running.post("/_simulator/faults", #"{"fault":"\#(name)"}"#)
            #expect(response.status == 201 && response.text.contains(#""upstream":"github""#))
            let answer = await get(running, "/user")
            #expect(answer.status == status && answer.text.contains(text))
            #expect(await running.client.get("/ping").status == 200)
            #expect(await running.gitHub.get("/avatars/u/4001?s=9").status == 200)
            _ = await running.control.get("/_simulator/faults", method: "DELETE")
            #expect(await get(running, "/user").status == 200)
        }
    }

    @Test func `GraphQL's faults do not affect REST`() async throws {
        try await RunningSimulator.run { running in
            for (name, status, text) in [
                ("graphql-limit", 200, "RATE_LIMITED"), ("graphql-missing", 404, "Not Found"),
                ("graphql-forbidden", 403, "not accessible"), ("graphql-foreign", 200, #"{"status":"ok"}"#),
                ("graphql-broken", 200, #""data":null"#),
            ] {
                await running.simulator.inject(try #require(Fault(name: name)), count: 1)
                #expect(await get(running, "/user").status == 200)
                let answer = await graphQL(running)
                #expect(answer.status == status && answer.text.contains(text), "\(name)")
            }
            #expect(running.simulator.faults.isEmpty)
        }
    }

    @Test func `single sign-on removes every third node from an answer`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.gitHub(.graphQLPartial), count: 1)
            let answer = await graphQL(running)
            let json = try #require(RawJSON(answer.body[...]))
            let nodes = try #require(json["data"]?["a"]?["nodes"]?.elements)
            #expect(nodes.count == 6 && nodes.filter(\.isNull).count == 2)
            #expect(json["errors"]?.elements?.count == 2 && answer.text.contains("saml_failure"))
        }
    }

    @Test func `the general faults affect GitHub by its paths`() async throws {
        try await RunningSimulator.run { running in
            for (name, check) in [
                ("503-html", { $0.status == 503 && $0.text.contains("Unicorn") }),
                ("429:7", { $0.status == 429 && $0.header("Retry-After") == "7" }),
                ("html", { $0.status == 200 && $0.text.contains("<!DOCTYPE") }),
                ("truncated", { $0.status == 200 && !$0.text.hasSuffix("}") }),
                ("cut", { $0.end != .timeout }),
                ("reset", { $0.status == nil }),
            ] as [(String, (RawClient.Result) -> Bool)] {
                let command = #"{"fault":"\#(name)","path":"/user","count":1}"#
                #expect(await running.post("/_simulator/faults", command).text.contains("github"))
                #expect(check(await get(running, "/user")), "\(name)")
            }
            _ = await running.post("/_simulator/faults", #"{"fault":"500","upstream":"github"}"#)
            #expect(await graphQL(running).status == 500)
            #expect(await running.client.get("/ping").status == 200)
        }
    }

    @Test func `GitHub alone becomes unreachable and returns`() async throws {
        try await RunningSimulator.run { running in
            let command = #"{"fault":"refused:600","upstream":"github"}"#
            #expect(
                await running.post("/_simulator/faults", command).text.contains(#""gitHubListening":false"#))
            #expect(await get(running, "/user").end == .refused)
            #expect(await running.client.get("/ping").status == 200)
            await running.simulator.clear()
            #expect(await get(running, "/user").status == 200)
        }
    }

    @Test func `orders are posted and answered with the pull request that they made`() async throws {
        try await RunningSimulator.run { running in
            let command = #"{"request":{"login":"ada","title":"Now!"}}"#
            let response = await running.post("/_simulator/github", command)
            #expect(response.status == 200 && response.text.contains(#""open":201"#))
            let answer = try #require(RawJSON(response.body[...]))
            let key = try #require(answer["pull"]?["key"]?.string)
            #expect(answer["pull"]?["title"]?.string == "Now!")
            for (word, state) in [
                ("comment", "OPEN"), ("thread", "OPEN"), ("resolve", "OPEN"), ("push", "OPEN"),
                ("fail", "OPEN"),
                ("pass", "OPEN"), ("ready", "OPEN"), ("review", "OPEN"), ("approve", "OPEN"),
                ("assign", "OPEN"), ("conflict", "OPEN"), ("dismiss", "OPEN"), ("autoMerge", "OPEN"),
                ("queue", "OPEN"), ("merge", "MERGED"),
            ] {
                let done = await running.post("/_simulator/github", #"{"\#(word)":{"pull":"\#(key)"}}"#)
                #expect(done.status == 200 && done.text.contains(#""state":"\#(state)""#), "\(word)")
            }
            let missing = await running.post("/_simulator/github", #"{"push":{"pull":"\#(key)"}}"#)
            #expect(missing.status == 400 && missing.text.contains("no open pull request"))
        }
    }

    @Test func `tokens, limits and sign-ins can be changed too, and reset`() async throws {
        try await RunningSimulator.run { running in
            func post(_ json: String) async -> Int? { await running.post("/_simulator/github", json).status }
            #expect(await post(#"{"token":{"value":"ghp_new","login":"grace","scopes":["repo"]}}"#) == 200)
            let grace = await running.gitHub.get(
                "/user", headers: [Self.agent, "Authorization: token ghp_new"])
            #expect(grace.text.contains(#""login":"grace""#) && grace.header("X-OAuth-Scopes") == "repo")
            #expect(await post(#"{"limit":{"resource":"core","remaining":0}}"#) == 200)
            #expect(await get(running, "/user").status == 403)
            #expect(await post(#"{"revoke":{"login":"ada"}}"#) == 200)
            #expect(await get(running, "/user").status == 401)
            #expect(await post(#"{"app":{"interval":1}}"#) == 200)
            let device = await running.gitHub.get(
                "/login/device/code", headers: [Self.agent, "Accept: application/json"], method: "POST",
                body: "client_id=a")
            #expect(device.text.contains(#""interval":1"#))
            #expect(await post(#"{"device":{"decision":"deny"}}"#) == 200)
            let state = await running.control.get("/_simulator/github").text
            #expect(state.contains(#""verdict":"denied""#))
            let restored = await running.control.get("/_simulator/github", method: "DELETE")
            #expect(restored.text.contains(#""devices":[]"#))
            #expect(await get(running, "/user").status == 200)
        }
    }
}
