import Foundation
import TestSupport
import Testing

@testable import GitHub

/// What walls may show of users' inboxes.
@Suite struct TeamPullTests {
    private func team(_ fixture: PullServiceFixture) async throws -> TeamPulls {
        try await fixture.pulls.database.read { try fixture.pulls.teamPulls($0) }
    }

    private func allow(_ isAllowed: Bool, _ fixture: PullServiceFixture) async throws {
        var choices = try await fixture.pulls.settings(of: fixture.user).choices
        choices.isOnWalls = isAllowed
        try await fixture.pulls.choose(choices, for: fixture.user)
    }

    @Test func `walls show what waits for a user only while the user allows it`() async throws {
        try await withPulls { fixture in
            _ = fixture.simulateGitHub()
            await fixture.refresh()
            let turn = try await fixture.numbers("turn")
            #expect(!turn.isEmpty)
            let before = try await team(fixture)
            #expect(!before.isAllowed && before.pulls.isEmpty)
            try await allow(true, fixture)
            let shown = try await team(fixture)
            #expect(shown.isAllowed && shown.pulls.map(\.pull.number).sorted() == turn.sorted())
            #expect(shown.pulls.map(\.waitingSince) == shown.pulls.map(\.waitingSince).sorted())
            #expect(shown.pulls.allSatisfy { $0.people.count == 1 })
            try await allow(false, fixture)
            let after = try await team(fixture)
            #expect(!after.isAllowed && after.pulls.isEmpty)
        }
    }

    @Test func `a pull request that waits for two users is shown once`() async throws {
        try await withPulls { fixture in
            _ = fixture.simulateGitHub()
            fixture.accounts.connect(2, to: fixture.gitHub, for: fixture.other)
            await fixture.refresh()
            await fixture.pulls.refresh(fixture.other)
            try await allow(true, fixture)
            let alone = try await team(fixture).pulls.map(\.pull.id)
            var choices = PullPreferences()
            choices.isOnWalls = true
            try await fixture.pulls.choose(choices, for: fixture.other)
            #expect(try await team(fixture).pulls.map(\.pull.id) == alone)
        }
    }
}
