import Foundation
import RoostServices
import Testing

/// When a screen was last seen.
@Suite(.timeLimit(.minutes(2))) struct DisplaySightTests {
    private func withDisplay(_ body: (ServicesBench, Display, UserID) async throws -> Void) async throws {
        try await withServices { bench in
            let owner = try await bench.services.owner().userId
            let (display, _) = try await bench.services.displays.add("Kitchen", for: owner)
            try await body(bench, display, owner)
        }
    }

    private func seen(_ bench: ServicesBench, _ owner: UserID) -> Date? {
        bench.services.displays.displays(of: owner).first?.lastSeenAt
    }

    @Test func `each request of a screen is noted, its arrival alone is told`() async throws {
        try await withDisplay { bench, display, owner in
            let version = { bench.services.feed.version(of: [Topic.displays(owner)]) }
            let before = version()
            bench.services.displays.saw(display.id)
            let arrived = version()
            #expect(arrived > before)
            for _ in 0..<5 {
                bench.clock.advance(30)
                bench.services.displays.saw(display.id)
            }
            #expect(version() == arrived)
            #expect(seen(bench, owner) == bench.clock.now)
            bench.clock.advance(DisplayService.presence + 1)
            bench.services.displays.saw(display.id)
            #expect(version() > arrived)
        }
    }

    @Test func `a display that does not exist is not seen`() async throws {
        try await withDisplay { bench, display, owner in
            bench.services.displays.saw(display.id + 1)
            #expect(seen(bench, owner) == nil)
        }
    }

    @Test func `the last sight is written down at the end, and not at each request`() async throws {
        try await withDisplay { bench, display, owner in
            let run = Task { await bench.services.displays.run() }
            bench.services.displays.saw(display.id)
            #expect(seen(bench, owner) == bench.clock.now)
            let before = try bench.sql(
                Double.self, "SELECT last_seen_at FROM displays WHERE last_seen_at > 0")
            #expect(before.isEmpty)
            run.cancel()
            await run.value
            let after = try bench.sql(Double.self, "SELECT last_seen_at FROM displays")
            #expect(after == [bench.clock.now.timeIntervalSince1970])
        }
    }

    @Test func `a change of name does not forget that the screen is there`() async throws {
        try await withDisplay { bench, display, owner in
            bench.services.displays.saw(display.id)
            try await bench.services.displays.change(
                display.id, of: owner, name: "Hall", secondsPerPage: 20, redIsUp: false)
            #expect(seen(bench, owner) == bench.clock.now)
        }
    }

    @Test func `a new link begins anew: its screen has not been seen`() async throws {
        try await withDisplay { bench, display, owner in
            bench.services.displays.saw(display.id)
            try await bench.services.displays.renewLink(display.id, of: owner)
            #expect(seen(bench, owner) == nil)
        }
    }
}
