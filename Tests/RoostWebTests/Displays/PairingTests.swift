import Foundation
import Synchronization
import Testing

@testable import HTTPClient
@testable import HTTPServer

/// A screen that opens `/display` shows a code, and becomes a display when a user types the code.
@Suite struct PairingTests {
    /// A screen's browser: it keeps its cookies, and has no session.
    private final class Screen: Sendable {
        private let testServer: TestServer
        private let jar: Mutex<[String: String]>

        init(_ testServer: TestServer, cookies: [String: String] = [:]) {
            self.testServer = testServer
            jar = Mutex(cookies)
        }

        var cookies: [String: String] { jar.withLock { $0 } }

        func open(_ path: String = "/display") async throws -> ClientResponse {
            let sent = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
            let answer = try await testServer.send(
                "GET", path, headers: sent.isEmpty ? [] : [("Cookie", sent)], as: .anonymous)
            for header in answer.headers.all("Set-Cookie") {
                let pair = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                let value = pair.count == 2 ? String(pair[1]) : ""
                jar.withLock { $0[String(pair[0])] = value.isEmpty ? nil : value }
            }
            return answer
        }

        func readCode() async throws -> String { try Self.code(in: try await open().text) }

        /// The code on the page, without its hyphen.
        static func code(in page: String) throws -> String {
            let match = try #require(page.firstMatch(of: #/<p class="pair-code">(\w{3})-(\w{3})</p>/#))
            return "\(match.1)\(match.2)"
        }
    }

    private func pair(_ code: String, _ form: String = "name=Kitchen", in testServer: TestServer) async throws
        -> ClientResponse
    {
        try await testServer.post("/displays/pair", form: "code=\(code)&\(form)")
    }

    @Test func `a screen shows a code and a QR code of where to type it, and the same after a reload`()
        async throws
    {
        try await TestServer.with { testServer in
            let screen = Screen(testServer)
            let page = try await screen.open()
            #expect(page.status == 200)
            let code = try Screen.code(in: page.text)
            #expect(page.text.contains("<svg class=\"qr\""))
            let cookie = try #require(page.headers.all("Set-Cookie").first)
            #expect(cookie.hasPrefix("roost_pairing="))
            #expect(cookie.contains("; Path=/display; ") && cookie.contains("; HttpOnly; SameSite=Strict"))
            #expect(try await screen.readCode() == code)
            let other = Screen(testServer)
            #expect(try await other.readCode() != code)
        }
    }

    @Test func `a paired screen gets its key again, unless the key was revoked`() async throws {
        try await TestServer.with { testServer in
            let screen = Screen(testServer)
            _ = try await pair(try await screen.readCode(), in: testServer)
            _ = try await screen.open("/display/paired")
            let before = screen.cookies
            #expect(before.keys.sorted() == ["roost_display"])
            let answer = try await screen.open("/display/paired")
            #expect(answer.object["isPaired"] as? Bool == true && screen.cookies == before)
            #expect(answer.headers.all("Set-Cookie").contains { $0.contains("Max-Age=34560000") })
            #expect(answer.headers["Cache-Control"] == "no-store")
            let display = try #require(
                try await testServer.services.market.displays.displays(of: testServer.owner.userId).first)
            try await testServer.services.market.displays.signOut(display.id, of: testServer.owner.userId)
            #expect(try await screen.open("/display/paired").status == 404)
        }
    }

    @Test func `the screen shows its wall as soon as its code is typed`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let screen = Screen(testServer)
            let code = try await screen.readCode()
            async let answer = screen.open("/display/paired")
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            let typed = try await pair(code, in: testServer)
            #expect(typed.status == 303)
            let paired = try await answer
            #expect(paired.object["isPaired"] as? Bool == true)
            let cookie = try #require(
                paired.headers.all("Set-Cookie").first { $0.hasPrefix("roost_display=") })
            #expect(cookie.contains("; Path=/display; Max-Age=34560000; HttpOnly; SameSite=Strict"))
            #expect(Array(screen.cookies.keys) == ["roost_display"])
            let wall = try await screen.open()
            #expect(wall.text.contains("BTC") && wall.text.contains("data-display=\"/display\""))
            #expect(try await screen.open("/display/screen").text.contains("BTC"))
            let changes = try await screen.open("/display/changes?wait=0")
            #expect(changes.status == 200)
            let displays = try await testServer.services.market.displays.displays(of: testServer.owner.userId)
            #expect(displays.map(\.name) == ["Kitchen"])
            #expect(typed.headers["Location"]?.hasPrefix("/displays/\(displays[0].id)") == true)
        }
    }

    @Test func `without scripts the screen shows its wall at the next request`() async throws {
        try await TestServer.with { testServer in
            let screen = Screen(testServer)
            let page = try await screen.open().text
            #expect(page.contains("<meta http-equiv=\"refresh\" content=\"3; url=/display\">"))
            _ = try await pair(try Screen.code(in: page), in: testServer)
            let answer = try await screen.open()
            #expect(answer.status == 303 && answer.headers["Location"] == "/display")
            #expect(try await screen.open().text.contains("id=\"screen\""))
        }
    }

    @Test func `a screen whose key was revoked automatically shows a new code`() async throws {
        try await TestServer.with { testServer in
            let screen = Screen(testServer)
            let code = try await screen.readCode()
            _ = try await pair(code, in: testServer)
            _ = try await screen.open()
            let id = try #require(
                try await testServer.services.market.displays.displays(of: testServer.owner.userId).first?.id)
            let cursor = testServer.services.feed.cursor
            async let news = screen.open("/display/changes?cursor=\(cursor)")
            try await eventually("the screen polls") { testServer.services.feed.waiting == 1 }
            #expect(try await testServer.post("/displays/\(id)/sign-out").status == 303)
            #expect(try await news.object["changed"] as? [String] == ["screen"])
            #expect(try await screen.open("/display/changes").status == 404)
            #expect(try await screen.open("/display/screen").status == 404)
            #expect(try await screen.readCode() != code)
        }
    }

    @Test(arguments: ["roost_display", "roost_pairing"])
    func `a forged cookie opens nothing`(name: String) async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            for value in [created.token, String(repeating: "A", count: 43), "x"] {
                let screen = Screen(testServer, cookies: [name: value])
                for path in ["/display/screen", "/display/changes", "/display/paired"] {
                    #expect(try await screen.open(path).status == 404, "\(path)")
                }
                let page = try await screen.open().text
                _ = try Screen.code(in: page)
                #expect(!page.contains("BTC"))
            }
        }
    }

    @Test func `a wrong code is refused at its field, and too many are throttled`() async throws {
        try await TestServer.with { testServer in
            let refused = try await pair("222-222", "name=Hall", in: testServer)
            #expect(refused.status == 422)
            #expect(refused.text.contains("id=\"pair-error\">No screen shows this code."))
            #expect(refused.text.contains("value=\"222-222\"") && refused.text.contains("value=\"Hall\""))
            // The waits grow, so that even a slow machine reaches the limit.
            var last = refused
            for _ in 1...20 where last.status == 422 { last = try await pair("222-222", in: testServer) }
            #expect(last.status == 429)
            #expect(last.headers["Retry-After"] != nil)
            #expect(last.text.contains("Too many wrong codes."))
        }
    }

    @Test func `a name that is too long is refused, and the code stays valid`() async throws {
        try await TestServer.with { testServer in
            let screen = Screen(testServer)
            let code = try await screen.readCode()
            let refused = try await pair(code, "name=\(String(repeating: "x", count: 65))", in: testServer)
            #expect(refused.status == 422)
            #expect(refused.text.contains("1 to 64 characters"))
            #expect(try await pair(code, in: testServer).status == 303)
        }
    }

    @Test func `a screen paired without a name gets the first unused name`() async throws {
        try await TestServer.with { testServer in
            let (displays, user) = (testServer.services.market.displays, testServer.owner.userId)
            for name in ["Screen 1", "Screen 3", "Hall"] { try await displays.add(name, for: user) }
            for _ in 1...2 {
                let code = try await Screen(testServer).readCode()
                #expect(try await pair(code, "name=+", in: testServer).status == 303)
            }
            let names = try await displays.displays(of: user).map(\.name)
            #expect(names == ["Screen 1", "Screen 3", "Hall", "Screen 2", "Screen 4"])
        }
    }

    @Test func `the displays page is filled with the scanned code`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/displays?code=K7QM2X").text
            #expect(page.contains("name=\"code\" type=\"text\" value=\"K7QM2X\""))
        }
    }

    @Test func `a poll that must not wait says at once that the code was not typed yet`() async throws {
        try await TestServer.with { testServer in
            let screen = Screen(testServer)
            _ = try await screen.open()
            let answer = try await screen.open("/display/paired?wait=0")
            #expect(answer.object["isPaired"] as? Bool == false)
        }
    }

    @Test func `two paired screens show their own displays`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            try await testServer.watch("bitcoin")
            let (adas, graces) = (Screen(testServer), Screen(testServer))
            _ = try await pair(try await adas.readCode(), in: testServer)
            let code = try await graces.readCode()
            _ = try await testServer.post("/displays/pair", form: "code=\(code)&name=Hers", as: grace)
            _ = (try await adas.open(), try await graces.open())
            for _ in 1...2 {
                let walls = (try await adas.open().text, try await graces.open().text)
                #expect(walls.0.contains("BTC") && !walls.1.contains("BTC"))
            }
        }
    }
}
