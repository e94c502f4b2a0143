import Foundation
import GRDB
import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport
@testable import roost

@Suite struct SafeMethodTests {
    /// All rows of all tables, except data that Roost fetches automatically, pairing codes, and the time of
    /// the last visit to the home page.
    private func rows(_ testServer: TestServer) async throws -> [String: [String]] {
        let file = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
        return try await file.read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            var rows: [String: [String]] = [:]
            for table in tables
            where !table.hasPrefix("coin_list") && !["upstream_calls", "display_pairings"].contains(table) {
                rows[table] = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\($0)" }
                    .filter { table != "preferences" || !$0.contains("home visit") }
            }
            return rows
        }
    }

    @Test func `GET requests change nothing, for any page and any user`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let services = testServer.services
            let grace = try await Guest.signUp("grace", as: .member, services)
            try await services.market.watchlist.add("bitcoin", to: testServer.owner.userId)
            let display = try await services.market.displays.add("Wall", for: testServer.owner.userId)
            let link = try await services.identity.invitations.invite(
                note: "", days: 1, uses: 1, by: testServer.owner, from: ClientInfo(address: "x"))
            let reset = try await services.identity.resets.makeLink(
                for: grace.user.userId, by: testServer.owner)
            try await services.identity.accounts.setAvatar(Picture.png, of: testServer.owner.userId)
            let version = try #require(
                try await services.identity.accounts.user(testServer.owner.userId)?.avatar)
            let values: [(String, String)] = [
                ("/members/invitations/{id}", "/members/invitations/\(link.id)"),
                ("/join/{code}", "/join/\(link.code)"), ("/reset/{code}", "/reset/\(reset)"),
                ("/avatars/{user}/{version}", "/avatars/\(testServer.owner.userId)/\(version)"),
                ("/changes", "/changes?topics=prices&wait=0"),
            ]
            let safe = testServer.server.routes.filter { $0.method == .get }
            let before = try await rows(testServer)
            // A stored time would differ, but for less than a second no session's use is noted.
            clock.advance(0.5)
            for route in safe {
                let path =
                    values.first { $0.0 == route.pattern }?.1
                    ?? route.pattern.replacing("{token}", with: display.token)
                    .replacing("{id}", with: "\(display.display.id)")
                for guest in [testServer.ada, grace, .anonymous] {
                    for method in ["GET", "HEAD"] { _ = try await testServer.send(method, path, as: guest) }
                }
            }
            let after = try await rows(testServer)
            #expect(safe.count > 25 && before.count > 10)
            for (table, rows) in before { #expect(after[table] == rows, "\(table)") }
            #expect(try await services.identity.sessions.sessions().count == 2)
            #expect(try await services.identity.invitations.links().first?.link.uses == 0)
        }
    }
}
