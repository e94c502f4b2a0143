import Foundation
import TestSupport
import Testing

@testable import GitHub

/// GitHub rejects a token: the account is disconnected at once, and says so until it is connected again.
@Suite struct GitHubExpiryTests {
    @Test func `a 401 at the start disconnects`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            github.script.set(GitHubFixture.token, to: nil)
            try await github.restarted { github, _ in
                await github.accounts.refreshDue()
                try expectExpired(id, github)
            }
        }
    }

    @Test func `a 401 during a request disconnects at once and deletes the token`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let session = try #require(github.accounts.session(of: id))
            github.script.set("/api/graphql") { _ in GitHubScript.badCredentials }
            let failure = try await failure { _ = try await session.graphQL(query: "{}", variables: [:]) }
            #expect(failure?.error == .unauthorized)
            #expect(
                failure?.error.message(source: "GitHub") == "Your session has expired. Please log in again.")
            try expectExpired(id, github)
            try await github.restarted { github, _ in
                try expectExpired(id, github)
                let requestCount = github.upstream.requests.count
                await github.accounts.refreshDue()
                #expect(github.upstream.requests.count == requestCount)
            }
        }
    }

    @Test func `a 401 to a cancelled request still deletes the token`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let session = try #require(github.accounts.session(of: id))
            let task = Shared<Task<Void, any Error>?>(nil)
            // The request is cancelled while its answer is on the way: the answer arrives before the task notices.
            let work = Task { _ = try await session.get("/gone") }
            task.set(work)
            github.script.set("/api/v3/gone") { _ in GitHubScript.badCredentials }
            _ = try? await work.value
            work.cancel()
            try await wait(for: "the disconnection") { github.account(id)?.state == .unauthenticated }
            try await wait(for: "the token's deletion") {
                try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [0]
            }
        }
    }

    @Test func `an expired account can be connected again under the same id`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            github.script.set(GitHubFixture.token, to: nil)
            _ = try? await github.accounts.session(of: id)?.get("/user")
            let reconnected = try await github.connect("ghp_fresh")
            #expect(reconnected.id == id)
            #expect(reconnected.state == .authenticated)
            #expect(reconnected.error == nil)
            #expect(github.accounts.session(of: id) != nil)
        }
    }

    @Test func `the late 401 of a replaced token does not affect the new one`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let old = try #require(github.accounts.session(of: id))
            let barrier = Barrier()
            github.script.set("/api/v3/slow") { _ in
                barrier.wait()
                return GitHubScript.badCredentials
            }
            let waiting = Task { try await failure { _ = try await old.get("/slow") } }
            try await wait(for: "the request") { !github.requests(to: "/api/v3/slow").isEmpty }
            try await github.connect("ghp_fresh")
            barrier.open()
            #expect(try await waiting.value?.error == .unauthorized)
            #expect(github.account(id)?.state == .authenticated)
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [1])
        }
    }

    @Test func `a 401 while the account is being reconnected does not delete the new token`() async throws {
        let (barrier, blocks, isHeld) = (Barrier(), Shared(false), Shared(false))
        let trace: @Sendable (String) -> Void = { statement in
            guard blocks.value, statement.hasPrefix("INSERT INTO sealed_secrets") else { return }
            isHeld.set(true)
            barrier.wait()
        }
        try await withGitHub(trace: trace) { github in
            let id = try await github.connect().id
            let old = try #require(github.accounts.session(of: id))
            github.script.set("/api/v3/gone") { _ in GitHubScript.badCredentials }
            blocks.set(true)
            let renewal = Task { try await github.connect("ghp_fresh") }
            try await wait(for: "the write") { isHeld.value }
            let waiting = Task { try await failure { _ = try await old.get("/gone") } }
            try await wait(for: "the disconnection") { github.account(id)?.state == .unauthenticated }
            barrier.open()
            #expect(try await renewal.value.state == .authenticated)
            #expect(try await waiting.value?.error == .unauthorized)
            #expect(github.account(id)?.state == .authenticated)
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [1])
        }
    }

    private func expectExpired(_ id: GitHubAccountID, _ github: GitHubFixture) throws {
        let account = try #require(github.account(id))
        #expect(account.state == .unauthenticated)
        #expect(account.error == .unauthorized)
        #expect(github.accounts.session(of: id) == nil)
        #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [0])
        #expect(try github.fixture.sql(String.self, "SELECT login FROM github_accounts") == ["octocat"])
    }
}
