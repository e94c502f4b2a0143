import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// The repositories over HTTP: orders, limits, faults, the log, pages and pictures.
@Suite struct RepositoryServerTests {
    private let agent = ["User-Agent: RoostTests/1"]
    private let token = ["Authorization: Bearer \(GitHubTokens.classic(of: "ada"))"]

    private func order(_ running: RunningSimulator, _ json: String) async -> Int? {
        await running.post("/_simulator/github", json).status
    }

    @Test func `what is ordered at the switchboard is what is answered`() async throws {
        try await RunningSimulator.run { running in
            let name = "grace/nanoseconds"
            let json =
                #"{"repository":{"fullName":"\#(name)","rename":"grace/ns","stars":77,"archived":true}}"#
            #expect(await order(running, json) == 200)
            #expect(await order(running, #"{"repository":{"fullName":"a/b","stars":1}}"#) == 400)
            #expect(await running.gitHub.get("/api/v3/repos/\(name)", headers: agent).status == 301)
            let renamed = await running.gitHub.get("/api/v3/repos/grace/ns", headers: agent)
            #expect(
                renamed.text.contains(#""stargazers_count":77"#) && renamed.text.contains(#""archived":true"#)
            )
            let page = await running.gitHub.get("/\(name)/issues", headers: agent)
            #expect(page.status == 301 && page.header("Location")?.hasSuffix("/grace/ns/issues") == true)
        }
    }

    @Test func `the limit of those who are signed out can be set and used up`() async throws {
        try await RunningSimulator.run { running in
            let get = { await running.gitHub.get("/repos/grace/dotfiles", headers: agent) }
            #expect(await order(running, #"{"limit":{"login":"","resource":"core","limit":5}}"#) == 200)
            #expect(await get().header("X-RateLimit-Limit") == "5")
            #expect(await order(running, #"{"limit":{"login":"","resource":"core","remaining":1}}"#) == 200)
            #expect(await get().header("X-RateLimit-Remaining") == "0")
            let refused = await get()
            #expect(refused.status == 403 && refused.text.contains("127.0.0.1"))
            let signedIn = await running.gitHub.get("/repos/grace/dotfiles", headers: agent + token)
            #expect(signedIn.status == 200 && signedIn.header("X-RateLimit-Limit") == "5000")
        }
    }

    @Test func `the log says who asked, and holds no token`() async throws {
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

    @Test(arguments: [
        "/repositories", "/repos/grace/dotfiles", "/repos/grace/dotfiles/readme", "/user/starred",
    ])
    func `faults strike them all`(path: String) async throws {
        try await RunningSimulator.run { running in
            for (fault, status) in [
                (Fault.gitHub(.primary, 30), 403), (.gitHub(.secondary, 5), 403), (.gitHub(.unicorn), 503),
                (.gitHub(.notFound), 404), (.gitHub(.unauthorised), 401),
            ] {
                await running.simulator.inject(fault, path: path, count: 1, upstream: .gitHub)
                #expect(await running.gitHub.get(path, headers: agent + token).status == status)
            }
            #expect(await running.gitHub.get(path, headers: agent + token).status == 200)
        }
    }

    @Test func `of nodes asked by their ids a partial answer leaves out every third`() async throws {
        try await RunningSimulator.run { running in
            let ids =
                running.simulator.gitHub?.repositories.moment().all.filter { !$0.isGone }.prefix(4)
                .map(\.nodeID) ?? []
            await running.simulator.inject(.gitHub(.graphQLPartial), count: 1)
            let partial = await running.gitHub.get(
                "/graphql", headers: agent + token + ["Content-Type: application/json"], method: "POST",
                body: GitHubRequest.graphQLBody(RepositoryQuery.nodes, ["ids": ids]))
            #expect(partial.text.contains(#""path":["nodes",2]"#) && partial.text.contains("},null,{"))
        }
    }

    @Test func `pages, pictures and badges are there for people`() async throws {
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
