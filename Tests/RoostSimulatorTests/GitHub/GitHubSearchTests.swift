import Foundation
import Testing

@testable import RoostSimulator

@Suite struct GitHubSearchTests {
    private let gitHub = TestGitHub()
    private let open = "is:open is:pr archived:false"

    private func keys(_ query: String) throws -> Set<String> {
        Set(try gitHub.search(query).compactMap { $0.text("html_url") })
    }

    @Test func `every part of ada's inbox has something`() throws {
        for part in [
            "review-requested:@me", "user-review-requested:@me", "reviewed-by:@me -author:@me", "author:@me",
            "commenter:@me -author:@me", "mentions:@me", "team-review-requested:lovelace-labs/platform",
            "involves:@me", "assignee:@me", "review:approved", "review:changes_requested", "draft:true",
            "label:bug", "label:\"good first issue\"", "author:app/dependabot", "status:failure",
        ] {
            #expect(try !gitHub.search("\(open) \(part)").isEmpty, "\(part)")
        }
    }

    @Test func `requests of a person and of their team are both review-requested`() throws {
        let all = try keys("\(open) review-requested:@me")
        let direct = try keys("\(open) user-review-requested:@me")
        let teams = try SimulatedCast.teams(of: "ada").map {
            try keys("\(open) team-review-requested:\($0.combinedSlug)")
        }
        #expect(direct.count > 10 && teams.filter { !$0.isEmpty }.count > 1)
        #expect(teams.reduce(direct) { $0.union($1) } == all)
    }

    @Test func `a minus excludes, and several authors are alternatives`() throws {
        let drafts = try keys("\(open) author:@me draft:true")
        let finished = try keys("\(open) author:@me -draft:true")
        #expect(drafts.isDisjoint(with: finished))
        #expect(try drafts.union(finished) == keys("\(open) author:ada"))
        let two = try keys("\(open) author:grace author:alan")
        #expect(try two == keys("\(open) author:grace").union(keys("\(open) author:alan")))
    }

    @Test func `results are sorted as requested`() throws {
        let newest = try gitHub.search(open, "&sort=updated&per_page=100").compactMap {
            $0.text("updated_at")
        }
        #expect(newest == newest.sorted(by: >) && Set(newest).count > 50)
        let oldest = try gitHub.search(open, "&sort=created&order=asc&per_page=100").compactMap {
            $0.text("created_at")
        }
        #expect(oldest == oldest.sorted())
        let inQuery = try gitHub.search("\(open) sort:updated-asc").compactMap { $0.text("updated_at") }
        #expect(inQuery == inQuery.sorted())
    }

    @Test func `pages are linked`() throws {
        var target: String? = "/search/issues?q=is%3Apr+is%3Aopen&per_page=30"
        var seen: [String] = []
        var pages = 0
        while let next = target {
            let answer = gitHub.ask(next)
            seen += (try answer.object["items"] as? [[String: Any]] ?? []).compactMap { $0.text("html_url") }
            pages += 1
            target = answer.header("Link")?.split(separator: ", ").first { $0.contains("rel=\"next\"") }
                .map { String($0.dropFirst().prefix { $0 != ">" }).replacing("http://github.test", with: "") }
        }
        #expect(pages == 7 && seen.count == 200 && Set(seen).count == 200)
    }

    @Test func `nonsense is refused with 422 and GitHub's message`() throws {
        let missing = gitHub.ask("/search/issues")
        #expect(missing.status == 422 && missing.text.contains(#""code":"missing""#))
        let nobody = gitHub.ask("/search/issues?q=author:nobody-of-that-name")
        #expect(nobody.status == 422 && nobody.text.contains("cannot be searched"))
        let long = gitHub.ask("/search/issues?q=\(String(repeating: "a", count: 257))")
        #expect(long.status == 422 && long.text.contains("256 characters"))
        #expect(gitHub.ask("/search/issues?q=is:pr&per_page=100&page=11").status == 422)
    }

    @Test func `a token does not find what it may not see`() throws {
        gitHub.simulation.add(token: "ghp_public", login: "ada", scopes: ["read:org"])
        let all = gitHub.ask("/search/issues?q=is:pr+is:open"),
            some = gitHub.ask("/search/issues?q=is:pr+is:open", token: "ghp_public")
        let (more, fewer) = (try all.object.number("total_count"), try some.object.number("total_count"))
        #expect(more == 200 && (fewer ?? 0) > 100 && (fewer ?? 200) < 200)
    }
}
