import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct DisplayLastSeenTests {
    private func withDisplay(_ body: (ServicesFixture, Display, UserID) async throws -> Void) async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let (display, _) = try await fixture.services.market.displays.add("Kitchen", for: owner)
            try await body(fixture, display, owner)
        }
    }

    private func lastSeenAt(_ fixture: ServicesFixture, _ owner: UserID) async throws -> Date? {
        try await fixture.services.market.displays.displays(of: owner).first?.lastSeenAt
    }

    @Test func `every request of a screen is recorded, but only its arrival is published`() async throws {
        try await withDisplay { fixture, display, owner in
            let version = { fixture.services.feed.version(of: [Topic.displays(owner)]) }
            let before = version()
            fixture.services.market.displays.markSeen(display)
            let arrived = version()
            #expect(arrived > before)
            for _ in 0..<5 {
                fixture.clock.advance(30)
                fixture.services.market.displays.markSeen(display)
            }
            #expect(version() == arrived)
            let lastSeen = try await lastSeenAt(fixture, owner)
            #expect(lastSeen == fixture.clock.now)
            fixture.clock.advance(DisplayService.presence + 1)
            fixture.services.market.displays.markSeen(display)
            #expect(version() > arrived)
        }
    }

    @Test func `a removed display's last poll is not counted for another display`()
        async throws
    {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.market.displays
            let run = Task { await displays.run() }
            displays.markSeen(display)
            try await displays.remove(display.id, of: owner)
            try await displays.add("Hall", for: owner)
            run.cancel()
            await run.value
            #expect(try await lastSeenAt(fixture, owner) == nil)
            #expect(!fixture.log.lines.contains { $0.hasPrefix("error") })
        }
    }

    @Test func `a screen's last-seen time survives a concurrent save`() async throws {
        try await withDisplay { fixture, display, owner in
            let run = Task { await fixture.services.market.displays.run() }
            fixture.services.market.displays.markSeen(display)
            let seenAt = fixture.clock.now
            run.cancel()
            await run.value
            fixture.clock.advance(30)
            let saved = try await lastSeenAt(fixture, owner)
            #expect(saved == seenAt)
            fixture.services.market.displays.markSeen(display)
            #expect(try await lastSeenAt(fixture, owner) == fixture.clock.now)
        }
    }

    @Test func `the last-seen time is written on shutdown, not with each request`() async throws {
        try await withDisplay { fixture, display, owner in
            let run = Task { await fixture.services.market.displays.run() }
            fixture.services.market.displays.markSeen(display)
            #expect(try await lastSeenAt(fixture, owner) == fixture.clock.now)
            let before = try fixture.sql(
                Double.self, "SELECT last_seen_at FROM displays WHERE last_seen_at > 0")
            #expect(before.isEmpty)
            run.cancel()
            await run.value
            let after = try fixture.sql(Double.self, "SELECT last_seen_at FROM displays")
            #expect(after == [fixture.clock.now.timeIntervalSince1970])
        }
    }

    @Test func `renaming a display keeps its last-seen time`() async throws {
        try await withDisplay { fixture, display, owner in
            fixture.services.market.displays.markSeen(display)
            try await fixture.services.market.displays.change(
                display.id, of: owner, name: "Hall", settings: DisplaySettings())
            #expect(try await lastSeenAt(fixture, owner) == fixture.clock.now)
        }
    }

    @Test(arguments: [false, true])
    func `a new link resets the last-seen time, and so does signing the screens out`(signsOut: Bool)
        async throws
    {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.market.displays
            let run = Task { await displays.run() }
            displays.markSeen(display)
            // Saves the time.
            run.cancel()
            await run.value
            if signsOut {
                try await displays.signOut(display.id, of: owner)
            } else {
                try await displays.renewLink(display.id, of: owner)
            }
            #expect(try await lastSeenAt(fixture, owner) == nil)
        }
    }
}
