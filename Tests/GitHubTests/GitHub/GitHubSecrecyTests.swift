import Foundation
import Logging
import TestSupport
import Testing

@testable import GitHub

/// The token appears only in requests to its host, and encrypted on the disk.
@Suite struct GitHubSecrecyTests {
    private static let secret = "aVerySecretOfTheApp"

    /// The text itself, and the same in common encodings.
    private static func traces(of text: String) -> [String] {
        [
            text, String(text.reversed()), Data(text.utf8).base64EncodedString(),
            text.utf8.map { String($0, radix: 16) }.joined(),
        ]
    }

    @Test func `no file of the data folder holds a token or a secret`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            await github.accounts.refreshDue()
            try await github.connect("ghp_anotherToken12345", as: "hubot")
            let files = try FileManager.default.contentsOfDirectory(atPath: github.fixture.folder)
            #expect(files.contains("roost.sqlite-wal"))
            // Proves that the search works.
            #expect(try github.fixture.isOnDisk("octocat"))
            for text in [GitHubFixture.token, "ghp_anotherToken12345", Self.secret] {
                for trace in Self.traces(of: text) { #expect(try !github.fixture.isOnDisk(trace)) }
            }
            let backup = github.fixture.folder + "/backup.sqlite"
            try await github.fixture.services.backup(to: backup)
            #expect(
                try Data(contentsOf: URL(filePath: backup)).range(of: Data(GitHubFixture.token.utf8)) == nil)
            try await github.accounts.disconnect(id, of: github.ada)
            #expect(try github.fixture.sql(String.self, "SELECT name FROM sealed_secrets") == ["github/2"])
        }
    }

    @Test func `no log line holds the token, whatever goes wrong`() async throws {
        try await withGitHub { github in
            // A combining mark after the token and a letter before it form grapheme clusters at its ends.
            let echo = #"{"message":"\u0d4e\#(GitHubFixture.token)\u0301 \#(Self.secret)"}"#
            let id = try await github.connect().id
            for (status, headers) in [
                (403, []), (500, []), (429, []), (404, []), (302, ["Location: /\(GitHubFixture.token)"]),
            ] {
                github.script.set("/api/v3/user/teams") { _ in
                    .init(status: status, headers: headers, body: echo)
                }
                github.clock.advance(90_000)
                await github.accounts.refreshDue()
            }
            github.script.set("/api/v3/user") { _ in .init(status: 403, body: echo) }
            _ = await refusal { try await github.connect() }
            github.script.set("/login/device/code") { _ in .init(status: 500, body: echo) }
            try github.accounts.beginDeviceFlow(for: github.ada)
            try await wait(for: "the end of the sign-in") {
                if case .ended = github.accounts.signIn(of: github.ada) { true } else { false }
            }
            github.script.set("/api/v3/x") { _ in .init(status: 401, body: echo) }
            _ = try? await github.accounts.session(of: id)?.get("/x")
            #expect(github.account(id)?.state == .unauthenticated)
            #expect(github.fixture.log.lines.count >= 3)
            for line in github.fixture.log.lines { #expect(!line.containsBytes(GitHubFixture.token)) }
            let entries = try await github.fixture.services.identity.audit.entries()
            #expect(!entries.isEmpty)
            #expect(!"\(entries)".containsBytes(GitHubFixture.token))
        }
    }

    @Test func `no answer to one member repeats the operator's or another member's secret`() async throws {
        try await withGitHub { github in
            let graceToken = "ghp_aVerySecretTokenOfGrace"
            try await github.connect(graceToken, as: "grace")
            let id = try await github.connect().id
            let echo = #"\#(graceToken) \#(Self.secret) gh\#(GitHubFixture.token)"#
            let session = try #require(github.accounts.session(of: id))
            github.script.set("/api/v3/x") { _ in .init(body: #"{"name":"\#(echo)"}"#) }
            let body = String(decoding: try await session.get("/x").body, as: UTF8.self)
            #expect(body == #"{"name":"… … gh…"}"#)
            // Where a text is shortened or decoded first, no part of a secret remains.
            let escaped = #"{"message":"\u0067hp_aVerySecretTokenOfGrace"}"#
            let long = String(repeating: "\(graceToken)", count: 500)
            for (status, headers, body) in [
                (500, [], echo), (403, [], escaped), (404, [], long), (422, [], #"{"message":"\#(long)"}"#),
                (
                    403,
                    ["X-Accepted-GitHub-Permissions: \(String(repeating: "x", count: 185))\(graceToken)"],
                    "{}"
                ),
            ] {
                github.script.set("/api/v3/x") { _ in .init(status: status, headers: headers, body: body) }
                let failure = try await failure { _ = try await session.get("/x") }
                let detail = try #require(failure).detail
                for part in ["VerySecretToken", Self.secret] {
                    #expect(!detail.containsBytes(part), "\(status)")
                }
            }
        }
    }

    @Test func `a member's token does not redact the texts of others`() async throws {
        try await withGitHub(enterprise: ["git.example.org"]) { github in
            let token = try GitHubToken(value: "pull-requests-of-others", createdAt: Date(), scopes: [])
            #expect(!token.hasGitHubFormat)
            for value in ["ghp_short", "ghp_a-b-c-d-e-f-g-h-i-j-k-l", "xghp_aVerySecretTokenOfAda"] {
                #expect(try !GitHubToken(value: value, createdAt: Date(), scopes: []).hasGitHubFormat)
            }
            for value in [GitHubFixture.token, "github_pat_11ABCDEFG0aVerySecretToken"] {
                #expect(try GitHubToken(value: value, createdAt: Date(), scopes: []).hasGitHubFormat)
            }
        }
    }

    @Test func `an answer that repeats the token is shown without it, whether it failed or not`() async throws
    {
        try await withGitHub { github in
            let session = try #require(github.accounts.session(of: try await github.connect().id))
            let echo = #"{"data":null,"errors":[{"message":"bad \#(GitHubFixture.token)\#u{301}"}]}"#
            github.script.set("/api/graphql") { _ in .init(body: echo) }
            let body = try await session.graphQL(query: "{x}", variables: [:])
            #expect(String(decoding: body, as: UTF8.self).containsBytes("bad …"))
            let limit = echo.replacing("\"message\"", with: "\"type\":\"RATE_LIMITED\",\"message\"")
            github.script.set("/api/graphql") { _ in .init(body: limit) }
            let failure = try await failure { _ = try await session.graphQL(query: "{x}", variables: [:]) }
            #expect(try #require(failure).detail == "status 200: bad …\u{301}")
        }
    }

    @Test func `no description, dump or error holds the token`() async throws {
        try await withGitHub { github in
            let account = try await github.connect()
            let session = try #require(github.accounts.session(of: account.id))
            let token = try GitHubToken(value: GitHubFixture.token, createdAt: Date(), scopes: ["repo"])
            struct Holder { let token: GitHubToken }
            var texts = [
                "\(token)", String(reflecting: token), "\(Holder(token: token))", "\([token])",
                "\(account)", "\(session)", "\(github.accounts)",
            ]
            for value in [token, Holder(token: token), account, session, github.accounts] as [Any] {
                var dumped = ""
                dump(value, to: &dumped)
                texts.append(dumped)
            }
            github.script.set("/api/v3/x") { _ in
                .init(status: 422, body: #"{"message":"no \u0600\#(GitHubFixture.token)\u0301"}"#)
            }
            let failure = try await failure { _ = try await session.get("/x") }
            texts.append("\(try #require(failure))")
            for text in texts { #expect(!text.containsBytes(GitHubFixture.token)) }
        }
    }
}
