import Foundation
import TestSupport
import Testing

@testable import GitHub

/// The machine's clock is set while GitHub's limits, codes and checks are active.
@Suite(.timeLimit(.minutes(2))) struct GitHubClockTests {
    private static let day: TimeInterval = 86_400

    @Test(arguments: [1.0, -1])
    func `a limit lasts as long as GitHub said, and its reset time follows the clock`(days: Double)
        async throws
    {
        let headers = GitHubScript.budget(remaining: 0, reset: TestClock.start + 3_600)
        try await withSession({ _ in .init(headers: headers, body: "{}") }) { session, upstream, clock in
            _ = try await session.get("/user")
            clock.jump(days * Self.day)
            #expect(session.blockedUntil("core") == clock.now + 3_600)
            #expect(session.budgets["core"]?.resetAt == clock.now + 3_600)
            clock.advance(3_599)
            await #expect(throws: GitHubFailure.self) { try await session.get("/user") }
            clock.advance(1)
            _ = try await session.get("/user")
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func `with a clock that is two days slow a limit lasts an hour, not two days`() async throws {
        let headers = GitHubScript.budget(remaining: 0, reset: TestClock.start + 3_600)
        try await withSession({ _ in .init(headers: headers, body: "{}") }) { session, _, clock in
            clock.jump(-2 * Self.day)
            _ = try await session.get("/user")
            let until = try #require(session.blockedUntil("core"))
            #expect(until <= clock.now + RateBudget.maximumWindow)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a sign-in code is valid and shown for as long as GitHub said`(days: Double) async throws {
        try await DeviceScript.withFlow(DeviceScript.pending) { fixture in
            fixture.pauses.hold()
            try fixture.accounts.beginDeviceFlow(for: fixture.ada)
            try await wait(for: "the code") { fixture.pauses.all == [5] }
            fixture.clock.jump(days * Self.day)
            guard case .waiting(let code) = fixture.accounts.signIn(of: fixture.ada) else {
                Issue.record("The code is gone.")
                return
            }
            #expect(code.expiresAt == fixture.clock.now + 900)
            fixture.accounts.dismissSignIn(of: fixture.ada)
        }
    }

    @Test(arguments: [1.0, -1])
    func `an account's teams are fetched every hour`(days: Double) async throws {
        try await withGitHub { fixture in
            try await fixture.connect()
            await fixture.accounts.refreshDue()
            let asked = { fixture.upstream.requests.count { $0.target.contains("/user/teams") } }
            let first = asked()
            fixture.clock.jump(days * Self.day)
            await fixture.accounts.refreshDue()
            #expect(asked() == first)
            fixture.clock.advance(3_600)
            await fixture.accounts.refreshDue()
            #expect(asked() == first + 1)
        }
    }
}
