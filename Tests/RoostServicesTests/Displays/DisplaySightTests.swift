import Foundation
import RoostServices
import Testing

/// When a screen was last seen.
@Suite(.timeLimit(.minutes(2))) struct DisplaySightTests {
    private func withDisplay(_ body: (ServicesFixture, Display, UserID) async throws -> Void) async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let (display, _) = try await fixture.services.displays.add("Kitchen", for: owner)
            try await body(fixture, display, owner)
        }
    }

    private func seen(_ fixture: ServicesFixture, _ owner: UserID) -> Date? {
        fixture.services.displays.displays(of: owner).first?.lastSeenAt
    }

    @Test func `each request of a screen is noted, its arrival alone is told`() async throws {
        try await withDisplay { fixture, display, owner in
            let version = { fixture.services.feed.version(of: [Topic.displays(owner)]) }
            let before = version()
            fixture.services.displays.markSeen(display.id)
            let arrived = version()
            #expect(arrived > before)
            for _ in 0..<5 {
                fixture.clock.advance(30)
                fixture.services.displays.markSeen(display.id)
            }
            #expect(version() == arrived)
            #expect(seen(fixture, owner) == fixture.clock.now)
            fixture.clock.advance(DisplayService.presence + 1)
            fixture.services.displays.markSeen(display.id)
            #expect(version() > arrived)
        }
    }

    @Test func `a display that does not exist is not seen`() async throws {
        try await withDisplay { fixture, display, owner in
            fixture.services.displays.markSeen(display.id + 1)
            #expect(seen(fixture, owner) == nil)
        }
    }

    @Test func `the last sight is written down at the end, and not at each request`() async throws {
        try await withDisplay { fixture, display, owner in
            let run = Task { await fixture.services.displays.run() }
            fixture.services.displays.markSeen(display.id)
            #expect(seen(fixture, owner) == fixture.clock.now)
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
            fixture.services.displays.markSeen(display.id)
            try await fixture.services.displays.change(
                display.id, of: owner, name: "Hall", secondsPerPage: 20, redIsUp: false)
            #expect(seen(fixture, owner) == fixture.clock.now)
        }
    }

    @Test func `a new link begins anew: its screen has not been seen`() async throws {
        try await withDisplay { fixture, display, owner in
            fixture.services.displays.markSeen(display.id)
            try await fixture.services.displays.renewLink(display.id, of: owner)
            #expect(seen(fixture, owner) == nil)
        }
    }
}
