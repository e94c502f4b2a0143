import Foundation
import Testing

@testable import GitHub

/// Which teams a token's user is in: looked up every hour, for next to nothing.
@Suite struct GitHubTeamsTests {
    private typealias Response = ScriptedUpstream.Response
    private static let address = "/api/v3/user/teams"

    private func teams(_ names: String...) -> String {
        "[" + names.map { #"{"slug":"\#($0)","organization":{"login":"acme"}}"# }.joined(separator: ",") + "]"
    }

    @Test func `teams are known soon after connecting, and each page once`() async throws {
        try await withGitHub { github in
            let (first, second) = (teams("core", "docs"), teams("ops"))
            github.script.set(Self.address) { request in
                request.query["page"] == "2"
                    ? Response(headers: [#"ETag: "two""#], body: second)
                    : Response(
                        headers: [
                            #"ETag: "one""#,
                            #"Link: <https://api.github.com/user/teams?per_page=100&page=2>; rel="next""#,
                        ], body: first)
            }
            let session = try #require(github.accounts.session(of: try await github.connect().id))
            #expect(session.teams == nil)
            await github.accounts.lookAfterDue()
            #expect(session.teams == ["acme/core", "acme/docs", "acme/ops"])
            #expect(github.requests(to: Self.address + "?per_page=100").count == 1)
            await github.accounts.lookAfterDue()
            #expect(github.requests(to: Self.address + "?per_page=100").count == 1)
        }
    }

    @Test func `an hour later unchanged pages are not sent again`() async throws {
        try await withGitHub { github in
            let body = teams("core")
            github.script.set(Self.address) { request in
                request.headers["if-none-match"] == #""one""#
                    ? Response(status: 304) : Response(headers: [#"ETag: "one""#], body: body)
            }
            let session = try #require(github.accounts.session(of: try await github.connect().id))
            await github.accounts.lookAfterDue()
            let version = github.version
            github.clock.advance(3_601)
            await github.accounts.lookAfterDue()
            #expect(github.upstream.requests.last?.headers["if-none-match"] == #""one""#)
            #expect(session.teams == ["acme/core"])
            #expect(github.version == version)
        }
    }

    @Test(arguments: [403, 404])
    func `teams that the token may not see are unknown, which is no failure`(status: Int) async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let session = try #require(github.accounts.session(of: id))
            await github.accounts.lookAfterDue()
            #expect(session.teams == [])
            github.script.set(Self.address) { _ in
                Response(status: status, body: #"{"message":"Must have admin rights"}"#)
            }
            github.clock.advance(3_601)
            await github.accounts.lookAfterDue()
            #expect(session.teams == nil)
            #expect(github.account(id)?.state == .authenticated)
            #expect(github.account(id)?.error == nil)
        }
    }

    @Test func `an outage and a limit keep what is known, and are soon tried again`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let session = try #require(github.accounts.session(of: id))
            let body = teams("core")
            github.script.set(Self.address) { _ in Response(body: body) }
            await github.accounts.lookAfterDue()
            for answer in [
                Response(status: 502), Response(body: "<html>"), Response(hangsUp: true),
                Response(status: 403, body: #"{"message":"secondary rate limit"}"#),
            ] {
                github.script.set(Self.address) { _ in answer }
                github.clock.advance(3_601)
                await github.accounts.lookAfterDue()
                #expect(session.teams == ["acme/core"])
                #expect(github.account(id)?.error == nil)
            }
            let renewed = teams("ops")
            github.script.set(Self.address) { _ in Response(body: renewed) }
            github.clock.advance(400)
            await github.accounts.lookAfterDue()
            #expect(session.teams == ["acme/ops"])
        }
    }

    @Test func `malformed teams are skipped, and pages that go in a circle end`() async throws {
        try await withGitHub { github in
            let session = try #require(github.accounts.session(of: try await github.connect().id))
            github.script.set(Self.address) { _ in
                Response(
                    headers: [#"Link: <https://api.github.com/user/teams?per_page=100>; rel="next""#],
                    body: #"[7,{"slug":"x"},{"slug":"core","organization":{"login":"acme"}},null]"#)
            }
            await github.accounts.lookAfterDue()
            #expect(session.teams == ["acme/core"])
            #expect(github.upstream.requests.filter { $0.path == "/user/teams" }.count == 1)
        }
    }
}
