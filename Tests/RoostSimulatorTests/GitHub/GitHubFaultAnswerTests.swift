import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// GitHub's faults have the recorded or documented status, headers and messages.
@Suite struct GitHubFaultAnswerTests {
    private static let headers = [
        "User-Agent: RoostTests/1", "Authorization: Bearer \(GitHubTokens.classic(of: "ada"))",
    ]

    private func get(_ running: RunningSimulator, _ path: String, _ fault: Fault) async -> RawClient.Result {
        await running.simulator.inject(fault, count: 1)
        return await running.gitHub.get(path, headers: Self.headers)
    }

    @Test func `a primary limit names the resource of the request`() async throws {
        try await RunningSimulator.run { running in
            for (path, resource) in [("/user", "core"), ("/search/issues?q=is:pr", "search")] {
                let answer = await get(running, path, .gitHub(.primary, 20))
                #expect(answer.status == 403 && answer.header("X-RateLimit-Resource") == resource)
                #expect(answer.header("X-RateLimit-Remaining") == "0" && answer.header("Retry-After") == nil)
                #expect(answer.header("X-RateLimit-Limit") == (resource == "core" ? "5000" : "30"))
                #expect(answer.header("X-RateLimit-Used") == answer.header("X-RateLimit-Limit"))
                #expect(answer.header("X-RateLimit-Reset") == String(TestMarket.moment / 1000 + 20))
            }
        }
    }

    @Test func `a refused token gets the limits of a signed-out request`() async throws {
        try await RunningSimulator.run { running in
            let fault = await get(running, "/user", .gitHub(.unauthorised))
            let original = await running.gitHub.get(
                "/user", headers: ["User-Agent: RoostTests/1", "Authorization: Bearer ghp_wrong"])
            for answer in [fault, original] {
                #expect(answer.status == 401 && answer.text.contains(#""message":"Bad credentials""#))
                #expect(answer.header("X-RateLimit-Limit") == "60" && answer.header("X-OAuth-Scopes") == nil)
                #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
            }
        }
    }

    @Test func `secondary limits have a Retry-After, or none`() async throws {
        try await RunningSimulator.run { running in
            for (fault, status, wait) in [
                (Fault.gitHub(.secondary, 30), 403, "30"), (.gitHub(.secondary), 403, "60"),
                (.gitHub(.secondaryBare), 403, nil), (.gitHub(.tooMany, 8), 429, "8"),
            ] as [(Fault, Int, String?)] {
                let answer = await get(running, "/user", fault)
                #expect(answer.status == status && answer.header("Retry-After") == wait)
                #expect(
                    answer.text.contains(
                        "You have exceeded a secondary rate limit. Please wait a few minutes"))
                #expect(answer.header("X-RateLimit-Remaining") != "0")
                if wait == nil { #expect(answer.header("X-RateLimit-Remaining") == nil) }
            }
        }
    }

    @Test func `an outage is an HTML page, and a plain refusal has no sign of a limit`() async throws {
        try await RunningSimulator.run { running in
            let outage = await get(running, "/user", .gitHub(.unicorn))
            #expect(outage.status == 503 && outage.header("Content-Type") == "text/html; charset=utf-8")
            #expect(outage.text.contains("<title>Unicorn! &middot; GitHub</title>"))
            #expect(outage.header("Retry-After") == nil)
            let refusal = await get(running, "/user", .gitHub(.forbidden))
            #expect(refusal.status == 403 && refusal.header("Retry-After") == nil)
            #expect(refusal.header("X-RateLimit-Remaining") != "0" && !refusal.text.contains("rate limit"))
            let missing = await get(running, "/user", .gitHub(.notFound))
            #expect(missing.status == 404 && missing.text.contains(#""message":"Not Found""#))
        }
    }

    @Test func `GraphQL's own limit has status 200, and a partial answer keeps its limits`()
        async throws
    {
        try await RunningSimulator.run { running in
            func post(
                _ fault: Fault, _ document: String, _ variables: [String: Any]
            ) async -> RawClient.Result {
                await running.simulator.inject(fault, count: 1)
                return await running.gitHub.get(
                    "/graphql", headers: Self.headers + ["Content-Type: application/json"], method: "POST",
                    body: GitHubRequest.graphQLBody(document, variables))
            }
            let limit = await post(.gitHub(.graphQLLimit, 15), PullQuery.mergeable, ["ids": []])
            #expect(limit.status == 200 && limit.text.contains(#""type":"RATE_LIMITED""#))
            #expect(!limit.text.contains(#""data""#) && limit.header("X-RateLimit-Resource") == "graphql")
            #expect(limit.header("X-RateLimit-Remaining") == "0")
            #expect(limit.header("X-RateLimit-Reset") == String(TestMarket.moment / 1000 + 15))
            let search = PullQuery.inbox([.init(alias: "a")], .init(pageSize: 4))
            let partial = await post(.gitHub(.graphQLPartial), search, ["q0": "is:pr"])
            #expect(partial.text.contains(#""path":["a","nodes",2]"#))
            #expect(partial.header("X-RateLimit-Remaining") == "4998")
            let whole = await post(.gitHub(.graphQLPartial), search, ["q0": "is:pr no-such-word"])
            #expect(whole.text.contains(#""nodes":[]"#) && !whole.text.contains("errors"))
        }
    }

    @Test func `faults apply as often as ordered and are named in the log`() async throws {
        try await RunningSimulator.run { running in
            await running.simulator.inject(.gitHub(.unicorn), count: 2)
            var statuses: [Int?] = []
            for _ in 0..<3 {
                statuses.append(await running.gitHub.get("/user", headers: Self.headers).status)
            }
            #expect(statuses == [503, 503, 200])
            let log = running.simulator.requests(to: "/user")
            #expect(log.map(\.fault) == ["github-503", "github-503", nil])
        }
    }
}
