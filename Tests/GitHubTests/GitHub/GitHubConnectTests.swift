import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct GitHubConnectTests {
    private static let newer = "github_pat_11AAAANewerToken"

    @Test func `a token connects its account`() async throws {
        try await withGitHub { github in
            #expect(github.accounts.accounts(of: github.ada).isEmpty)
            let account = try await github.connect()
            #expect(account.host == "github.com")
            #expect(account.login == "octocat")
            #expect(account.state == .authenticated)
            #expect(account.user?.name == "Octocat")
            #expect(account.scopes == ["repo", "read:org"])
            #expect(!account.isFineGrained)
            #expect(account.missingScopes.isEmpty)
            #expect(account.connectedAt == TestClock.start)
            #expect(github.accounts.accounts(of: github.ada) == [account])
            #expect(github.accounts.all == [account])
            #expect(github.accounts.session(of: account.id)?.login == "octocat")
            #expect(github.accounts.session(of: account.id)?.budgets["core"]?.remaining == 4_990)
        }
    }

    @Test(
        arguments: [
            (nil, true, []), ("", false, ["repo", "read:org"]),
            ("public_repo,  gist", false, ["repo", "read:org"]),
            ("repo,admin:org", false, []), ("repo", false, ["read:org"]),
        ] as [(String?, Bool, [String])])
    func `the token's scopes are stored, and missing ones reported`(
        scopes: String?, isFineGrained: Bool, missing: [String]
    ) async throws {
        try await withGitHub { github in
            github.script.set(GitHubFixture.token, to: .init(login: "octocat", scopes: scopes))
            let account = try await github.accounts.connect(
                token: " \(GitHubFixture.token)\n", host: "GitHub.com", for: github.ada)
            #expect(account.isFineGrained == isFineGrained)
            #expect(account.missingScopes == missing)
        }
    }

    @Test func `connecting the same login again replaces the token and keeps the account's id`() async throws
    {
        try await withGitHub { github in
            let first = try await github.connect()
            let old = try #require(github.accounts.session(of: first.id))
            github.clock.advance(60)
            let second = try await github.connect(Self.newer, as: "OctoCat")
            #expect(second.id == first.id)
            #expect(github.accounts.all == [second])
            #expect(second.connectedAt == TestClock.start + 60)
            let failure = try await failure { _ = try await old.get("/user") }
            #expect(failure?.error == .unauthorized)
            _ = try await github.accounts.session(of: first.id)?.get("/user")
            #expect(github.upstream.requests.last?.headers["authorization"] == "Bearer \(Self.newer)")
            #expect(github.account(first.id)?.state == .authenticated)
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [1])
        }
    }

    @Test func `a wait that GitHub asked for also applies to the new token`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            github.script.set("/api/v3/x") { _ in .init(status: 429, headers: ["Retry-After: 900"]) }
            _ = try? await github.accounts.session(of: id)?.get("/x")
            try await github.connect(Self.newer)
            #expect(github.accounts.session(of: id)?.blockedUntil("graphql") == TestClock.start + 900)
        }
    }

    @Test func `accounts on several hosts are listed in the order in which they were connected`() async throws
    {
        let other = GitHubScript()
        let enterprise = try ScriptedUpstream(other.answer)
        defer { enterprise.stop() }
        other.set("ghp_enterprise", to: .init(login: "octocat"))
        try await withGitHub(enterprise: ["http://127.0.0.1:\(enterprise.port)"]) { github in
            try await github.connect()
            try await github.connect("ghp_second", as: "hubot")
            let host = "127.0.0.1:\(enterprise.port)"
            try await github.accounts.connect(token: "ghp_enterprise", host: host, for: github.ada)
            let grace = try await github.fixture.add("grace").userId
            try await github.accounts.connect(token: GitHubFixture.token, host: nil, for: grace)
            let names = github.accounts.accounts(of: github.ada).map { "\($0.login) \($0.host)" }
            #expect(names == ["octocat github.com", "hubot github.com", "octocat \(host)"])
            #expect(github.accounts.accounts(of: grace).count == 1)
            #expect(github.accounts.all.count == 4)
        }
    }

    @Test(arguments: ["", "   ", "two words", "ghp_\u{7}x", "ghp_ä", String(repeating: "x", count: 513)])
    func `text that cannot be a token is refused without asking GitHub`(token: String) async throws {
        try await withGitHub { github in
            let refusal = await refusal {
                _ = try await github.accounts.connect(token: token, host: nil, for: github.ada)
            }
            #expect(refusal?.field == "token")
            #expect(github.upstream.requests.isEmpty)
        }
    }

    @Test(
        arguments: [
            (GitHubScript.badCredentials, "token"), (.init(status: 403, body: "{}"), "token"),
            (.init(status: 404, body: "{}"), nil), (.init(status: 500), nil), (.init(status: 429), nil),
            (.init(hangsUp: true), nil), (.init(body: "<html>"), nil), (.init(body: "[]"), nil),
            (.init(body: #"{"login":7}"#), nil), (.init(body: #"{"login":"a<script>"}"#), nil),
            (.init(body: #"{"login":""}"#), nil), (.init(body: String(repeating: "[", count: 100_000)), nil),
        ] as [(ScriptedUpstream.Response, String?)])
    func `a token that GitHub refuses, or an unreachable GitHub, connects nothing`(
        answer: ScriptedUpstream.Response, field: String?
    ) async throws {
        try await withGitHub { github in
            github.script.set("/api/v3/user") { _ in answer }
            let refusal = try #require(
                await refusal {
                    _ = try await github.accounts.connect(
                        token: GitHubFixture.token, host: nil, for: github.ada)
                })
            #expect(refusal.field == field)
            if field == nil, case .unavailable = refusal {} else { #expect(field != nil) }
            #expect(!refusal.message.contains(GitHubFixture.token))
            #expect(github.accounts.all.isEmpty)
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [0])
        }
    }

    @Test func `a forged avatar address is dropped`() async throws {
        try await withGitHub { github in
            github.script.set("/api/v3/user") { _ in
                .init(body: #"{"login":"octocat","name":"  ","avatar_url":"javascript:alert(1)"}"#)
            }
            let account = try await github.connect()
            #expect(account.user == (try AuthenticatedUser(login: "octocat")))
            #expect(account.user?.avatarURL == nil)
        }
    }

    @Test func `at most twenty accounts can be connected, and one of them can be renewed`() async throws {
        try await withGitHub { github in
            for number in 1...20 { try await github.connect("ghp_\(number)", as: "octocat\(number)") }
            let refusal = await refusal { try await github.connect("ghp_21", as: "octocat21") }
            #expect(refusal?.field == "token")
            try await github.connect("ghp_new", as: "octocat7")
            #expect(github.accounts.accounts(of: github.ada).count == 20)
            let grace = try await github.fixture.add("grace").userId
            try await github.accounts.connect(token: "ghp_1", host: nil, for: grace)
        }
    }

    @Test func `an account is not saved if its user no longer exists`() async throws {
        try await withGitHub { github in
            github.script.set(GitHubFixture.token, to: .init(login: "octocat"))
            await #expect(throws: RoostError.notFound("There is no such user.")) {
                try await github.accounts.connect(token: GitHubFixture.token, host: nil, for: 99)
            }
            #expect(github.accounts.all.isEmpty)
        }
    }

    @Test func `an account whose token cannot be stored is not connected`() async throws {
        try await withGitHub { github in
            try github.fixture.change(
                """
                CREATE TRIGGER refusal BEFORE INSERT ON sealed_secrets BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
            let refused = await refusal { _ = try await github.connect() }
            #expect(refused == .unavailable("Couldn’t save. Please try again."))
            #expect(github.accounts.all.isEmpty)
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM github_accounts") == [0])
        }
    }

    @Test func `disconnecting deletes account, token and session, for the user's own accounts only`()
        async throws
    {
        try await withGitHub { github in
            let account = try await github.connect()
            let session = try #require(github.accounts.session(of: account.id))
            let grace = try await github.fixture.add("grace").userId
            let foreign = await refusal { try await github.accounts.disconnect(account.id, of: grace) }
            #expect(foreign?.isNotFound == true)
            try await github.accounts.disconnect(account.id, of: github.ada, from: Cast.desk)
            #expect(github.accounts.all.isEmpty)
            #expect(github.accounts.session(of: account.id) == nil)
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM github_accounts") == [0])
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [0])
            let requestCount = github.upstream.requests.count
            #expect(try await failure { _ = try await session.get("/user") }?.error == .unauthorized)
            #expect(github.upstream.requests.count == requestCount)
            let again = await refusal { try await github.accounts.disconnect(account.id, of: github.ada) }
            #expect(again?.isNotFound == true)
        }
    }

    @Test func `deleting a user deletes their accounts and tokens`() async throws {
        try await withGitHub { github in
            let grace = try await github.fixture.add("grace")
            github.script.set(GitHubFixture.token, to: .init(login: "octocat"))
            let account = try await github.accounts.connect(
                token: GitHubFixture.token, host: nil, for: grace.userId)
            let session = try #require(github.accounts.session(of: account.id))
            try await github.fixture.services.identity.accounts.remove(grace.userId, by: nil, from: Cast.desk)
            #expect(github.accounts.all.isEmpty)
            #expect(try await failure { _ = try await session.get("/user") }?.error == .unauthorized)
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM github_accounts") == [0])
            #expect(try github.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [0])
        }
    }

    @Test func `connecting and disconnecting are in the audit log, without the token`() async throws {
        try await withGitHub { github in
            let account = try await github.connect()
            #expect(
                try await github.fixture.newest() == "gitHubConnected ada> 192.168.1.7 octocat at github.com")
            try await github.accounts.disconnect(account.id, of: github.ada, from: Cast.phone)
            #expect(
                try await github.fixture.newest()
                    == "gitHubDisconnected ada> 192.168.1.8 octocat at github.com"
            )
            let again = try await github.connect()
            github.script.set(GitHubFixture.token, to: nil)
            _ = try? await github.accounts.session(of: again.id)?.get("/user")
            #expect(
                try await github.fixture.newest() == "gitHubExpired >ada github.com octocat at github.com")
        }
    }

    @Test func `every change is published to pages and listeners`() async throws {
        try await withGitHub { github in
            let notifications = Shared(0)
            let ada = github.ada
            github.accounts.listen { user in if user == ada { notifications.set(notifications.value + 1) } }
            func expectNews(_ work: () async throws -> Void) async throws {
                let (version, before) = (github.version, notifications.value)
                try await work()
                #expect(github.version > version)
                #expect(notifications.value > before)
            }
            try await expectNews { try await github.connect() }
            try await expectNews { try await github.connect(Self.newer) }
            try await expectNews {
                github.script.set(Self.newer, to: nil)
                _ = try? await github.accounts.session(of: 1)?.get("/user")
            }
            try await expectNews { try await github.accounts.disconnect(1, of: ada) }
        }
    }
}

extension GitHubFixture {
    /// The version of the topic that pages with ada's accounts watch.
    var version: Int { fixture.services.feed.version(of: [Topic.github(ada)]) }
}
