import Foundation
import RoostServices
import Testing

/// The machine's clock is set while GitHub's limits, codes and checks run.
@Suite(.timeLimit(.minutes(2))) struct GitHubClockTests {
    private static let day: TimeInterval = 86_400

    @Test(arguments: [1.0, -1])
    func `a limit is waited for as long as it was, and its reset is shown by the clock`(days: Double)
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

    @Test func `by a clock two days slow a limit lasts an hour, not two days`() async throws {
        let headers = GitHubScript.budget(remaining: 0, reset: TestClock.start + 3_600)
        try await withSession({ _ in .init(headers: headers, body: "{}") }) { session, _, clock in
            clock.jump(-2 * Self.day)
            _ = try await session.get("/user")
            let until = try #require(session.blockedUntil("core"))
            #expect(until <= clock.now + RateBudget.longestWindow)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a code is good as long as GitHub said, and shown to be`(days: Double) async throws {
        try await DeviceScript.withFlow(DeviceScript.pending) { bench in
            bench.pauses.hold()
            try bench.accounts.beginDeviceFlow(for: bench.ada)
            try await wait(for: "the code") { bench.pauses.all == [5] }
            bench.clock.jump(days * Self.day)
            guard case .waiting(let code) = bench.accounts.signIn(of: bench.ada) else {
                Issue.record("The code is gone.")
                return
            }
            #expect(code.expiresAt == bench.clock.now + 900)
            bench.accounts.dismissSignIn(of: bench.ada)
        }
    }

    @Test(arguments: [1.0, -1])
    func `an account's teams are asked for every hour`(days: Double) async throws {
        try await withGitHub { bench in
            try await bench.connect()
            await bench.accounts.lookAfterDue()
            let asked = { bench.upstream.requests.count { $0.target.contains("/user/teams") } }
            let first = asked()
            bench.clock.jump(days * Self.day)
            await bench.accounts.lookAfterDue()
            #expect(asked() == first)
            bench.clock.advance(3_600)
            await bench.accounts.lookAfterDue()
            #expect(asked() == first + 1)
        }
    }
}
