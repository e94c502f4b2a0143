import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct DisplayCommandTests {
    private func withDisplay(_ body: (ServicesFixture, Display, UserID) async throws -> Void) async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let (display, _) = try await fixture.services.market.displays.add("Kitchen", for: owner)
            try await body(fixture, display, owner)
        }
    }

    @Test func `a command is repeated until the screen confirms it`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.market.displays
            let before = fixture.services.feed.version(of: [Topic.display(display.id)])
            try await displays.send(.identify, to: display.id, of: owner)
            #expect(fixture.services.feed.version(of: [Topic.display(display.id)]) > before)
            let command = try #require(displays.commands(for: display, done: nil).first)
            #expect(command.kind == .identify && command.name == "Kitchen")
            #expect(displays.commands(for: display, done: command.number - 1) == [command])
            #expect(displays.commands(for: display, done: command.number).isEmpty)
            #expect(displays.commands(for: display, done: nil).isEmpty)
        }
    }

    @Test func `commands arrive in order, and confirming one ends all earlier ones`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.market.displays
            for kind in [DisplayCommand.Kind.identify, .reload, .identify] {
                try await displays.send(kind, to: display.id, of: owner)
            }
            let all = displays.commands(for: display, done: nil)
            #expect(all.map(\.kind) == [.identify, .reload, .identify])
            #expect(displays.commands(for: display, done: all[1].number) == [all[2]])
        }
    }

    @Test func `a command expires after five minutes`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.market.displays
            try await displays.send(.identify, to: display.id, of: owner)
            fixture.clock.advance(299)
            #expect(displays.commands(for: display, done: nil).count == 1)
            fixture.clock.advance(1)
            #expect(displays.commands(for: display, done: nil).isEmpty)
        }
    }

    @Test func `a freshly loaded page is not told to reload`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.market.displays
            try await displays.send(.reload, to: display.id, of: owner)
            try await displays.send(.identify, to: display.id, of: owner)
            displays.noteLoad(of: display)
            #expect(displays.commands(for: display, done: nil).map(\.kind) == [.identify])
        }
    }

    @Test func `at most the eight latest commands are kept`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.market.displays
            for _ in 1...9 { try await displays.send(.identify, to: display.id, of: owner) }
            try await displays.send(.reload, to: display.id, of: owner)
            let waiting = displays.commands(for: display, done: nil)
            #expect(waiting.count == 8)
            #expect(waiting.last?.kind == .reload)
        }
    }

    private static let report = ScreenReport(version: "1.0-abc", address: "192.168.1.31", reloads: 3)

    @Test func `a screen's report is published at once and survives a restart`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let owner = try await first.services.owner().userId
            let displays = first.services.market.displays
            let display = try await displays.add("Kitchen", for: owner).display
            let run = Task { await displays.run() }
            displays.markSeen(display, screen: Self.report)
            displays.markSeen(display)
            #expect(try await displays.display(display.id, of: owner).screen == Self.report)
            run.cancel()
            await run.value
            try first.end()
            let second = try ServicesFixture(in: folder)
            #expect(
                try await second.services.market.displays.display(display.id, of: owner).screen == Self.report
            )
            try second.end()
        }
    }

    @Test func `a changed report is published, and an identical one is not`()
        async throws
    {
        try await withDisplay { fixture, display, owner in
            let version = { fixture.services.feed.version(of: [Topic.displays(owner)]) }
            let displays = fixture.services.market.displays
            displays.markSeen(display, screen: Self.report)
            let first = version()
            displays.markSeen(display, screen: Self.report)
            #expect(version() == first)
            displays.markSeen(
                display, screen: ScreenReport(version: "1.0-abc", address: "192.168.1.31", reloads: 4))
            #expect(version() > first)
        }
    }
}
