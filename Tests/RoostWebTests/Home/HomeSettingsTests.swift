import Foundation
import Testing

@testable import RoostSupport
@testable import RoostWeb
@testable import roost

extension HomeSettingsView {
    static let sample = HomeSettingsView(
        layout: .sample, HomePreferences(),
        [TileKind("pulls", "Your turn"), TileKind("watchlist", "<Watchlist>")],
        error: "A tile is short, normal or long.", isOwner: true)
}

@Suite struct HomeSettingsTests {
    /// The labels of the tiles on the home page, in their order.
    private func tiles(_ testServer: TestServer) async throws -> [String] {
        try await testServer.send("GET", "/").text.matches(of: /data-live="\/([a-z]+)\/tile"/)
            .map { String($0.output.1) }
    }

    private static let keys = ["pulls", "chat", "reading", "watchlist", "alerts", "bookmarks", "displays"]
    private static let shown = keys.map { "&order=\($0)&shown=\($0)" }.joined()

    @Test func `the form orders, hides and resizes tiles`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "ethereum", "solana", "dogecoin")
            let form =
                "order=watchlist&shown=watchlist&size.watchlist=short"
                + "&order=chat&shown=chat&order=pulls&order=reading&order=alerts&order=bookmarks&order=displays"
            let answer = try await testServer.post("/settings/home", form: form)
            #expect(answer.status == 303)
            #expect(try await tiles(testServer) == ["watchlist", "chat"])
            let tile = try await testServer.send("GET", "/watchlist/tile").text
            #expect(tile.components(separatedBy: "<li ").count == 4)
            #expect(tile.contains("1 more"))
        }
    }

    @Test func `a button moves a tile and keeps the other changes`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.post("/settings/home", form: "move=up+chat\(Self.shown)")
            #expect(try await tiles(testServer).prefix(2) == ["chat", "pulls"])
            _ = try await testServer.post("/settings/home/reset")
            #expect(try await tiles(testServer).prefix(2) == ["pulls", "chat"])
        }
    }

    @Test func `a wrong form is refused with the reason, and changes nothing`() async throws {
        try await TestServer.with { testServer in
            for form in ["order=nothing", "order=pulls&order=pulls", "order=pulls&size.pulls=huge"] {
                let answer = try await testServer.post("/settings/home", form: form)
                #expect(answer.status == 422, "\(form)")
                #expect(answer.text.contains("class=\"field-error\""), "\(form)")
            }
            #expect(try await tiles(testServer).count == 6)
        }
    }

    @Test func `a repeated tile of an imported order is shown once`() {
        var preferences = HomePreferences()
        preferences.order = ["chat", "pulls", "chat", "gone", "pulls", "chat"]
        let kinds = Self.keys.map { TileKind($0, $0) }
        #expect(preferences.arranged(kinds).map(\.key).prefix(3) == ["chat", "pulls", "reading"])
        #expect(preferences.arranged(kinds).count == kinds.count)
    }

    @Test func `a program reads and changes the arrangement`() async throws {
        try await TestServer.with { testServer in
            let change = #"{"order": ["displays"], "hidden": ["chat"], "sizes": {"pulls": "long"}}"#
            let answer = try await testServer.json("PATCH", "/api/v1/home", change)
            #expect(answer.status == 200)
            let items = try await testServer.send("GET", "/api/v1/home").object["items"] as? [[String: Any]]
            #expect(items?.first?["key"] as? String == "displays")
            let hidden = items?.filter { $0["shown"] as? Bool == false }.map { $0["key"] as? String }
            #expect(hidden == ["chat"])
            #expect(items?.first { $0["key"] as? String == "pulls" }?["size"] as? String == "long")
            for body in [
                #"{"order": ["x"]}"#, #"{"hidden": ["x"]}"#, #"{"sizes": {"pulls": "huge"}}"#,
                #"{"wide": {"x": true}}"#, #"{"widths": {"x": "page"}}"#, #"{"widths": {"pulls": "huge"}}"#,
            ] {
                #expect(try await testServer.json("PATCH", "/api/v1/home", body).status == 422, "\(body)")
            }
        }
    }

    @Test func `a tile takes one column, two, or the whole width`() async throws {
        try await TestServer.with { testServer in
            func wideTiles() async throws -> [String] {
                try await testServer.send("GET", "/").text
                    .matches(of: /data-tile="([a-z]+)" data-size="normal" data-wide="([a-z]+)"/).map {
                        "\($0.output.1) \($0.output.2)"
                    }
            }
            func change(_ body: String) async throws {
                #expect(try await testServer.json("PATCH", "/api/v1/home", body).status == 200)
            }
            try await change(#"{"widths": {"pulls": "double"}}"#)
            #expect(try await wideTiles() == ["pulls double"])
            let items = try await testServer.send("GET", "/api/v1/home").object["items"] as? [[String: Any]]
            let pulls = items?.first { $0["key"] as? String == "pulls" }
            #expect(pulls?["width"] as? String == "double" && pulls?["wide"] as? Bool == false)
            // As programs from before two columns write it.
            try await change(#"{"wide": {"pulls": true, "chat": false}}"#)
            #expect(try await wideTiles() == ["pulls page"])
            try await change(#"{"wide": {"pulls": false}}"#)
            #expect(try await wideTiles() == [])
            _ = try await testServer.post(
                "/settings/home", form: "width.chat=double&width.pulls=column\(Self.shown)")
            #expect(try await wideTiles() == ["chat double"])
            let page = try await testServer.send("GET", "/settings/home").text
            #expect(page.matches(of: /<option value="double" selected>/).count == 1)
            let refused = try await testServer.post("/settings/home", form: "width.chat=huge\(Self.shown)")
            #expect(refused.status == 422)
            #expect(try await wideTiles() == ["chat double"])
        }
    }

    @Test func `one user's arrangement is not another's`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            _ = try await testServer.json(
                "PATCH", "/api/v1/home", #"{"hidden": ["chat"]}"#, as: grace)
            #expect(try await tiles(testServer).contains("chat"))
        }
    }
}

@Suite struct HomeVisitTests {
    private let start = Date(timeIntervalSince1970: 1_794_312_000)

    @Test func `a visit lasts until a pause of half an hour`() {
        var visit = HomeVisit()
        #expect(visit.previousVisit(at: start) == nil)
        visit.note(start)
        visit.note(start + 600)
        #expect(visit.previousVisit(at: start + 1_200) == nil)
        #expect(visit.previousVisit(at: start + 9_000) == start + 600)
        visit.note(start + 9_000)
        #expect(visit.previousVisit(at: start + 9_300) == start + 600)
    }
}
