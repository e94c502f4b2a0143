import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// REST's headers: limits, scopes, ETags and links.
@Suite struct GitHubHeaderTests {
    private let gitHub = TestGitHub()

    @Test func `every resource has its own budget for every user`() {
        #expect(gitHub.ask("/user").header("X-RateLimit-Remaining") == "4999")
        #expect(gitHub.ask("/user", as: "grace").header("X-RateLimit-Remaining") == "4999")
        let search = gitHub.ask("/search/issues?q=is:pr")
        #expect(search.header("X-RateLimit-Limit") == "30" && search.header("X-RateLimit-Remaining") == "29")
        #expect(search.header("X-RateLimit-Resource") == "search" && search.header("X-RateLimit-Used") == "1")
        #expect(search.header("X-RateLimit-Reset") == String(TestMarket.moment / 1000 + 60))
        let points = gitHub.graphQL(PullQuery.mergeable, ["ids": []])
        #expect(
            points.header("X-RateLimit-Resource") == "graphql"
                && points.header("X-RateLimit-Remaining") == "4999")
        #expect(gitHub.ask("/user/teams").header("X-RateLimit-Remaining") == "4998")
        // Two tokens of one user share a budget.
        let fine = GitHubTokens.fineGrained(of: "ada")
        #expect(gitHub.ask("/user", token: fine).header("X-RateLimit-Remaining") == "4997")
    }

    @Test func `an empty budget is 403 until its reset, and refused requests are not counted`() {
        gitHub.simulation.setRemaining(1, of: "core", to: "ada")
        #expect(gitHub.ask("/user").status == 200)
        for _ in 0..<3 {
            let refused = gitHub.ask("/user")
            #expect(refused.status == 403 && refused.header("X-RateLimit-Remaining") == "0")
            #expect(refused.header("X-RateLimit-Used") == "5000" && refused.header("ETag") == nil)
            #expect(refused.text.contains("API rate limit exceeded for user ID 4001"))
        }
        #expect(gitHub.ask("/rate_limit").status == 200)
        gitHub.clock.advance(seconds: 3_599)
        #expect(gitHub.ask("/user").status == 403)
        gitHub.clock.advance(seconds: 2)
        #expect(gitHub.ask("/user").header("X-RateLimit-Remaining") == "4999")
    }

    @Test func `scopes are those of the token, and only a classic one has them`() {
        for (scopes, expected) in [
            ([], ""), (["repo"], "repo"), (["repo", "read:org", "gist"], "repo, read:org, gist"),
        ] {
            gitHub.simulation.add(token: "ghp_own", login: "ada", scopes: scopes)
            for path in ["/user", "/search/issues?q=is:pr", "/rate_limit", "/nowhere"] {
                #expect(gitHub.ask(path, token: "ghp_own").header("X-OAuth-Scopes") == expected, "\(path)")
            }
            let operation = gitHub.graphQL(PullQuery.mergeable, ["ids": []], token: "ghp_own")
            #expect(operation.header("X-OAuth-Scopes") == expected)
        }
        #expect(
            gitHub.ask("/user", token: GitHubTokens.fineGrained(of: "ada")).header("X-OAuth-Scopes") == nil)
        #expect(gitHub.ask("/user", as: nil).header("X-OAuth-Scopes") == nil)
    }

    @Test(arguments: ["/user", "/user/teams", "/search/issues?q=is:pr+author:@me", "/users/grace"])
    func `a matching ETag is answered 304 and costs nothing`(path: String) throws {
        let first = gitHub.ask(path)
        let tag = try #require(first.header("ETag"))
        #expect(tag.hasPrefix("W/\"") && tag.hasSuffix("\""))
        for ifNoneMatch in [tag, String(tag.dropFirst(2)), "\"old\", \(tag)"] {
            let again = gitHub.ask(path, ifNoneMatch: ifNoneMatch)
            #expect(
                again.status == 304 && again.body.isEmpty && again.header("ETag") == String(tag.dropFirst(2)))
            #expect(again.header("X-RateLimit-Remaining") == first.header("X-RateLimit-Remaining"))
            #expect(again.header("X-OAuth-Scopes") == "read:org, repo")
        }
        let other = gitHub.ask(path, ifNoneMatch: "W/\"0123\"")
        #expect(
            other.status == 200
                && other.header("X-RateLimit-Remaining") != first.header("X-RateLimit-Remaining"))
        #expect(other.header("ETag") == tag)
    }

    @Test func `a changed search has another ETag`() throws {
        let path = "/search/issues?q=is:pr+is:open+author:@me&sort=updated"
        let tag = try #require(gitHub.ask(path).header("ETag"))
        let pull = try #require(gitHub.simulation.world.moment().open.first { $0.author?.login == "ada" })
        #expect(gitHub.ask(path, ifNoneMatch: tag).status == 304)
        gitHub.clock.advance(seconds: 1)
        try gitHub.simulation.comment(on: pull.key)
        let changed = gitHub.ask(path, ifNoneMatch: tag)
        #expect(changed.status == 200 && changed.header("ETag") != tag)
    }

    private func links(_ target: String) -> [String: String] {
        let parts = gitHub.ask(target).header("Link")?.components(separatedBy: ", ") ?? []
        return Dictionary(
            parts.compactMap { part in
                let halves = part.components(separatedBy: ">; rel=\"")
                return halves.count == 2 ? (String(halves[1].dropLast()), String(halves[0].dropFirst())) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `links lead to the next, previous, first and last page, and keep the query`() {
        let base = "/api/v3/search/issues?q=is%3Apr+is%3Aopen&per_page=60&sort=updated"
        let address = { (page: Int) in "http://github.test\(base)&page=\(page)" }
        #expect(links(base) == ["next": address(2), "last": address(4)])
        #expect(
            links("\(base)&page=2") == [
                "prev": address(1), "first": address(1), "next": address(3), "last": address(4),
            ])
        #expect(links("\(base)&page=4") == ["prev": address(3), "first": address(1)])
        #expect(links("/search/issues?q=is:pr+is:open+repo:alan/bombe").isEmpty)
        #expect(links("/user/teams?per_page=2").keys.sorted() == ["last", "next"])
    }

    @Test(arguments: [2, 3, 100])
    func `pages of teams are linked`(size: Int) throws {
        var slugs: [String] = []
        var next: String? = "http://github.test/user/teams?per_page=\(size)"
        while let target = next {
            slugs += try gitHub.ask(target.replacing("http://github.test", with: "")).items.compactMap {
                $0.text("slug")
            }
            next = links(target.replacing("http://github.test", with: ""))["next"]
        }
        #expect(slugs == ["compilers", "platform", "backend", "data", "tiles"])
    }

    @Test(arguments: ["0", "-3", "x", "9223372036854775807", "92233720368547759", "99999999999999999999"])
    func `invalid page numbers return the first page or nothing`(page: String) throws {
        let answer = gitHub.ask("/search/issues?q=is:pr+is:open&per_page=50&page=\(page)")
        if page.hasPrefix("922") {
            #expect(answer.status == 422 && answer.text.contains("Only the first 1000 search results"))
            #expect(try gitHub.ask("/user/teams?page=\(page)").items.isEmpty)
        } else {
            #expect(try answer.object.objects("items").count == 50)
        }
        let large = try gitHub.ask("/search/issues?q=is:pr+is:open&per_page=\(page)").object.objects("items")
        #expect((1...100).contains(large.count))
    }
}
