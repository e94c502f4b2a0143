import Foundation
import Synchronization
import Testing

@testable import GitHub

/// Connecting beside the other requests of the same person.
@Suite struct GitHubConnectQueueTests {
    /// How many requests were on their way at once.
    private final class Flight: Sendable {
        private let counts = Mutex((now: 0, maximum: 0))
        var maximum: Int { counts.withLock { $0.maximum } }

        func during<Value>(_ work: () -> Value) -> Value {
            counts.withLock { ($0.now, $0.maximum) = ($0.now + 1, max($0.maximum, $0.now + 1)) }
            defer { counts.withLock { $0.now -= 1 } }
            // Long enough for the others to come, if they do.
            usleep(30_000)
            return work()
        }
    }

    @Test func `several connects of one user ask one after the other`() async throws {
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

    @Test func `a connect waits for the request of an account that it may replace`() async throws {
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
            let asked = github.requests(to: "/api/v3/user").count
            let again = Task { try await github.connect() }
            try await wait(for: "the connect in the queue") { session.waiting == 1 }
            #expect(github.requests(to: "/api/v3/user").count == asked)
            gate.open()
            try await slow.value
            let same = try await again.value
            #expect(same.id == account.id && github.requests(to: "/api/v3/user").count == asked + 1)
        }
    }

    @Test func `an account without a token lacks no scopes`() {
        var account = GitHubAccount(
            id: 1, userId: 1, host: "github.com", login: "octocat", state: .unauthenticated,
            connectedAt: TestClock.start, error: .unauthorized)
        #expect(account.missingScopes.isEmpty)
        account.state = .authenticated
        #expect(account.missingScopes == ["repo", "read:org"])
    }
}
