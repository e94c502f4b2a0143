import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostSupport

/// Every transition between the states of authentication: restarts, outages and refusals.
@Suite struct GitHubAuthenticationTests {
    @Test func `after a start an account is authenticating until GitHub confirms its user`() async throws {
        try await withGitHub { github in
            let before = try await github.connect()
            let requestCount = github.upstream.requests.count
            try await github.restarted { github, _ in
                #expect(github.upstream.requests.count == requestCount)
                var account = try #require(github.account(before.id))
                #expect(account.state == .authenticating)
                #expect(account.user == nil)
                #expect(account.error == nil)
                #expect(account.scopes == ["repo", "read:org"])
                #expect(account.connectedAt == before.connectedAt)
                #expect(github.accounts.session(of: account.id) == nil)
                // Without the account GitHub would answer 404 for private repositories.
                let client = github.accounts.client(for: github.ada)
                #expect(client !== github.accounts.shared)
                await github.accounts.refreshDue()
                #expect(github.accounts.client(for: github.ada) === client)
                account = try #require(github.account(before.id))
                #expect(account == before)
                #expect(github.accounts.session(of: account.id)?.login == "octocat")
            }
        }
    }

    @Test func `without a network the account stays, reports the error, and is retried with back-off`()
        async throws
    {
        try await withGitHub { github in
            let id = try await github.connect().id
            try await github.restarted { github, log in
                github.script.set("/api/v3/user") { _ in .init(hangsUp: true) }
                await github.accounts.refreshDue()
                #expect(github.account(id)?.state == .authenticating)
                #expect(github.account(id)?.error == .interrupted)
                let requestCount = github.upstream.requests.count
                github.clock.advance(3)
                await github.accounts.refreshDue()
                #expect(github.upstream.requests.count == requestCount)
                github.clock.advance(4)
                await github.accounts.refreshDue()
                #expect(github.upstream.requests.count > requestCount)
                github.clock.advance(7)
                let second = github.upstream.requests.count
                await github.accounts.refreshDue()
                #expect(github.upstream.requests.count == second)
                github.script.set("/api/v3/user", nil)
                github.clock.advance(6)
                await github.accounts.refreshDue()
                #expect(github.account(id)?.state == .authenticated)
                #expect(github.account(id)?.error == nil)
                #expect(log.lines.contains { $0.contains("octocat at github.com") })
            }
        }
    }

    @Test func `a click retries at once, but respects a rate limit`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            try await github.restarted { github, _ in
                github.script.set("/api/v3/user") { _ in .init(status: 503, body: "<html>") }
                await github.accounts.refreshDue()
                #expect(github.account(id)?.error == .serverError(statusCode: 503))
                github.script.set("/api/v3/user") { _ in .init(status: 429, headers: ["Retry-After: 900"]) }
                github.accounts.retry(for: github.ada)
                await github.accounts.refreshDue()
                let limit = APIError.rateLimited(resetDate: TestClock.start + 900)
                #expect(github.account(id)?.error == limit)
                let requestCount = github.upstream.requests.count
                github.accounts.retry(for: github.ada)
                await github.accounts.refreshDue()
                #expect(github.upstream.requests.count == requestCount)
                #expect(github.account(id)?.error == limit)
                #expect(github.account(id)?.state == .authenticating)
            }
        }
    }

    @Test func `a renamed login follows GitHub`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            github.script.set(GitHubFixture.token, to: .init(login: "mona", scopes: nil))
            try await github.restarted { github, _ in
                await github.accounts.refreshDue()
                #expect(github.account(id)?.login == "mona")
                #expect(github.account(id)?.isFineGrained == true)
                #expect(github.accounts.session(of: id)?.login == "mona")
                let logins = try github.fixture.sql(String.self, "SELECT login FROM github_accounts")
                #expect(logins == ["mona"])
            }
        }
    }

    @Test(arguments: [nil, Data(repeating: 7, count: 32)])
    func `with a wrong or missing secret key nothing is sent, and the account reports it`(
        other: Data?
    ) async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let (key, kept) = (github.fixture.folder + "/secret.key", github.fixture.folder + "/kept.key")
            try FileManager.default.moveItem(atPath: key, toPath: kept)
            if let other {
                _ = FileManager.default.createFile(
                    atPath: key, contents: Data(other.base64EncodedString().utf8),
                    attributes: [.posixPermissions: 0o600])
            }
            let requestCount = github.upstream.requests.count
            try await github.restarted { github, log in
                await github.accounts.refreshDue()
                #expect(github.account(id)?.state == .unauthenticated)
                #expect(github.account(id)?.error == .wrongKey)
                #expect(github.upstream.requests.count == requestCount)
                #expect(log.lines.contains { $0.contains("A GitHub account cannot be used") })
                await #expect(throws: Sealer.missingKey) { try await github.connect() }
                #expect(github.account(id)?.error == .wrongKey)
            }
            try? FileManager.default.removeItem(atPath: key)
            try FileManager.default.moveItem(atPath: kept, toPath: key)
            try await github.restarted { github, _ in
                await github.accounts.refreshDue()
                #expect(github.account(id)?.state == .authenticated)
            }
        }
    }

    @Test func `a token that the right key cannot decrypt has to be connected again`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            try github.fixture.change("UPDATE sealed_secrets SET sealed = zeroblob(60)")
            try await github.restarted { github, _ in
                #expect(github.account(id)?.error == .unreadableToken)
                try await github.connect()
                #expect(github.account(id)?.state == .authenticated)
            }
        }
    }

    @Test func `the background work authenticates automatically`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            try await github.restarted { github, _ in
                let services = github.services
                let work = Task { await services.gitHub.accounts.run() }
                try await wait(for: "GitHub's answer") { github.account(id)?.state == .authenticated }
                work.cancel()
                await work.value
            }
        }
    }

    @Test func `a host that hangs does not delay other accounts`() async throws {
        let other = GitHubScript()
        let barrier = Barrier()
        let slow = try ScriptedUpstream { request in
            if other.isAsleep.value { barrier.wait() }
            return other.answer(request)
        }
        defer { slow.stop() }
        other.set("ghp_slow", to: .init(login: "hubot"))
        try await withGitHub(enterprise: ["http://127.0.0.1:\(slow.port)"]) { github in
            try await github.accounts.connect(
                token: "ghp_slow", host: "127.0.0.1:\(slow.port)", for: github.ada)
            let id = try await github.connect().id
            other.isAsleep.set(true)
            try await github.restarted { github, _ in
                let services = github.services
                let work = Task { await services.gitHub.accounts.run() }
                try await wait(for: "the quick host's answer") { github.account(id)?.state == .authenticated }
                #expect(github.accounts.all.filter { $0.state == .authenticating }.map(\.login) == ["hubot"])
                work.cancel()
                barrier.open()
                await work.value
            }
        }
    }
}
