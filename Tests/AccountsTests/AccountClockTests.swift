import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices

/// The machine's clock is set while sessions, waits and links are active.
@Suite(.timeLimit(.minutes(2))) struct AccountClockTests {
    private let day: TimeInterval = 86_400

    @Test(arguments: [1.0, -1])
    func `a clock change does not alter the wait after wrong passwords`(days: Double) {
        let clock = TestClock()
        let throttle = SignInThrottle(clock: clock.wallClock)
        for _ in 0..<9 { throttle.failed(.anonymous(account: "ada", address: "192.0.2.1")) }
        #expect(throttle.wait(.anonymous(account: "ada", address: "192.0.2.1")) == 8)
        clock.jump(days * day)
        #expect(throttle.wait(.anonymous(account: "ada", address: "192.0.2.1")) == 8)
        clock.advance(8)
        #expect(throttle.wait(.anonymous(account: "ada", address: "192.0.2.1")) == nil)
    }

    @Test(arguments: [1.0, -1, 40, -40])
    func `a clock change ends no session, and last-seen times stay correct`(days: Double) async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let newSession = try await fixture.signIn("ada")
            #expect(fixture.isSignedIn(newSession))
            fixture.clock.advance(60)
            #expect(fixture.isSignedIn(newSession))
            fixture.clock.jump(days * day)
            #expect(
                try await fixture.services.identity.sessions.sessions().first?.lastSeenAt == fixture.clock.now
            )
            try await fixture.whileRunning {}
            #expect(fixture.isSignedIn(newSession))
            fixture.clock.advance(3_600)
            #expect(fixture.isSignedIn(newSession))
            try await fixture.whileRunning {}
            let stored = try fixture.sql(Double.self, "SELECT last_seen_at FROM sessions")
            #expect(stored == [fixture.clock.now.timeIntervalSince1970])
        }
    }

    @Test func `a session last seen by a clock years ahead still ends after thirty days`()
        async throws
    {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await first.services.load()
            try await first.add("ada", .owner)
            first.clock.jump(3_650 * day)
            let newSession = try await first.signIn("ada")
            try first.end()
            let second = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await second.services.load()
            try await second.whileRunning {}
            second.clock.advance(30 * day + 1)
            #expect(!second.isSignedIn(newSession))
            try second.end()
        }
    }

    @Test(arguments: [1.0, 2, -1])
    func `a reset link stays valid for a day after a clock change`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let resets = fixture.services.identity.resets
            let code = "\(try await resets.makeLink(for: grace.userId, by: ada))"
            fixture.clock.jump(days * day)
            try await fixture.whileRunning {}
            #expect(try await resets.user(of: code, from: Cast.phone) == grace)
            fixture.clock.advance(day - 1)
            #expect(try await resets.user(of: code, from: Cast.phone) == grace)
            _ = try await resets.reset(code: code, password: Cast.otherPassword, from: Cast.phone)
            #expect(try await fixture.signIn("grace", Cast.otherPassword).user.userId == grace.userId)
        }
    }

    @Test(arguments: [1.0, -1, -3_650])
    func `a reset link expires a day after the clock was set`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let code = "\(try await fixture.services.identity.resets.makeLink(for: grace.userId, by: ada))"
            fixture.clock.jump(days * day)
            try await fixture.whileRunning {}
            fixture.clock.advance(day + 1)
            let late = await refusal {
                _ = try await fixture.services.identity.resets.user(of: code, from: Cast.phone)
            }
            #expect(late?.isNotFound == true)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a join link stays valid until its expiry date after a clock change`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let invitations = fixture.services.identity.invitations
            let code = try await invitations.invite(note: "", days: 1, uses: 2, by: ada, from: Cast.desk).code
            fixture.clock.jump(days * day)
            try await fixture.whileRunning {}
            let listed = try #require(try await invitations.links().first)
            #expect(listed.link.state(at: fixture.clock.now) == .open)
            let grace = try await invitations.join(
                code: "\(code)", Profile(username: "grace"), password: Cast.password, from: Cast.phone)
            #expect(grace.joinedWith == listed.link.id)
            fixture.clock.advance(day + 1)
            let late = await refusal { _ = try await invitations.openLink("\(code)", from: Cast.phone) }
            #expect(late?.isNotFound == true)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a token keeps its expiry and last-used time after a clock change`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let tokens = fixture.services.identity.tokens
            let token = try await tokens.make(.init(scope: .read, days: 1), for: ada).token
            #expect(tokens.bearer(of: token) != nil)
            fixture.clock.jump(days * day)
            try await fixture.whileRunning {}
            #expect(try await tokens.tokens().first?.lastUsedAt == fixture.clock.now)
            #expect(tokens.bearer(of: token) != nil)
            fixture.clock.advance(day + 1)
            #expect(tokens.bearer(of: token) == nil)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a clock change does not replace the printed setup code`(days: Double) async throws {
        try await withAccounts { fixture in
            let code = try #require(fixture.services.identity.invitations.setupCode)
            fixture.clock.jump(days * day)
            let ada = try await fixture.services.identity.invitations.setUp(
                code: "\(code)", Profile(username: "ada"), password: Cast.password, from: Cast.desk)
            #expect(ada.role == .owner)
        }
    }
}
