import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

@Suite struct RepositoryServerTests {
    private let agent = ["User-Agent: RoostTests/1"]
    private let token = ["Authorization: Bearer \(GitHubTokens.classic(of: "ada"))"]

    private func post(_ running: RunningSimulator, _ json: String) async -> Int? {
        await running.post("/_simulator/github", json).status
    }

    @Test func `an order to the control API changes the answers`() async throws {
        try await RunningSimulator.run { running in
            let name = "grace/nanoseconds"
            let json =
                #"{"repository":{"fullName":"\#(name)","rename":"grace/ns","stars":77,"archived":true}}"#
            #expect(await post(running, json) == 200)
            #expect(await post(running, #"{"repository":{"fullName":"a/b","stars":1}}"#) == 400)
            #expect(await running.gitHub.get("/api/v3/repos/\(name)", headers: agent).status == 301)
            let renamed = await running.gitHub.get("/api/v3/repos/grace/ns", headers: agent)
            #expect(
                renamed.text.contains(#""stargazers_count":77"#) && renamed.text.contains(#""archived":true"#)
            )
            let page = await running.gitHub.get("/\(name)/issues", headers: agent)
            #expect(page.status == 301 && page.header("Location")?.hasSuffix("/grace/ns/issues") == true)
        }
    }

    @Test func `the signed-out limit can be set and used up`() async throws {
        try await RunningSimulator.run { running in
            let get = { await running.gitHub.get("/repos/grace/dotfiles", headers: agent) }
            #expect(await post(running, #"{"limit":{"login":"","resource":"core","limit":5}}"#) == 200)
            #expect(await get().header("X-RateLimit-Limit") == "5")
            #expect(await post(running, #"{"limit":{"login":"","resource":"core","remaining":1}}"#) == 200)
            #expect(await get().header("X-RateLimit-Remaining") == "0")
            let refused = await get()
            #expect(refused.status == 403 && refused.text.contains("127.0.0.1"))
            let signedIn = await running.gitHub.get("/repos/grace/dotfiles", headers: agent + token)
            #expect(signedIn.status == 200 && signedIn.header("X-RateLimit-Limit") == "5000")
        }
    }

    @Test func `the log has the user of a request, and no token`() async throws {
        try await RunningSimulator.run { running in
            _ = await running.gitHub.get("/repos/grace/dotfiles", headers: agent)
            _ = await running.gitHub.get("/repos/grace/dotfiles", headers: agent + token)
            _ = await running.gitHub.get("/repos/grace/dotfiles", headers: agent + ["Authorization: token x"])
            #expect(
                running.simulator.requests(to: "/repos/grace/dotfiles").map(\.login) == [nil, "ada", nil])
            let log = await running.control.get("/_simulator/requests").text
            #expect(log.contains(#""login":"ada""#) && !log.contains(GitHubTokens.classic(of: "ada")))
        }
    }

    @Test func `a partial answer to a query for nodes leaves out every third`() async throws {
        try await RunningSimulator.run { running in
            let ids =
                running.simulator.gitHub?.repositories.moment().all.filter { !$0.isUnavailable }.prefix(4)
                .map(\.nodeID) ?? []
            await running.simulator.inject(.gitHub(.graphQLPartial), count: 1)
            let partial = await running.gitHub.get(
                "/graphql", headers: agent + token + ["Content-Type: application/json"], method: "POST",
                body: GitHubRequest.graphQLBody(RepositoryQuery.nodes, ["ids": ids]))
            #expect(partial.text.contains(#""path":["nodes",2]"#) && partial.text.contains("},null,{"))
        }
    }

    @Test func `there are pages, pictures and badges for people`() async throws {
        try await RunningSimulator.run { running in
            let get = { await running.gitHub.get($0, headers: agent) }
            #expect(await get("/grace/nanoseconds").text.contains("<title>grace/nanoseconds"))
            let picture = await get("/grace/nanoseconds/raw/main/docs/picture.png")
            #expect(picture.status == 200 && picture.header("Content-Type") == "image/png")
            let badge = await get("/camo/build/passing.svg")
            #expect(badge.header("Content-Type")?.hasPrefix("image/svg+xml") == true)
            #expect(await get("/nobody/nothing").status == 404)
            #expect(await get("/repositories?since=5").text.contains("\r\n\r\n[{"))
        }
    }
}
