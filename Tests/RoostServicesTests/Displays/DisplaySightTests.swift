import Foundation
import Testing

@testable import Market
@testable import RoostSupport

/// When a screen was last seen.
@Suite(.timeLimit(.minutes(2))) struct DisplaySightTests {
    private func withDisplay(_ body: (ServicesFixture, Display, UserID) async throws -> Void) async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let (display, _) = try await fixture.services.displays.add("Kitchen", for: owner)
            try await body(fixture, display, owner)
        }
    }

    private func seen(_ fixture: ServicesFixture, _ owner: UserID) async throws -> Date? {
        try await fixture.services.displays.displays(of: owner).first?.lastSeenAt
    }

    @Test func `each request of a screen is noted, its arrival alone is told`() async throws {
        try await withDisplay { fixture, display, owner in
            let version = { fixture.services.feed.version(of: [Topic.displays(owner)]) }
            let before = version()
            fixture.services.displays.markSeen(display)
            let arrived = version()
            #expect(arrived > before)
            for _ in 0..<5 {
                fixture.clock.advance(30)
                fixture.services.displays.markSeen(display)
            }
            #expect(version() == arrived)
            let lastSeen = try await seen(fixture, owner)
            #expect(lastSeen == fixture.clock.now)
            fixture.clock.advance(DisplayService.presence + 1)
            fixture.services.displays.markSeen(display)
            #expect(version() > arrived)
        }
    }

    @Test func `what a removed display's screen asked last is no other display's, and no trouble`()
        async throws
    {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.displays
            let run = Task { await displays.run() }
            displays.markSeen(display)
            try await displays.remove(display.id, of: owner)
            try await displays.add("Hall", for: owner)
            run.cancel()
            await run.value
            #expect(try await seen(fixture, owner) == nil)
            #expect(!fixture.log.lines.contains { $0.contains("could not be saved") })
        }
    }

    @Test func `when a screen asked is not forgotten while that is saved`() async throws {
        try await withDisplay { fixture, display, owner in
            let run = Task { await fixture.services.displays.run() }
            fixture.services.displays.markSeen(display)
            let asked = fixture.clock.now
            run.cancel()
            await run.value
            fixture.clock.advance(30)
            let saved = try await seen(fixture, owner)
            #expect(saved == asked)
            fixture.services.displays.markSeen(display)
            #expect(try await seen(fixture, owner) == fixture.clock.now)
        }
    }

    @Test func `the last sight is written down at the end, and not at each request`() async throws {
        try await withDisplay { fixture, display, owner in
            let run = Task { await fixture.services.displays.run() }
            fixture.services.displays.markSeen(display)
            #expect(try await seen(fixture, owner) == fixture.clock.now)
            let before = try fixture.sql(
                Double.self, "SELECT last_seen_at FROM displays WHERE last_seen_at > 0")
            #expect(before.isEmpty)
            run.cancel()
            await run.value
            let after = try fixture.sql(Double.self, "SELECT last_seen_at FROM displays")
            #expect(after == [fixture.clock.now.timeIntervalSince1970])
        }
    }

    @Test func `a change of name does not forget that the screen is there`() async throws {
        try await withDisplay { fixture, display, owner in
            fixture.services.displays.markSeen(display)
            try await fixture.services.displays.change(
                display.id, of: owner, name: "Hall", settings: DisplaySettings())
            #expect(try await seen(fixture, owner) == fixture.clock.now)
        }
    }

    @Test func `a new link begins anew: its screen has not been seen`() async throws {
        try await withDisplay { fixture, display, owner in
            fixture.services.displays.markSeen(display)
            try await fixture.services.displays.renewLink(display.id, of: owner)
            #expect(try await seen(fixture, owner) == nil)
        }
    }
}
