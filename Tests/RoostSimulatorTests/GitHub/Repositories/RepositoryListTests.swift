import Foundation
import Testing

@testable import RoostSimulator

@Suite struct RepositoryListTests {
    private let gitHub = TestGitHub()

    private func next(_ answer: SimulatedResponse) -> String? {
        answer.header("Link")?.split(separator: ", ").first { $0.hasSuffix("rel=\"next\"") }
            .map { String($0.dropFirst().prefix { $0 != ">" }) }
    }

    @Test func `a page always has 100, and links as recorded`() throws {
        let answer = gitHub.ask("/repositories", as: nil)
        let items = try answer.items
        #expect(items.count == 100 && items.first?["stargazers_count"] == nil)
        #expect(try gitHub.ask("/repositories?per_page=5", as: nil).items.count == 100)
        let last = Int(items.last?.number("id") ?? 0)
        #expect(
            answer.header("Link")
                == "<http://github.test/api/v3/repositories?since=\(last)>; rel=\"next\", "
                + "<http://github.test/api/v3/repositories{?since}>; rel=\"first\"")
    }

    @Test func `pages follow each other without gaps or repetitions, and the last one has no next`() throws {
        let numbers = gitHub.allRepositories.filter { !$0.isPrivate }.map(\.number)
        // The first ten pages and the last ten: all 200 would take half a minute.
        for (since, expected) in [(0, numbers.prefix(1_000)), (numbers[18_999], numbers.suffix(1_000))] {
            var target: String? = "/repositories?since=\(since)"
            var ids: [Int] = []
            while let address = target, ids.count < 1_000 {
                let answer = gitHub.ask(address)
                ids += try answer.items.compactMap { $0.number("id").map { Int($0) } }
                target = next(answer)?.replacing("http://github.test", with: "")
            }
            #expect(ids == Array(expected) && (target == nil) == (since > 0))
        }
        let end = gitHub.ask("/repositories?since=99999999")
        #expect(try end.items.isEmpty && next(end) == nil && end.header("Link")?.contains("first") == true)
    }

    @Test func `since may be any value, even in a gap, negative, invalid or missing`() throws {
        let ids = try gitHub.ask("/repositories").items.compactMap { $0.number("id") }
        let gap = try #require(zip(ids, ids.dropFirst()).first { $1 - $0 > 1 })
        let rest = try gitHub.ask("/repositories?since=\(Int(gap.0) + 1)").items
        #expect(rest.first?.number("id") == gap.1)
        for since in ["0", "-5", "x", ""] {
            #expect(try gitHub.ask("/repositories?since=\(since)").items.first?.number("id") == ids.first)
        }
    }

    @Test func `a private repository is in no list, whoever asks`() throws {
        let secret = try #require(gitHub.allRepositories.first { $0.isPrivate })
        for login in ["ada", nil] {
            let items = try gitHub.ask("/repositories?since=\(secret.number - 1)", as: login).items
            #expect(items.count == 100 && !items.contains { $0.text("full_name") == secret.fullName })
        }
    }

    @Test func `signed out there are 60 an hour, and unchanged answers count too`() throws {
        let first = gitHub.ask("/repositories", as: nil)
        let etag = try #require(first.header("ETag"))
        #expect(first.header("X-RateLimit-Limit") == "60" && first.header("X-RateLimit-Remaining") == "59")
        let second = gitHub.ask("/repositories", as: nil, ifNoneMatch: etag)
        #expect(second.status == 304 && second.header("X-RateLimit-Remaining") == "58")
        for _ in 0..<58 { #expect(gitHub.ask("/repos/grace/nanoseconds", as: nil).status == 200) }
        let refused = gitHub.ask("/repositories", as: nil)
        #expect(refused.status == 403 && refused.header("X-RateLimit-Remaining") == "0")
        #expect(gitHub.ask("/repositories").status == 200)
        let signedIn = gitHub.ask("/repositories", ifNoneMatch: etag)
        #expect(signedIn.status == 304 && signedIn.header("X-RateLimit-Remaining") == "4999")
        gitHub.clock.advance(seconds: 3_601)
        #expect(gitHub.ask("/repositories", as: nil).status == 200)
    }

    @Test(.enabled(if: SharedRecordings.mustRun))
    func `an item has exactly the members of a recorded one`() throws {
        let folder = "\(SharedRecordings.directory)/github/hub4j/repositories_list/__files"
        let file = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/2-repositories.json"))
        let recorded = try #require(RawJSON(Array(file)[...])?.elements?.first)
        let item = try #require(RawJSON(gitHub.ask("/repositories").body[...])?.elements?.first)
        let names = { (json: RawJSON?) in Set((json?.members ?? []).map(\.key)) }
        #expect(names(item).symmetricDifference(names(recorded)).isEmpty)
        let missing = names(recorded["owner"]).subtracting(names(item["owner"]))
        #expect(
            missing.isSubset(of: [
                "followers_url", "following_url", "gists_url", "subscriptions_url", "events_url",
                "received_events_url",
            ]))
    }
}
