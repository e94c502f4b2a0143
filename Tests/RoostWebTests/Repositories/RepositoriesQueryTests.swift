import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import HTTPServer

@Suite struct RepositoriesQueryTests {
    @Test(arguments: [
        "since=369&pages=3&group=language&sort=stars&text=web%20server",
        "q=language%3Aswift%20stars%3A%3E10&order=updated&pages=2", "trending=month&language=C%2B%2B",
        "since=0",
    ])
    func `an address is read and written back`(address: String) {
        #expect(RepositoriesQuery(carried: address).address == address)
    }

    @Test func `an address selects one of the three lists`() {
        #expect(RepositoriesQuery(carried: "since=26").list == .all(since: 26))
        #expect(
            RepositoriesQuery(carried: "q=tetris&order=stars").list
                == .search(query: "tetris", sort: .stars))
        #expect(RepositoriesQuery(carried: "q=a&trending=day").list == .search(query: "a", sort: nil))
        #expect(
            RepositoriesQuery(carried: "trending=week&language=Go").list == .trending(.week, language: "Go"))
        #expect(RepositoriesQuery(carried: nil).list == .all(since: 0))
    }

    @Test func `invalid parameters are corrected`() {
        #expect(RepositoriesQuery(carried: "since=-5").list == .all(since: 0))
        #expect(RepositoriesQuery(carried: "since=99999999999999999999").list == .all(since: 0))
        #expect(RepositoriesQuery(carried: "pages=0").pages == 1)
        #expect(RepositoriesQuery(carried: "pages=1000000").pages == RepositoriesQuery.maximumPages)
        #expect(RepositoriesQuery(carried: "q=%20%20").list == .all(since: 0))
        #expect(RepositoriesQuery(carried: "trending=decade").list == .all(since: 0))
        #expect(RepositoriesQuery(carried: "%zz").address == "since=0")
        let long = RepositoriesQuery(carried: "text=" + String(repeating: "a", count: 5_000))
        #expect(long.text.count == 256)
    }

    @Test func `the address takes precedence over stored choices`() {
        let stored = RepositoryListPreferences(grouping: .language, sort: .name, collapsed: ["language-c"])
        let query = RepositoriesQuery(carried: "sort=stars&text=a")
        let choices = query.choices(over: stored)
        #expect(choices.grouping == .language && choices.sort == .stars)
        #expect(choices.collapsed == ["language-c"])
        #expect(
            query.arrangement(choices) == RepositoryArrangement(grouping: .language, sort: .stars, text: "a"))
    }

    @Test func `a referrer leads back to its list`() throws {
        let browse = RepositoryReferrer(try Query(parsing: "since=26&pages=4&group=none&evil=1"))
        #expect(browse.listAddress == "/repositories?since=26&pages=4&group=none")
        let referrer = RepositoryReferrer(try Query(parsing: "in=bookmarks&tag=to%20read&pages=2&evil=1"))
        #expect(referrer.listAddress == "/bookmarks?pages=2&tag=to%20read")
        #expect(referrer.suffix == "?in=bookmarks&pages=2&tag=to%20read")
        #expect(RepositoryReferrer(try Query(parsing: "in=bookmarks")).listAddress == "/bookmarks")
        let none = RepositoryReferrer(try Query(parsing: "evil=1"))
        #expect(none == .elsewhere && none.listAddress == "/repositories" && none.suffix.isEmpty)
    }
}
