import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GitHub

@Suite struct GitHubConnectQueueTests {
    /// Counts requests that run at the same time.
    private final class Flight: Sendable {
        private let counts = Mutex((now: 0, maximum: 0))
        var maximum: Int { counts.withLock { $0.maximum } }

        func during<Value>(_ work: () -> Value) -> Value {
            counts.withLock { ($0.now, $0.maximum) = ($0.now + 1, max($0.maximum, $0.now + 1)) }
            defer { counts.withLock { $0.now -= 1 } }
            // Long enough for concurrent requests to arrive, if there are any.
            usleep(30_000)
            return work()
        }
    }

    @Test func `several connects of one user run one after the other`() async throws {
        try await withGitHub { github in
            let flight = Flight()
            github.script.set("/api/v3/user") { request in
                flight.during {
                    let login = request.headers["authorization"]?.suffix(1) ?? ""
                    return GitHubScript.json(#"{"login":"octo\#(login)"}"#)
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...4 {
                    group.addTask {
                        _ = try await github.accounts.connect(
                            token: "ghp_octocat\(number)", host: nil, for: github.ada)
                    }
                }
                try await group.waitForAll()
            }
            #expect(flight.maximum == 1 && github.accounts.accounts(of: github.ada).count == 4)
        }
    }

    @Test func `a connect waits for a running request of the account that it may replace`() async throws {
        try await withGitHub { github in
            let account = try await github.connect()
            let session = try #require(github.accounts.session(of: account.id))
            let gate = Barrier()
            github.script.set("/api/v3/slow") { _ in
                gate.wait()
                return GitHubScript.json("{}")
            }
            let slow = Task { _ = try await session.get("/slow") }
            try await wait(for: "the request") { !github.requests(to: "/api/v3/slow").isEmpty }
            let requestCount = github.requests(to: "/api/v3/user").count
            let second = Task { try await github.connect() }
            try await wait(for: "the connect in the queue") { session.waiting == 1 }
            #expect(github.requests(to: "/api/v3/user").count == requestCount)
            gate.open()
            try await slow.value
            let same = try await second.value
            #expect(same.id == account.id && github.requests(to: "/api/v3/user").count == requestCount + 1)
        }
    }

    @Test func `an account without a token reports no missing scopes`() {
        var account = GitHubAccount(
            id: 1, userId: 1, host: "github.com", login: "octocat", state: .unauthenticated,
            connectedAt: TestClock.start, error: .unauthorized)
        #expect(account.missingScopes.isEmpty)
        account.state = .authenticated
        #expect(account.missingScopes == ["repo", "read:org"])
    }
}
