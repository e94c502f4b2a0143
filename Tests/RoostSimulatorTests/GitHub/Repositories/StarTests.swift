import Foundation
import Testing

@testable import RoostSimulator

@Suite struct StarTests {
    private let gitHub = TestGitHub()

    private func stars(_ path: String = "/user/starred", as login: String? = "ada") throws
        -> [[String: Any]]
    {
        var all: [[String: Any]] = []
        for page in 1...5 {
            let items = try gitHub.ask(
                "\(path)?per_page=100&page=\(page)", as: login, accept: "application/vnd.github.star+json"
            ).items
            all += items
            if items.count < 100 { break }
        }
        return all
    }

    @Test func `ada has starred about 230, newest first, each once, none of them gone`() throws {
        let stars = try stars()
        #expect((200...240).contains(stars.count))
        let names = stars.compactMap { $0.object("repo").text("full_name") }
        #expect(Set(names).count == stars.count)
        let times = stars.compactMap { $0.text("starred_at") }
        #expect(times == times.sorted(by: >) && times.count == stars.count)
        #expect(times.allSatisfy { $0 <= "2026-02-17T15:56:31Z" })
        let unavailable = Set(gitHub.allRepositories.filter(\.isUnavailable).map(\.fullName))
        #expect(unavailable.isDisjoint(with: names))
        #expect(stars.allSatisfy { $0.object("repo").number("stargazers_count") != nil })
    }

    @Test func `without the media type only the repositories are returned, in pages of thirty`() throws {
        let answer = gitHub.ask("/user/starred")
        let items = try answer.items
        #expect(items.count == 30 && items.first?.text("full_name") != nil && items.first?["repo"] == nil)
        #expect(answer.header("Link")?.contains("page=2>; rel=\"next\"") == true)
        let first = try stars().prefix(30).compactMap { $0.object("repo").text("full_name") }
        #expect(items.compactMap { $0.text("full_name") } == first)
    }

    @Test func `oldest first on request, and other users have other stars`() throws {
        let oldest = try gitHub.ask(
            "/user/starred?direction=asc&per_page=100", accept: "application/vnd.github.v3.star+json"
        ).items
        let times = oldest.compactMap { $0.text("starred_at") }
        #expect(times == times.sorted() && times.count == 100)
        #expect(try stars(as: "blaise").isEmpty && stars(as: "grace").count < 100)
        #expect(try stars("/users/ada/starred", as: nil).count > 190)
        #expect(gitHub.ask("/user/starred", as: nil).status == 401)
    }

    @Test func `a star keeps its position as time passes`() throws {
        let facts = { (stars: [[String: Any]]) in
            Set(stars.map { "\($0.text("starred_at") ?? "") \($0.object("repo").number("id") ?? 0)" })
        }
        let before = try facts(stars())
        gitHub.clock.advance(seconds: 3_600)
        let after = try facts(stars())
        #expect(before.intersection(after).count > before.count - 4)
    }
}
