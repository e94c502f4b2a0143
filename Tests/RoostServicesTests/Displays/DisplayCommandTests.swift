import Foundation
import Testing

@testable import Market
@testable import RoostSupport

/// What screens are told, and what they say of themselves.
@Suite(.timeLimit(.minutes(2))) struct DisplayCommandTests {
    private func withDisplay(_ body: (ServicesFixture, Display, UserID) async throws -> Void) async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let (display, _) = try await fixture.services.displays.add("Kitchen", for: owner)
            try await body(fixture, display, owner)
        }
    }

    @Test func `a command waits until the screen says that it has done it`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.displays
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

    @Test func `commands come in order, and the last one that was done ends those before it`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.displays
            for kind in [DisplayCommand.Kind.identify, .reload, .identify] {
                try await displays.send(kind, to: display.id, of: owner)
            }
            let all = displays.commands(for: display, done: nil)
            #expect(all.map(\.kind) == [.identify, .reload, .identify])
            #expect(displays.commands(for: display, done: all[1].number) == [all[2]])
        }
    }

    @Test func `a command is forgotten after five minutes`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.displays
            try await displays.send(.identify, to: display.id, of: owner)
            fixture.clock.advance(299)
            #expect(displays.commands(for: display, done: nil).count == 1)
            fixture.clock.advance(1)
            #expect(displays.commands(for: display, done: nil).isEmpty)
        }
    }

    @Test func `a page that was loaded need not be told to reload`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.displays
            try await displays.send(.reload, to: display.id, of: owner)
            try await displays.send(.identify, to: display.id, of: owner)
            displays.noteLoad(of: display)
            #expect(displays.commands(for: display, done: nil).map(\.kind) == [.identify])
        }
    }

    @Test func `no more than eight commands wait, the latest ones`() async throws {
        try await withDisplay { fixture, display, owner in
            let displays = fixture.services.displays
            for _ in 1...9 { try await displays.send(.identify, to: display.id, of: owner) }
            try await displays.send(.reload, to: display.id, of: owner)
            let waiting = displays.commands(for: display, done: nil)
            #expect(waiting.count == 8)
            #expect(waiting.last?.kind == .reload)
        }
    }

    private static let report = ScreenReport(version: "1.0-abc", address: "192.168.1.31", reloads: 3)

    @Test func `what a screen says of itself is told at once, and survives a restart`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let owner = try await first.services.owner().userId
            let displays = first.services.displays
            let display = try await displays.add("Kitchen", for: owner).display
            let run = Task { await displays.run() }
            displays.markSeen(display, screen: Self.report)
            displays.markSeen(display)
            #expect(try await displays.display(display.id, of: owner).screen == Self.report)
            run.cancel()
            await run.value
            try first.end()
            let second = try ServicesFixture(in: folder)
            #expect(try await second.services.displays.display(display.id, of: owner).screen == Self.report)
            try second.end()
        }
    }

    @Test func `a screen that says something else of itself is news, and one that says the same is not`()
        async throws
    {
        try await withDisplay { fixture, display, owner in
            let version = { fixture.services.feed.version(of: [Topic.displays(owner)]) }
            let displays = fixture.services.displays
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
