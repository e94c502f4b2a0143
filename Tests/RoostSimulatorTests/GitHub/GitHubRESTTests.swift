import Foundation
import Testing

@testable import RoostSimulator

@Suite struct GitHubRESTTests {
    private let gitHub = TestGitHub()

    @Test func `a token is its user, with its scopes and limits in the headers`() throws {
        let answer = gitHub.ask("/user")
        #expect(try answer.object.text("login") == "ada" && answer.object.text("name") == "Ada Lovelace")
        #expect(answer.header("X-OAuth-Scopes") == "read:org, repo")
        #expect(
            answer.header("X-RateLimit-Limit") == "5000" && answer.header("X-RateLimit-Remaining") == "4999")
        #expect(answer.header("X-RateLimit-Used") == "1" && answer.header("X-RateLimit-Resource") == "core")
        #expect(answer.header("X-RateLimit-Reset") == String(TestMarket.moment / 1000 + 3_600))
        let fine = gitHub.ask("/user", token: GitHubTokens.fineGrained(of: "grace"))
        #expect(try fine.object.text("login") == "grace" && fine.header("X-OAuth-Scopes") == nil)
    }

    @Test func `the API lies under its prefix as well as at the root`() throws {
        #expect(try gitHub.ask("/api/v3/user").object.text("login") == "ada")
        #expect(try gitHub.ask("/api/v3/search/issues?q=is:pr").object.number("total_count") ?? 0 > 200)
    }

    @Test func `a wrong or revoked token is answered 401, no token is signed out`() throws {
        #expect(gitHub.ask("/user", token: "ghp_wrong").text.contains("Bad credentials"))
        #expect(gitHub.ask("/user", as: nil).status == 401)
        #expect(gitHub.ask("/user", as: nil).header("X-RateLimit-Limit") == "60")
        gitHub.simulation.tokens.revoke(login: "ada")
        #expect(gitHub.ask("/user").status == 401 && gitHub.ask("/user", as: "grace").status == 200)
    }

    @Test func `without a User-Agent nobody comes in`() {
        let answer = gitHub.ask("/user", userAgent: nil)
        #expect(answer.status == 403 && answer.text.contains("administrative rules"))
    }

    @Test func `teams are told with their organisations, to those who may know`() throws {
        let teams = try gitHub.ask("/user/teams?per_page=100").items
        #expect(
            teams.compactMap { $0.text("slug") } == ["compilers", "platform", "backend", "data", "tiles"])
        #expect(teams.first?.object("organization").text("login") == "lovelace-labs")
        gitHub.simulation.add(token: "ghp_gist", login: "ada", scopes: ["gist"])
        #expect(gitHub.ask("/user/teams", token: "ghp_gist").status == 403)
        let fine = gitHub.ask("/user/teams", token: GitHubTokens.fineGrained(of: "ada"))
        #expect(fine.status == 403 && fine.header("X-Accepted-GitHub-Permissions") == "members=read")
    }

    @Test func `what has not changed costs nothing`() throws {
        let first = gitHub.ask("/user")
        let etag = try #require(first.header("ETag"))
        #expect(etag.hasPrefix("W/\""))
        let second = gitHub.ask("/user", ifNoneMatch: etag)
        #expect(second.status == 304 && second.body.isEmpty)
        #expect(second.header("ETag") == String(etag.dropFirst(2)))
        #expect(second.header("X-RateLimit-Remaining") == first.header("X-RateLimit-Remaining"))
        let third = gitHub.ask("/user", ifNoneMatch: second.header("ETag"))
        #expect(third.status == 304)
        #expect(gitHub.ask("/user", ifNoneMatch: "\"other\"").status == 200)
    }

    @Test func `searches have a limit of their own that a minute restores`() {
        for _ in 0..<30 { _ = gitHub.ask("/search/issues?q=is:pr") }
        let refused = gitHub.ask("/search/issues?q=is:pr")
        #expect(refused.status == 403 && refused.header("X-RateLimit-Remaining") == "0")
        #expect(
            refused.header("X-RateLimit-Resource") == "search" && refused.text.contains("rate limit exceeded")
        )
        #expect(gitHub.ask("/user").status == 200)
        gitHub.clock.advance(seconds: 61)
        #expect(gitHub.ask("/search/issues?q=is:pr").status == 200)
    }

    @Test func `the limits are told without being used up`() throws {
        _ = gitHub.ask("/user")
        gitHub.simulation.leave(12, of: "graphql", to: "ada")
        for _ in 0..<2 {
            let resources = try gitHub.ask("/rate_limit").object.object("resources")
            #expect(resources.object("core").number("remaining") == 4_999)
            #expect(resources.object("graphql").number("remaining") == 12)
            #expect(resources.object("search").number("limit") == 30)
        }
    }

    @Test func `a single pull request has what a search leaves out`() throws {
        let item = try #require(try gitHub.search("is:pr is:open review-requested:@me").first)
        #expect(item["additions"] == nil && item["mergeable"] == nil)
        let path = try #require(item.object("pull_request").text("url")).replacing(
            "http://github.test", with: "")
        let whole = try gitHub.ask(path).object
        #expect(whole.number("additions") ?? 0 > 0 && whole.text("title") == item.text("title"))
        #expect(!(whole.objects("requested_reviewers") + whole.objects("requested_teams")).isEmpty)
        #expect(gitHub.ask("/repos/lovelace-labs/loom/pulls/999999").status == 404)
        #expect(gitHub.ask("/nowhere").status == 404)
    }

    @Test func `a deleted author is ghost, a bot says that it is one`() throws {
        let open = gitHub.simulation.world.moment().open
        let orphan = try #require(open.first { $0.author == nil })
        let path = "/repos/\(orphan.key.replacing("#", with: "/pulls/"))"
        #expect(try gitHub.ask(path).object.object("user").text("login") == "ghost")
        let bots = try gitHub.search("is:pr is:open author:app/dependabot")
        #expect(bots.allSatisfy { $0.object("user").text("login") == "dependabot[bot]" })
        #expect(bots.allSatisfy { $0.object("user").text("type") == "Bot" })
    }
}
