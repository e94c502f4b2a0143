import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostSimulator

/// A cached page never differs from a newly rendered one.
@Suite struct ResponseCacheTests {
    /// The clock does not move, so that no page is rendered again because a second has passed.
    @Test(arguments: [1, 2])
    func `after any actions a cached page equals a newly rendered one`(seed: UInt64)
        async throws
    {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            for (guest, login) in [(testServer.ada, "ada"), (grace, "grace")] {
                _ = try await testServer.services.gitHub.accounts.connect(
                    token: GitHubTokens.classic(of: login), host: nil, for: guest.user.userId)
            }
            let pulls = testServer.services.gitHub.pulls
            try await eventually("both inboxes are loaded") {
                pulls.watch(testServer.owner.userId)
                pulls.watch(grace.user.userId)
                let sources = try await pulls.inbox(of: grace.user.userId).sources
                return try await pulls.waiting(for: testServer.owner.userId) > 0
                    && sources.allSatisfy { $0.updatedAt != nil }
            }
            let wall = try await testServer.services.market.displays.add("Wall", for: testServer.owner.userId)
            let talk = try await testServer.services.chat.conversations.start(
                with: [grace.user.userId], groupName: nil, id: nil, by: testServer.owner.userId
            ).conversation.id
            let listed = try await testServer.send("GET", "/api/v1/repositories").items
            let repositories = listed.prefix(3).compactMap { $0["fullName"] as? String }
            try #require(repositories.count == 3)
            let acts = Acts(
                testServer: testServer, guests: [testServer.ada, grace], display: wall.display.id,
                conversation: talk, repositories: repositories
            )
            var dice = SeededNumbers(seed: seed)
            for _ in 1...60 {
                let act = try await acts.one(&dice)
                for guest in [testServer.ada, grace] {
                    for path in [
                        "/", "/watchlist", "/alerts", "/pulls", "/repositories?since=0", "/bookmarks",
                        "/coins/ethereum", "/chat", "/chat/\(talk)", "/display/\(wall.token)",
                    ] {
                        try await Self.compare(path, after: act, as: guest, in: testServer)
                    }
                }
            }
        }
    }

    /// Retries, because background work may change a page between two requests. A real difference is permanent.
    private static func compare(
        _ path: String, after act: String, as guest: Guest, in testServer: TestServer
    ) async throws {
        var pages = ("", "")
        for attempt in 1...50 {
            let cached = try await testServer.send("GET", path, as: guest)
            let joint = path.contains("?") ? "&" : "?"
            let fresh = try await testServer.send(
                "GET", "\(path)\(joint)unlike-any-before=\(UUID())", as: guest)
            #expect(cached.status == 200 && fresh.status == 200)
            pages = (steady(cached.text), steady(fresh.text))
            if pages.0 == pages.1 { return }
            try await Task.sleep(for: .milliseconds(20 * attempt))
        }
        let lines = zip(pages.0.split(separator: "\n"), pages.1.split(separator: "\n")).first { $0 != $1 }
        Issue.record("After \(act), \(path) differs: \(lines.map { "\($0.0) | \($0.1)" } ?? "in length")")
    }

    /// Removes what differs between renderings: masked form tokens, ids for new messages, and cursors.
    private static func steady(_ page: String) -> String {
        page.splitBytes(at: "\n", omittingEmptySubsequences: false).map { line in
            // Matching the pattern on every line is slow, and few lines contain one of these.
            let line = String(line)
            guard
                ["token", "data-cursor", "data-log", "name=\"id\""].contains(where: { line.containsBytes($0) }
                )
            else {
                return line
            }
            return line.replacing(/(name="(?:token|id)" value|data-token|data-cursor|data-log)="[^"]*"/) {
                "\($0.output.1)="
            }
        }.joined(separator: "\n")
    }

    @Test(arguments: [
        ("/", "/watchlist", "coinId=ethereum"),
        ("/coins/ethereum", "/coins/ethereum/note", "category=DeFi&note=x"),
        ("/bookmarks", "/repositories/choices", "list=bookmarks&group=language"),
    ])
    func `a page requested twice is rendered once, until its data or the second changes`(
        path: String, act: String, form: String
    ) async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            try await testServer.watch("bitcoin")
            func token() async throws -> Substring? {
                let page = try await testServer.send("GET", path).text
                return page.firstMatch(of: /data-token="([^"]+)"/)?.output.1
            }
            // Background work may still change the page.
            try await eventually("a page comes from the cache") { try await token() == token() }
            let first = try await token()
            clock.advance(1)
            let second = try await token()
            #expect(second != first)
            _ = try await testServer.post(act, form: form)
            #expect(try await token() != second)
        }
    }

    @Test func `a notice is shown once, and no page is cached for another user, address or theme`()
        async throws
    {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let again = try await Guest.signIn("ada", testServer.services)
            _ = try await testServer.post("/watchlist", form: "coinId=bitcoin")
            let removed = try await testServer.post("/watchlist/bitcoin/remove")
            let location = try #require(removed.headers["Location"])
            #expect(try await testServer.send("GET", location).text.contains("was removed"))
            _ = try await testServer.post("/watchlist", form: "coinId=bitcoin")
            var pages: Set<String> = []
            for (path, guest, headers) in [
                ("/watchlist", testServer.ada, []), ("/watchlist", grace, []), ("/watchlist", again, []),
                ("/watchlist?x", testServer.ada, []),
                ("/watchlist", testServer.ada, [("Cookie", "roost_theme=dark")]),
            ] as [(String, Guest, [(String, String)])] {
                pages.insert(try await testServer.send("GET", path, headers: headers, as: guest).text)
            }
            #expect(pages.count == 5)
        }
    }
}

/// Random actions of two users, the same in each run for the same seed.
private struct Acts {
    let testServer: TestServer
    let guests: [Guest]
    let display: Int64
    let conversation: String
    let repositories: [String]

    /// Performs one action and returns its description.
    func one(_ dice: inout SeededNumbers) async throws -> String {
        func one(of words: String...) -> String { words[Int.random(in: 0..<words.count, using: &dice)] }
        let guest = guests[Int.random(in: 0..<guests.count, using: &dice)]
        let number = Int.random(in: 0..<9, using: &dice)
        let coin = one(of: "bitcoin", "ethereum", "solana", "dogecoin")
        let repository = repositories[Int.random(in: 0..<repositories.count, using: &dice)]
        let inbox = try await testServer.services.gitHub.pulls.inbox(of: guest.user.userId)
        let pull = inbox.sections.lazy.flatMap(\.items).first?.key
        let (path, form) =
            switch Int.random(in: 0..<23, using: &dice) {
            case 0, 1: ("/watchlist", "coinId=\(coin)")
            case 2: ("/watchlist/\(coin)/remove", "")
            case 3: ("/watchlist/\(coin)/move", "direction=\(one(of: "up", "down"))")
            case 4: ("/watchlist/sort", "sort=\(one(of: "mine", "name", "price", "change"))")
            case 5, 6:
                (
                    "/pulls/\(pull?.description ?? "github.com/a/b/1")/"
                        + one(of: "mute", "done", "restore"), ""
                )
            case 7:
                (
                    "/pulls/choices",
                    "sort=\(one(of: "age", "update"))&group=\(one(of: "none", "repository"))"
                )
            case 8: ("/pulls/sections", "name=Own\(number)&query=is%3Aopen")
            case 9, 10: ("/bookmarks", "fullName=\(repository)")
            case 11: ("/bookmarks/\(repository)/edit", "tags=\(one(of: "a", "b", "a,b"))&note=\(number)")
            case 12: ("/bookmarks/\(repository)/remove", "")
            case 13:
                (
                    "/repositories/choices",
                    "list=\(one(of: "browse", "bookmarks"))&group=\(one(of: "none", "language"))"
                )
            case 14: ("/displays/\(display)", "name=Wall\(number)&secondsPerPage=1\(number)&redIsUp=1")
            case 15: ("/alerts", "coinId=\(coin)&kind=change&threshold=\(number)")
            case 16: ("/alerts/\(number)/remove", "")
            case 17:
                (
                    "/watchlist/choices",
                    "column=\(one(of: "volume", "holdings"))&currency=\(one(of: "", "eur", "btc"))"
                )
            case 18, 19: ("/chat/\(conversation)/send", "id=\(UUID())&text=\(coin)+\(number)")
            case 20: ("/chat/\(conversation)/messages/\(number + 1)/react", "emoji=%F0%9F%91%8D")
            case 21: ("/chat/\(conversation)/read", "upTo=\(number)")
            case 22: ("/coins/\(coin)/note", "category=\(one(of: "DeFi", ""))&note=\(number)")
            default: ("/settings/profile", "displayName=Name\(number)&email=")
            }
        let answer = try await testServer.post(path, form: form, as: guest)
        #expect(answer.status < 500, "\(path) \(form)")
        return "\(path) \(form) \(answer.status)"
    }
}
