import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostSimulator

/// SQLite compiles a page's statements once for each connection, not for each request.
@Suite struct CompiledStatementTests {
    @Test func `no page compiles the same statement twice`() async throws {
        let compiled = CompiledStatements()
        try await TestServer.with(configure: { $0.prepareDatabase = .init { compiled.watch($0) } }) {
            testServer in
            for path in try await Self.pages(of: testServer) {
                var fewest: [String]?
                // A page's requests share a few connections, which background tasks also use.
                for look in 1...12 where fewest?.isEmpty != true {
                    _ = compiled.take()
                    let joint = path.contains("?") ? "&" : "?"
                    let answer = try await testServer.send("GET", "\(path)\(joint)look=\(look)")
                    let found = compiled.take()
                    #expect(answer.status == 200, "\(path)")
                    if look > 2, fewest.map({ found.count < $0.count }) ?? true { fewest = found }
                }
                #expect(fewest == [], "\(path)")
            }
        }
    }

    /// Every main page, with content on it.
    static func pages(of testServer: TestServer) async throws -> [String] {
        let (services, ada) = (testServer.services, testServer.owner.userId)
        try await testServer.watch("bitcoin")
        _ = try await testServer.post("/coins/bitcoin/holdings", form: "amount=2&price=10")
        _ = try await testServer.post("/alerts", form: "coinId=bitcoin&kind=change&threshold=5")
        let grace = try await Guest.signUp("grace", as: .member, services).user.userId
        let talk = try await services.chat.conversations.start(
            with: [grace], groupName: nil, id: nil, by: ada
        ).conversation
        _ = try await testServer.post("/chat/\(talk.id)/send", form: "id=\(UUID())&text=Hello")
        _ = try await services.gitHub.accounts.connect(
            token: GitHubTokens.classic(of: "ada"), host: nil, for: ada)
        let listed = try await testServer.send("GET", "/api/v1/repositories").items
        let repository = try #require(listed.first?["fullName"] as? String)
        _ = try await testServer.post("/bookmarks", form: "fullName=\(repository)")
        let saved = try await services.reading.articles.save(
            ArticleDraft(
                url: ReadingFixture.url, html: Array(ReadingFixture.html.utf8), source: "bookmarklet"),
            by: ada
        ).item.id
        try await eventually("the text is fetched") {
            try await services.reading.articles.item(saved, for: ada).fetchState == .fetched
        }
        let gist = try await services.reading.gists.make(for: saved, by: ada).id
        let wall = try await services.market.displays.add("Wall", for: ada).token
        return [
            "/", "/watchlist", "/coins/bitcoin", "/alerts", "/pulls", "/repositories?since=0",
            "/repositories/\(repository)", "/bookmarks", "/reading", "/reading/\(saved)", "/gists",
            "/gists/\(gist)", "/chat", "/chat/\(talk.id)", "/chat/new", "/chat/search", "/displays",
            "/display/\(wall)", "/settings", "/settings/security", "/settings/tokens", "/settings/github",
            "/members", "/members/invitations", "/members/sessions", "/members/log", "/settings/status",
        ]
    }
}
