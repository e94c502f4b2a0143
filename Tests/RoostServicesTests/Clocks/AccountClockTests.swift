import Foundation
import Testing

@testable import Accounts
@testable import RoostServices

/// Who is signed in, waits or holds a link when somebody sets the machine's clock.
@Suite(.timeLimit(.minutes(2))) struct AccountClockTests {
    private let day: TimeInterval = 86_400

    @Test(arguments: [1.0, -1])
    func `whoever guessed wrong waits as long as before`(days: Double) {
        let clock = TestClock()
        let throttle = SignInThrottle(clock: clock.wallClock)
        for _ in 0..<9 { throttle.failed(.stranger(account: "ada", address: "192.0.2.1")) }
        #expect(throttle.wait(.stranger(account: "ada", address: "192.0.2.1")) == 8)
        clock.jump(days * day)
        #expect(throttle.wait(.stranger(account: "ada", address: "192.0.2.1")) == 8)
        clock.advance(8)
        #expect(throttle.wait(.stranger(account: "ada", address: "192.0.2.1")) == nil)
    }

    @Test(arguments: [1.0, -1, 40, -40])
    func `sessions go on, and say truly when they were last seen`(days: Double) async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let begun = try await fixture.signIn("ada")
            #expect(fixture.isSignedIn(begun))
            fixture.clock.advance(60)
            #expect(fixture.isSignedIn(begun))
            fixture.clock.jump(days * day)
            #expect(try await fixture.services.sessions.sessions().first?.lastSeenAt == fixture.clock.now)
            try await fixture.whileRunning {}
            #expect(fixture.isSignedIn(begun))
            fixture.clock.advance(3_600)
            #expect(fixture.isSignedIn(begun))
            try await fixture.whileRunning {}
            let stored = try fixture.sql(Double.self, "SELECT last_seen_at FROM sessions")
            #expect(stored == [fixture.clock.now.timeIntervalSince1970])
        }
    }

    @Test func `a session seen by a clock that was years ahead ends after thirty days all the same`()
        async throws
    {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await first.services.prepare()
            try await first.add("ada", .owner)
            first.clock.jump(3_650 * day)
            let begun = try await first.signIn("ada")
            try first.end()
            let second = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await second.services.prepare()
            try await second.whileRunning {}
            second.clock.advance(30 * day + 1)
            #expect(!second.isSignedIn(begun))
            try second.end()
        }
    }

    @Test(arguments: [1.0, 2, -1])
    func `a link to a new password lasts its day`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let resets = fixture.services.resets
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
    func `and no more than a day after the clock was set`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let code = "\(try await fixture.services.resets.makeLink(for: grace.userId, by: ada))"
            fixture.clock.jump(days * day)
            try await fixture.whileRunning {}
            fixture.clock.advance(day + 1)
            let late = await refusal {
                _ = try await fixture.services.resets.user(of: code, from: Cast.phone)
            }
            #expect(late?.isNotFound == true)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a join link lasts its days, and lets people in meanwhile`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let invitations = fixture.services.invitations
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
    func `a token lasts its days, and says truly when it was used`(days: Double) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let tokens = fixture.services.tokens
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
    func `the setup code stays the one that was printed`(days: Double) async throws {
        try await withAccounts { fixture in
            let code = try #require(fixture.services.invitations.setupCode)
            fixture.clock.jump(days * day)
            let ada = try await fixture.services.invitations.setUp(
                code: "\(code)", Profile(username: "ada"), password: Cast.password, from: Cast.desk)
            #expect(ada.role == .owner)
        }
    }
}
