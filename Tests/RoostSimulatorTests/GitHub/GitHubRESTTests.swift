import Foundation
import Testing

@testable import RoostSimulator

@Suite struct GitHubRESTTests {
    private let gitHub = TestGitHub()

    @Test func `a token is its user's, with its scopes and limits in the headers`() throws {
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

    @Test func `the API is available under its prefix and at the root`() throws {
        #expect(try gitHub.ask("/api/v3/user").object.text("login") == "ada")
        #expect(try gitHub.ask("/api/v3/search/issues?q=is:pr").object.number("total_count") ?? 0 > 200)
    }

    @Test func `a wrong or revoked token is answered 401, and no token is signed out`() throws {
        #expect(gitHub.ask("/user", token: "ghp_wrong").text.contains("Bad credentials"))
        #expect(gitHub.ask("/user", as: nil).status == 401)
        #expect(gitHub.ask("/user", as: nil).header("X-RateLimit-Limit") == "60")
        gitHub.simulation.tokens.revoke(login: "ada")
        #expect(gitHub.ask("/user").status == 401 && gitHub.ask("/user", as: "grace").status == 200)
    }

    @Test func `without a User-Agent every request is refused`() {
        let answer = gitHub.ask("/user", userAgent: nil)
        #expect(answer.status == 403 && answer.text.contains("administrative rules"))
    }

    @Test func `teams are listed with their organisations, for tokens that may read them`() throws {
        let teams = try gitHub.ask("/user/teams?per_page=100").items
        #expect(
            teams.compactMap { $0.text("slug") } == ["compilers", "platform", "backend", "data", "tiles"])
        #expect(teams.first?.object("organization").text("login") == "lovelace-labs")
        gitHub.simulation.add(token: "ghp_gist", login: "ada", scopes: ["gist"])
        #expect(gitHub.ask("/user/teams", token: "ghp_gist").status == 403)
        let fine = gitHub.ask("/user/teams", token: GitHubTokens.fineGrained(of: "ada"))
        #expect(fine.status == 403 && fine.header("X-Accepted-GitHub-Permissions") == "members=read")
    }

    @Test func `reading the limits costs nothing`() throws {
        _ = gitHub.ask("/user")
        gitHub.simulation.setRemaining(12, of: "graphql", to: "ada")
        for _ in 0..<2 {
            let resources = try gitHub.ask("/rate_limit").object.object("resources")
            #expect(resources.object("core").number("remaining") == 4_999)
            #expect(resources.object("graphql").number("remaining") == 12)
            #expect(resources.object("search").number("limit") == 30)
        }
    }

    @Test func `a single pull request has the fields that a search leaves out`() throws {
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

    @Test func `a deleted author is ghost, and a bot is marked as one`() throws {
        let open = gitHub.simulation.world.moment().open
        let orphan = try #require(open.first { $0.author == nil })
        let path = "/repos/\(orphan.key.replacing("#", with: "/pulls/"))"
        #expect(try gitHub.ask(path).object.object("user").text("login") == "ghost")
        let bots = try gitHub.search("is:pr is:open author:app/dependabot")
        #expect(bots.allSatisfy { $0.object("user").text("login") == "dependabot[bot]" })
        #expect(bots.allSatisfy { $0.object("user").text("type") == "Bot" })
    }
}
