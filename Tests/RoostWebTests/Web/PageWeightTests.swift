import Foundation
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostSimulator

/// The uncompressed size of pages with long lists, measured as in `Tests/Benchmarks/run`.
@Suite struct PageWeightTests {
    @Test func `200 pull requests are under 300 KB`() async throws {
        try await TestServer.with { testServer in
            let (services, owner) = (testServer.services, testServer.owner.userId)
            _ = try await services.gitHub.accounts.connect(
                token: GitHubTokens.classic(of: "ada"), host: nil, for: owner)
            _ = try await services.gitHub.pulls.addSection(name: "All", query: "is:open", for: owner)
            try await eventually("every open pull request is in the inbox") {
                try await services.gitHub.pulls.inbox(of: owner).sections.contains { $0.items.count >= 200 }
            }
            let page = try await Self.withPictures("/pulls", in: testServer)
            let rows = Self.rows(of: page, beginning: "<li class=pull")
            try #require(rows.count >= 200)
            // The page has extra rows for pull requests that are also in a custom section.
            let bytes = page.utf8.count - rows.bytes + 200 * rows.bytes / rows.count
            #expect(bytes < 300_000, "\(bytes) bytes, \(rows.bytes / rows.count) a row")
        }
    }

    /// 3 KB below the goal of 120 KB, for later additions to a row.
    @Test func `100 bookmarks are under 120 KB`() async throws {
        // GitHub does not answer, so that the details from the file stay unchanged.
        let silent = "http://127.0.0.1:9"
        try await TestServer.with(configure: { $0.gitHub.hosts = GitHubHosts(apiURL: silent, webURL: silent) }
        ) {
            testServer in
            let imported = try await testServer.services.gitHub.bookmarkFiles.read(
                try Self.bookmarks(100), for: testServer.owner.userId)
            #expect(imported.added == 100)
            let page = try await testServer.send("GET", "/bookmarks").text
            let rows = Self.rows(of: page, beginning: "<li class=\"repo\"")
            #expect(rows.count == 100)
            let bytes = page.utf8.count
            #expect(bytes < 120_000, "\(bytes) bytes, \(rows.bytes / rows.count) a row")
        }
    }

    @Test func `100 coins with all of CoinGecko's columns are under 400 KB`() async throws {
        try await TestServer.with { testServer in
            let services = testServer.services
            var ids: Set<String> = []
            for letter in "abcdefghijklmnopqrstuvwxyz" where ids.count < 100 {
                ids.formUnion(services.market.catalog.search("\(letter)", limit: 40).coins.map(\.coin.id))
            }
            try #require(ids.count >= 100)
            for id in ids.sorted().prefix(100) {
                try await services.market.watchlist.add(id, to: testServer.owner.userId)
            }
            try await eventually("the prices are loaded") {
                services.market.prices.watch()
                return ids.sorted().prefix(100).allSatisfy {
                    services.market.prices.snapshot.table[$0] != nil
                }
            }
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(page.components(separatedBy: "<tr class=\"row").count == 101)
            let bytes = page.utf8.count
            #expect(bytes < 400_000, "\(bytes) bytes")
        }
    }

    /// Returns the page with its authors' pictures, whose addresses are longer than initials. Gives up after 20 s, and
    /// then counts the initials of missing pictures.
    private static func withPictures(_ path: String, in testServer: TestServer) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            let page = try await testServer.send("GET", path).text
            let isComplete = !page.contains("<span class=\"avatar tone")
            if isComplete || ContinuousClock.now > deadline { return page }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private static func rows(of page: String, beginning start: String) -> (count: Int, bytes: Int) {
        let rows = page.components(separatedBy: start).dropFirst()
        let bytes = rows.reduce(0) { sum, rest in
            let row = rest.components(separatedBy: "</li>")[0]
            return sum + start.utf8.count + row.utf8.count + "</li>\n".utf8.count
        }
        return (rows.count, bytes)
    }

    /// An import file in the export's format.
    private static func bookmarks(_ count: Int) throws -> [UInt8] {
        let items = (0..<count).map { number in
            let (owner, name) = ("owner-\(number)", "repository-\(number)")
            let detail: [String: Any] = [
                "stars": number * 7 % 5_000, "forks": 56, "openIssues": 7, "language": "Swift",
                "topics": ["server"], "archived": false, "defaultBranch": "main",
                "pushedAt": "2026-01-02T03:04:05Z", "createdAt": "2020-01-02T03:04:05Z",
            ]
            let repository: [String: Any] = [
                "id": 10_000_000 + number, "nodeId": "R_\(number)", "name": name,
                "fullName": "\(owner)/\(name)", "owner": ["login": owner, "type": "User"],
                "description": "The repository number \(number)", "fork": number % 3 == 0,
                "htmlURL": "https://github.com/\(owner)/\(name)", "detail": detail,
            ]
            return [
                "fullName": "\(owner)/\(name)", "tags": ["tag-\(number % 40)"], "note": "Number \(number)",
                "repository": repository,
            ] as [String: Any]
        }
        return Array(try JSONSerialization.data(withJSONObject: ["items": items]))
    }
}
