import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostServices
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct DisplayServiceTests {
    private func added(_ fixture: ServicesFixture, _ name: String = "Kitchen") async throws -> (
        Display, String, UserID
    ) {
        let owner = try await fixture.services.owner().userId
        let (display, token) = try await fixture.services.market.displays.add(name, for: owner)
        return (display, token, owner)
    }

    @Test func `a new display has its own 128-bit link and the default settings`()
        async throws
    {
        try await withServices { fixture in
            let (display, token, owner) = try await added(fixture, "  Kitchen ")
            #expect(display.name == "Kitchen" && display.userId == owner)
            #expect(display.settings == DisplaySettings() && display.lastSeenAt == nil)
            #expect(display.createdAt == fixture.clock.now)
            #expect(token.count == 22 && token.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) })
            #expect(try await fixture.services.market.displays.display(.link(token)) == display)
            #expect(try await fixture.services.market.displays.displays(of: owner) == [display])
            let (_, other) = try await fixture.services.market.displays.add("Hall", for: owner)
            #expect(other != token)
        }
    }

    @Test(arguments: ["", "x", "0123456789012345678901", String(repeating: "a", count: 1_000), "\u{0}"])
    func `no other token opens a display`(token: String) async throws {
        try await withServices { fixture in
            _ = try await added(fixture)
            #expect(try await fixture.services.market.displays.display(.link(token)) == nil)
        }
    }

    @Test func `the database contains the hash of a link, never the link`() async throws {
        try await withServices { fixture in
            let (_, token, _) = try await added(fixture)
            let hashes = try fixture.sql(Data.self, "SELECT token_hash FROM displays")
            #expect(hashes == [Data(Secret.hash(token))])
            for file in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
                let bytes = try Data(contentsOf: URL(filePath: fixture.folder + "/" + file))
                #expect(bytes.range(of: Data(token.utf8)) == nil)
            }
        }
    }

    @Test func `after a link is renewed the new one opens the display and the old one does not`() async throws
    {
        try await withServices { fixture in
            let (display, old, owner) = try await added(fixture)
            let feed = fixture.services.feed
            let before = feed.version(of: [Topic.display(display.id)])
            try await fixture.services.market.displays.renewLink(display.id, of: owner)
            let new = try #require(
                try await fixture.services.market.displays.token(of: display.id, for: owner))
            #expect(try await fixture.services.market.displays.display(.link(old)) == nil)
            #expect(try await fixture.services.market.displays.display(.link(new))?.id == display.id)
            #expect(feed.version(of: [Topic.display(display.id)]) > before)
        }
    }

    @Test func `a link's secret can be read at any time, but only by its owner`() async throws {
        try await withServices { fixture in
            let (display, token, owner) = try await added(fixture)
            let displays = fixture.services.market.displays
            fixture.clock.advance(400 * 86_400)
            #expect(try await displays.token(of: display.id, for: owner) == token)
            await #expect(throws: RoostError.notFound("There is no such display.")) {
                try await displays.token(of: display.id, for: owner + 1)
            }
        }
    }

    @Test
    func `a link older than sealed secrets opens its display but cannot be read until it is renewed`()
        async throws
    {
        try await withServices { fixture in
            let (display, token, owner) = try await added(fixture)
            let displays = fixture.services.market.displays
            try fixture.change("UPDATE displays SET token_sealed = NULL")
            #expect(try await displays.display(.link(token))?.id == display.id)
            #expect(try await displays.token(of: display.id, for: owner) == nil)
            try await displays.renewLink(display.id, of: owner)
            let new = try #require(try await displays.token(of: display.id, for: owner))
            #expect(try await displays.display(.link(new))?.id == display.id)
        }
    }

    @Test func `a link sealed with another key cannot be read, and the page still works`()
        async throws
    {
        try await withServices { fixture in
            let (display, _, owner) = try await added(fixture)
            try fixture.change("UPDATE displays SET token_sealed = zeroblob(60)")
            #expect(try await fixture.services.market.displays.token(of: display.id, for: owner) == nil)
        }
    }

    @Test func `a change is stored, published to its screen, and survives a restart`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let (display, token, owner) = try await added(first)
            let before = first.services.feed.version(of: [Topic.display(display.id)])
            try await first.services.market.displays.change(
                display.id, of: owner, name: "Büro 柴犬",
                settings: DisplaySettings(secondsPerPage: 45, redIsUp: true))
            #expect(first.services.feed.version(of: [Topic.display(display.id)]) > before)
            let changed = try #require(try await first.services.market.displays.display(.link(token)))
            #expect(
                changed.name == "Büro 柴犬" && changed.settings.secondsPerPage == 45 && changed.settings.redIsUp
            )
            try first.end()
            let second = try ServicesFixture(in: folder)
            #expect(try await second.services.market.displays.display(.link(token)) == changed)
            #expect(try await second.services.market.displays.token(of: display.id, for: owner) == token)
            try second.end()
        }
    }

    /// An astronaut is one character of three code points, and the schema counts code points.
    @Test(arguments: [
        "", "   ", String(repeating: "x", count: 65), String(repeating: "👩‍🚀", count: 30), "a\u{0}b", "\u{0}",
    ])
    func `a name that is empty, too long or unprintable is refused with a message`(name: String) async throws
    {
        try await withServices { fixture in
            let (display, _, owner) = try await added(fixture)
            let refusal = RoostError.invalid(
                field: "name", why: "Enter a name of 1 to 64 characters.")
            await #expect(throws: refusal) {
                try await fixture.services.market.displays.add(name, for: owner)
            }
            await #expect(throws: refusal) {
                try await fixture.services.market.displays.change(
                    display.id, of: owner, name: name, settings: DisplaySettings())
            }
        }
    }

    @Test(arguments: [4, 3_601, 0, -1])
    func `a page is shown for 5 to 3,600 s`(seconds: Int) async throws {
        try await withServices { fixture in
            let (display, _, owner) = try await added(fixture)
            await #expect(
                throws: RoostError.invalid(
                    field: "secondsPerPage", why: "Enter 5 to 3,600 seconds.")
            ) {
                try await fixture.services.market.displays.change(
                    display.id, of: owner, name: "x", settings: DisplaySettings(secondsPerPage: seconds))
            }
            for fine in [5, 3_600] {
                try await fixture.services.market.displays.change(
                    display.id, of: owner, name: "x", settings: DisplaySettings(secondsPerPage: fine))
            }
        }
    }

    @Test func `a user cannot change, renew or remove another user's display`() async throws {
        try await withServices { fixture in
            let (display, token, _) = try await added(fixture)
            let ada = try await fixture.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            let displays = fixture.services.market.displays
            let refusal = RoostError.notFound("There is no such display.")
            await #expect(throws: refusal) {
                try await displays.change(display.id, of: ada, name: "x", settings: DisplaySettings())
            }
            await #expect(throws: refusal) { try await displays.renewLink(display.id, of: ada) }
            await #expect(throws: refusal) { try await displays.remove(display.id, of: ada) }
            #expect(try await displays.display(.link(token)) == display)
            #expect(try await displays.displays(of: ada).isEmpty)
        }
    }

    @Test func `a removed display is gone with its link, and its screen is notified`() async throws {
        try await withServices { fixture in
            let (display, token, owner) = try await added(fixture)
            let before = fixture.services.feed.version(of: [Topic.display(display.id)])
            try await fixture.services.market.displays.remove(display.id, of: owner)
            #expect(try await fixture.services.market.displays.display(.link(token)) == nil)
            #expect(try await fixture.services.market.displays.displays(of: owner).isEmpty)
            #expect(fixture.services.feed.version(of: [Topic.display(display.id)]) > before)
            await #expect(throws: RoostError.notFound("There is no such display.")) {
                try await fixture.services.market.displays.remove(display.id, of: owner)
            }
        }
    }

    @Test func `a user has at most a hundred displays`() async throws {
        try await withServices { fixture in
            let (_, _, owner) = try await added(fixture)
            for number in 2...100 {
                try await fixture.services.market.displays.add("No \(number)", for: owner)
            }
            await #expect(throws: RoostError.self) {
                try await fixture.services.market.displays.add("x", for: owner)
            }
            #expect(try await fixture.services.market.displays.displays(of: owner).count == 100)
        }
    }

    @Test func `after concurrent changes the readable secret still opens the display`()
        async throws
    {
        try await withServices { fixture in
            let (display, first, owner) = try await added(fixture)
            let displays = fixture.services.market.displays
            for round in 0..<20 {
                await withTaskGroup(of: Void.self) { group in
                    for turn in 0..<6 {
                        group.addTask { try? await displays.renewLink(display.id, of: owner) }
                        group.addTask {
                            try? await displays.change(
                                display.id, of: owner, name: "\(round) \(turn)", settings: DisplaySettings())
                        }
                    }
                }
                let secret = try #require(try await displays.token(of: display.id, for: owner))
                #expect(try await displays.display(.link(secret))?.id == display.id)
                #expect(try await displays.display(.link(first)) == nil)
                let names = try fixture.sql(String.self, "SELECT name FROM displays")
                #expect(try await displays.displays(of: owner).map(\.name) == names)
                let hashes = try fixture.sql(Data.self, "SELECT token_hash FROM displays")
                #expect(hashes == [Data(Secret.hash(secret))])
            }
        }
    }

    @Test func `a display that is changed during its removal stays removed`() async throws {
        try await withServices { fixture in
            for _ in 0..<20 {
                let (display, token, owner) = try await added(fixture)
                let displays = fixture.services.market.displays
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try? await displays.change(
                                display.id, of: owner, name: "Hall", settings: DisplaySettings())
                        }
                    }
                    group.addTask { try? await displays.remove(display.id, of: owner) }
                }
                #expect(try await displays.display(.link(token)) == nil)
                #expect(try await displays.displays(of: owner).isEmpty)
            }
        }
    }

    // MARK: Another process

    @Test func `another process's changes to a display are seen by the next lookup`() async throws {
        try await withServices { fixture in
            let (display, token, owner) = try await added(fixture)
            let displays = fixture.services.market.displays
            try fixture.change("UPDATE displays SET name = 'Hall', seconds_per_page = 45")
            let changed = try #require(try await displays.display(.link(token)))
            #expect(changed.name == "Hall")
            #expect(changed.settings.secondsPerPage == 45)
            #expect(try await displays.displays(of: owner).map(\.name) == ["Hall"])
            try fixture.change("DELETE FROM displays WHERE id = \(display.id)")
            #expect(try await displays.display(.link(token)) == nil)
            #expect(try await displays.displays(of: owner).isEmpty)
            await #expect(throws: RoostError.notFound("There is no such display.")) {
                try await displays.token(of: display.id, for: owner)
            }
        }
    }

    @Test func `a link that another process replaced has no secret that can be read`() async throws {
        try await withServices { fixture in
            let (display, token, owner) = try await added(fixture)
            let displays = fixture.services.market.displays
            try fixture.change("UPDATE displays SET token_hash = zeroblob(32)")
            #expect(try await displays.token(of: display.id, for: owner) == nil)
            #expect(try await displays.display(.link(token)) == nil)
        }
    }

    // MARK: Cached lookups

    /// Backdates the last commit.
    private func age(_ fixture: ServicesFixture) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 60],
            ofItemAtPath: Services.databasePath(in: fixture.folder) + "-wal")
    }

    @Test func `within a second of being read a link needs no further read`() async throws {
        try await withServices { fixture in
            let (display, token, _) = try await added(fixture)
            let displays = fixture.services.market.displays
            try age(fixture)
            #expect(displays.recentDisplay(.link(token)) == nil)
            _ = try await displays.display(.link(token))
            let statementCount = fixture.statements.all.count
            #expect(displays.recentDisplay(.link(token)) == display)
            #expect(displays.recentDisplay(.link(token + "x")) == nil)
            #expect(fixture.statements.all.count == statementCount)
            fixture.clock.advance(1)
            #expect(displays.recentDisplay(.link(token)) == nil)
        }
    }

    /// Nil means a commit of this process.
    @Test(arguments: [
        "UPDATE displays SET name = 'Hall'", "UPDATE users SET created_at = created_at + 1", nil,
    ])
    func `after any commit a link is read from the disk again`(sql: String?) async throws {
        try await withServices { fixture in
            let (display, token, owner) = try await added(fixture)
            let displays = fixture.services.market.displays
            try age(fixture)
            _ = try await displays.display(.link(token))
            try #require(displays.recentDisplay(.link(token)) != nil)
            if let sql {
                try fixture.change(sql)
            } else {
                try await displays.renewLink(display.id, of: owner)
            }
            #expect(displays.recentDisplay(.link(token)) == nil)
        }
    }

    @Test func `a link read just after a commit is read again`() async throws {
        try await withServices { fixture in
            let (_, token, _) = try await added(fixture)
            _ = try await fixture.services.market.displays.display(.link(token))
            #expect(fixture.services.market.displays.recentDisplay(.link(token)) == nil)
        }
    }

    @Test(arguments: [
        ("token_hash = ?", "sqlite_autoindex_displays_1"), ("user_id = ? ORDER BY id", "displays_by_user"),
    ])
    func `an index finds displays`(condition: String, index: String) async throws {
        try await withServices { fixture in
            let plan = try fixture.plan(of: "SELECT * FROM displays WHERE \(condition)")
            #expect(plan.steps.count == 1)
            #expect(plan.steps.allSatisfy { $0.contains("SEARCH displays USING INDEX \(index)") })
        }
    }
}
