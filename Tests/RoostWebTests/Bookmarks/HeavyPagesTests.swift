import Foundation
import GRDB
import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostServices
@testable import TextFormats

/// A slow page delays only the user who requested it.
@Suite(.serialized) struct HeavyPagesTests {
    /// Signs up a member with `count` bookmarks whose notes are combining accents, which are slow to search.
    /// Writes to the database directly: through Roost it takes minutes in a debug build.
    private static func hoarder(of count: Int, in testServer: TestServer) async throws -> Guest {
        let grace = try await Guest.signUp("grace", as: .member, testServer.services)
        let note = "a" + (0..<1_990).map { marks[$0 * $0 % 5] }.joined()
        _ = try await testServer.services.gitHub.bookmarkFiles.read(
            Array("[\"owner/name\"]".utf8), for: grace.user.userId)
        let disk = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
        // In batches, so that Roost can write in between.
        for first in stride(from: 2, through: count, by: 1_000) {
            try await disk.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE numbers(number) AS (
                            SELECT ? UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
                        INSERT INTO bookmarks
                            (user_id, full_name, seen_name, seen_state, state, note, search_text, added_at, due_at)
                        SELECT user_id, full_name || number, full_name || number, seen_state, state, ?, ?, added_at,
                            9e9
                        FROM bookmarks, numbers WHERE user_id = ? AND full_name = 'owner/name'
                        """,
                    arguments: [first, min(first + 999, count), note, note, grace.user.userId])
            }
        }
        try disk.close()
        #expect(try await testServer.services.gitHub.bookmarks.count(of: grace.user.userId) == count)
        return grace
    }

    private static let marks = ["\u{301}", "\u{323}", "\u{308}", "\u{327}", "\u{300}"]

    /// A page filtered by 600 accents. Each number gets a different filter, so that no page comes from the cache.
    private static func path(_ number: Int) -> String {
        let start = [1, 5, 25].map { marks[number / $0 % 5] }.joined()
        let filter = start + String(repeating: "\u{301}\u{323}\u{308}", count: 199)
        return "/bookmarks?text=\(PercentEncoding.encode(filter))"
    }

    /// Keeps eight slow requests running until their tasks are cancelled.
    private static func askForEight(_ testServer: TestServer, as guest: Guest) async throws
        -> [Task<Void, any Error>]
    {
        let pages = (0..<8).map { number in
            Task {
                for round in 0... {
                    try Task.checkCancellation()
                    _ = try await testServer.send("GET", path(8 * round + number), as: guest)
                }
            }
        }
        let queue = testServer.services.heavyWork
        try await eventually("all eight are running or waiting") { queue.running + queue.waiting == 8 }
        return pages
    }

    /// Sends `count` slow requests at once and returns their answers.
    private static func answers(of testServer: TestServer, to count: Int, from guest: Guest) async throws
        -> [ClientResponse]
    {
        let pages = (1...count).map { number in
            Task { try await testServer.send("GET", path(number), as: guest) }
        }
        var answers: [ClientResponse] = []
        for page in pages { answers.append(try await page.value) }
        return answers
    }

    @Test(.enabled(if: AllTests.areWanted, "It takes long to make so many."))
    func `eight requests for pages of 19,000 bookmarks do not delay other requests`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Self.hoarder(of: 19_000, in: testServer)
            let queue = testServer.services.heavyWork
            let pages = try await Self.askForEight(testServer, as: grace)
            let health = try await testServer.send("GET", "/healthz", as: .anonymous)
            let watchlist = try await testServer.send("GET", "/watchlist")
            // The same member's fast pages are answered too.
            let own = try await testServer.send("GET", "/watchlist", as: grace)
            #expect([health, watchlist, own].map(\.status) == [200, 200, 200])
            #expect(queue.running == 1 && queue.waiting > 0)
            for page in pages { page.cancel() }
            try await eventually("the queue is empty") { queue.running + queue.waiting == 0 }
        }
    }

    @Test func `all eight requests are answered, and excess requests are refused with a message`()
        async throws
    {
        try await TestServer.with { testServer in
            let grace = try await Self.hoarder(of: 600, in: testServer)
            let answers = try await Self.answers(of: testServer, to: 30, from: grace)
            let refused = answers.filter { $0.status == 503 }
            let shown = answers.filter { $0.status == 200 }
            #expect(shown.count >= 16)
            #expect(refused.count >= 1)
            #expect(shown.count + refused.count == 30)
            let areInWords = refused.allSatisfy {
                $0.headers["Retry-After"] != nil && $0.text.contains("still working")
            }
            #expect(areInWords)
        }
    }

    @Test(.enabled(if: AllTests.areWanted, "It takes long to make so many."))
    func `a client's query is cancelled when the client disconnects`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Self.hoarder(of: 19_000, in: testServer)
            let queue = testServer.services.heavyWork
            let pages = try await Self.askForEight(testServer, as: grace)
            for page in pages { page.cancel() }
            try await eventually("the queue is empty") { queue.running + queue.waiting == 0 }
            for page in pages { _ = try? await page.value }
            // The log has 499 for a disconnected client. Some requests were answered before.
            try await eventually("the cancelled requests are logged") {
                testServer.accessLines.all.count { $0.contains("/bookmarks") && $0.contains(" 499 ") } >= 4
            }
        }
    }
}
