import Foundation
import GRDB
import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostServices
@testable import TextFormats

/// Pages that take long hold up nobody but the one who asked for them.
@Suite(.serialized) struct HeavyPagesTests {
    /// A member with so many bookmarks whose notes are nothing but accents: written past Roost, which would take a
    /// debug build minutes.
    private static func hoarder(of count: Int, in testServer: TestServer) async throws -> Guest {
        let grace = try await Guest.signUp("grace", as: .member, testServer.services)
        let note = "a" + (0..<1_990).map { marks[$0 * $0 % 5] }.joined()
        _ = try await testServer.services.bookmarkFiles.read(
            Array("[\"owner/name\"]".utf8), for: grace.user.userId)
        let disk = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
        // In pieces: Roost writes between them.
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
        #expect(try await testServer.services.bookmarks.count(of: grace.user.userId) == count)
        return grace
    }

    private static let marks = ["\u{301}", "\u{323}", "\u{308}", "\u{327}", "\u{300}"]

    /// Of a filter of six hundred marks, another one for each number.
    private static func path(_ number: Int) -> String {
        let start = [1, 5, 25].map { marks[number / $0 % 5] }.joined()
        let filter = start + String(repeating: "\u{301}\u{323}\u{308}", count: 199)
        return "/bookmarks?text=\(PercentEncoding.encode(filter))"
    }

    /// Eight such pages that are under way, again and again until they are cancelled.
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
        try await eventually("all of them are under way") { queue.running + queue.waiting == 8 }
        return pages
    }

    /// All that a guest is answered who asks for so many such pages at once.
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
    func `eight pages of nineteen thousand bookmarks leave others their answers`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Self.hoarder(of: 19_000, in: testServer)
            let queue = testServer.services.heavyWork
            let pages = try await Self.askForEight(testServer, as: grace)
            let health = try await testServer.send("GET", "/healthz", as: .nobody)
            let watchlist = try await testServer.send("GET", "/watchlist")
            // The same member's light pages as well.
            let own = try await testServer.send("GET", "/watchlist", as: grace)
            #expect([health, watchlist, own].map(\.status) == [200, 200, 200])
            #expect(queue.running == 1 && queue.waiting > 0)
            for page in pages { page.cancel() }
            try await eventually("nothing is done for nobody") { queue.running + queue.waiting == 0 }
        }
    }

    @Test func `all eight have their answers in the end, and what is too much at once is refused in words`()
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
                $0.headers["Retry-After"] != nil && $0.text.contains("still busy")
            }
            #expect(areInWords)
        }
    }

    @Test(.enabled(if: AllTests.areWanted, "It takes long to make so many."))
    func `what a client has asked for ends when it leaves`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Self.hoarder(of: 19_000, in: testServer)
            let queue = testServer.services.heavyWork
            let pages = try await Self.askForEight(testServer, as: grace)
            for page in pages { page.cancel() }
            try await eventually("nothing is done for nobody") { queue.running + queue.waiting == 0 }
            for page in pages { _ = try? await page.value }
            // 499 stands for a client that left; some had their answer just then, and asked for no other.
            try await eventually("those that were under way are noted") {
                testServer.accessLines.all.count { $0.contains("/bookmarks") && $0.contains(" 499 ") } >= 4
            }
        }
    }
}
