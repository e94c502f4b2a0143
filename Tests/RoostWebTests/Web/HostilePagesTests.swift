import Foundation
import Testing

@testable import HTMLDocument
@testable import HTTPClient
@testable import RoostSimulator
@testable import TextFormats

/// Whole pages with hostile text in every text field: none of it becomes markup.
@Suite struct HostilePagesTests {
    private static let text = HostileText.short
    private static let encoded = PercentEncoding.encode(text)
    /// The text as an HTML attribute in a README.
    private static let escaped = text.unicodeScalars.map { scalar in
        scalar.isASCII ? "&#\(scalar.value);" : String(scalar)
    }.joined()

    /// Checks that the page contains the text, but no element or attribute from it.
    private static func expectSound(_ answer: ClientResponse, _ path: String, holds: Bool = true) throws {
        let page = answer.text
        #expect(!holds || page.containsBytes("probe"), "\(path) does not show the text")
        try HTMLDocument.walk(page.utf8) { piece in
            guard case .start(let element) = piece else { return true }
            let names = [element.name] + element.attributes.map(\.name)
            #expect(names.allSatisfy { !$0.containsBytes("probe") }, "\(path): \(names)")
            return true
        }
    }

    @Test func `text from upstreams, users and files is escaped on every page`() async throws {
        try await TestServer.with { testServer in
            let ada = testServer.owner.userId
            let services = testServer.services
            let gitHub = try #require(testServer.simulator.gitHub)
            // Text from upstreams.
            let coinGecko = try #require(testServer.simulator.coinGecko)
            coinGecko.change { $0.renamed = ["bitcoin": Self.text] }
            let pull = try gitHub.requestReview(
                of: "ada",
                on: gitHub.open(.init(title: Self.text, body: Self.text, labels: [Self.text])).key)
            let name = try await BookmarkStock.existingName(testServer)
            try gitHub.run(
                RepositoryCommand(
                    name, description: Self.text, language: Self.text, topics: [Self.text],
                    homepage: "https://example.org/\(Self.text)",
                    readme:
                        "<p>\(Self.escaped)<img src=\"https://example.org/a.png\" alt=\"\(Self.escaped)\"></p>"
                ))
            _ = try await services.gitHub.accounts.connect(
                token: GitHubTokens.classic(of: "ada"), host: nil, for: ada)
            // Text from users.
            try await services.market.watchlist.add("bitcoin", to: ada)
            let display = try await services.market.displays.add(Self.text, for: ada)
            _ = try await services.gitHub.pulls.addSection(name: Self.text, query: "is:open", for: ada)
            let bookmark = try Self.json(["fullName": name, "tags": [Self.text], "note": Self.text])
            let created = try await testServer.json("POST", "/api/v1/bookmarks", bookmark)
            #expect(created.status == 201)
            for (path, field) in [
                ("/settings/profile", "displayName"), ("/settings/tokens", "scope=read&days=30&name"),
                ("/members/invitations", "days=7&uses=1&note"),
            ] {
                let answer = try await testServer.post(path, form: "\(field)=\(Self.encoded)")
                #expect([303, 422].contains(answer.status), "\(path)")
                if answer.status == 422 { try Self.expectSound(answer, path) }
            }
            for (path, form) in [
                ("/watchlist/lists", "name=\(Self.encoded)"),
                ("/coins/bitcoin/note", "note=\(Self.encoded)&category=\(Self.encoded)"),
                ("/coins/bitcoin/holdings", "amount=1&note=\(Self.encoded)"),
                ("/coins/bitcoin/wallets", "address=bc1q&label=\(Self.encoded)"),
                ("/alerts", "coinId=bitcoin&kind=above&threshold=90000000"),
            ] {
                let answer = try await testServer.post(path, form: form)
                #expect([303, 422].contains(answer.status), "\(path)")
                if answer.status == 422 { try Self.expectSound(answer, path) }
            }
            let pullPage = "/pulls/\(pull.key.replacing("#", with: "/"))"
            _ = try gitHub.comment(on: pull.key, Self.text)
            let prices = services.market.prices
            try await eventually("the upstreams' text is loaded") {
                prices.watch()
                let items = try await services.gitHub.pulls.inbox(of: ada).sections.flatMap(\.items)
                return prices.snapshot.table["bitcoin"] != nil
                    && items.contains { "\($0.key)".hasSuffix("/\(pull.number)") }
            }
            for path in [
                "/watchlist", "/watchlist/rows", "/display/\(display.token)/screen", "/displays", "/pulls",
                "/displays/\(display.display.id)", "/displays/\(display.display.id)/preview",
                "/bookmarks", "/coins/bitcoin", pullPage, "\(pullPage)/files", "\(pullPage)/pane",
            ] {
                try await eventually("\(path) shows the text") {
                    try await testServer.send("GET", path).text.containsBytes("probe")
                }
                try Self.expectSound(try await testServer.send("GET", path), path)
            }
            try await eventually("the README and all details are loaded") {
                let page = try await testServer.send("GET", "/repositories/\(name)").text
                return page.containsBytes("class=\"readme\"") && page.containsBytes("example.org/")
            }
            for path in [
                "/", "/repositories/\(name)", "/repositories?since=0", "/watchlist/tile", "/pulls/tile",
                "/displays/tile",
                "/display/\(display.token)", "/settings", "/settings/security", "/settings/github",
                "/settings/tokens", "/settings/webhooks", "/members", "/members/invitations",
                "/members/sessions", "/members/log", "/members/webhooks",
                "/settings/status",
                "/watchlist/settings", "/coins/bitcoin/live", "/alerts", "/alerts/list", "/alerts/tile",
                "/alerts/new?coin=bitcoin", "/bookmarks/\(name)/edit", "/bookmarks/import", "/pulls/sections",
                "/chat/new",
            ] {
                try Self.expectSound(try await testServer.send("GET", path), path, holds: false)
            }
        }
    }

    @Test(arguments: [
        "/join?code=", "/login?next=", "/watchlist?q=", "/alerts?coin=", "/watchlist?flash=", "/pulls?text=",
        "/pulls?author=",
        "/pulls?label=", "/repositories?q=", "/repositories?trending=day&language=", "/repositories?text=",
        "/bookmarks?text=", "/bookmarks?tag=", "/bookmarks?q=", "/members/log?kind=",
        "/repositories?flash=", "/",
    ])
    func `text from an address is escaped on its page, for every user`(path: String) async throws {
        try await TestServer.with { testServer in
            for guest in [testServer.ada, .anonymous] {
                let headers = [("Accept", "text/html")]
                let answer = try await testServer.send(
                    "GET", path + Self.encoded, headers: headers, as: guest)
                try Self.expectSound(answer, path, holds: false)
                let location = answer.headers["Location"] ?? "/"
                #expect(location.hasPrefix("/") && !location.hasPrefix("//"))
            }
        }
    }

    @Test func `text from a form is escaped when it is shown again`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            let refused = try await browser.signIn(Self.text, "wrong", next: Self.text)
            #expect((400..<500).contains(refused.status))
            #expect(refused.text.containsBytes("probe"))
            for (path, field) in [
                ("/watchlist", "coinId"), ("/alerts", "kind=above&threshold"), ("/settings/profile", "email"),
                ("/displays", "name"),
                ("/join", "code"), ("/pulls/sections", "query"), ("/bookmarks", "fullName"),
                ("/settings/github", "host"), ("/settings/tokens", "name"),
            ] {
                let long = String(repeating: Self.encoded, count: 60)
                for value in [Self.encoded, long] {
                    let answer = try await testServer.post(path, form: "\(field)=\(value)")
                    try Self.expectSound(answer, path, holds: false)
                }
            }
        }
    }

    @Test func `the setup code is escaped on its page`() async throws {
        try await TestServer.with(isEmpty: true) { testServer in
            let answer = try await testServer.send("GET", "/setup?code=\(Self.encoded)", as: .anonymous)
            #expect(answer.status == 200)
            try Self.expectSound(answer, "/setup")
        }
    }

    private static func json(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }
}
