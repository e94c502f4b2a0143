import Foundation
import TestSupport
import Testing

@testable import GitHub

/// The teams of a token's user, looked up every hour with conditional requests.
@Suite struct GitHubTeamsTests {
    private typealias Response = ScriptedUpstream.Response
    private static let address = "/api/v3/user/teams"

    private func teams(_ names: String...) -> String {
        "[" + names.map { #"{"slug":"\#($0)","organization":{"login":"acme"}}"# }.joined(separator: ",") + "]"
    }

    @Test func `teams are fetched soon after connecting, each page once`() async throws {
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
            await github.accounts.refreshDue()
            #expect(session.teams == ["acme/core", "acme/docs", "acme/ops"])
            #expect(github.requests(to: Self.address + "?per_page=100").count == 1)
            await github.accounts.refreshDue()
            #expect(github.requests(to: Self.address + "?per_page=100").count == 1)
        }
    }

    @Test func `an hour later unchanged pages are answered 304`() async throws {
        try await withGitHub { github in
            let body = teams("core")
            github.script.set(Self.address) { request in
                request.headers["if-none-match"] == #""one""#
                    ? Response(status: 304) : Response(headers: [#"ETag: "one""#], body: body)
            }
            let session = try #require(github.accounts.session(of: try await github.connect().id))
            await github.accounts.refreshDue()
            let version = github.version
            github.clock.advance(3_601)
            await github.accounts.refreshDue()
            #expect(github.upstream.requests.last?.headers["if-none-match"] == #""one""#)
            #expect(session.teams == ["acme/core"])
            #expect(github.version == version)
        }
    }

    @Test(arguments: [403, 404])
    func `teams that the token may not read are unknown, which is not a failure`(status: Int) async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let session = try #require(github.accounts.session(of: id))
            await github.accounts.refreshDue()
            #expect(session.teams == [])
            github.script.set(Self.address) { _ in
                Response(status: status, body: #"{"message":"Must have admin rights"}"#)
            }
            github.clock.advance(3_601)
            await github.accounts.refreshDue()
            #expect(session.teams == nil)
            #expect(github.account(id)?.state == .authenticated)
            #expect(github.account(id)?.error == nil)
        }
    }

    @Test func `an outage or a limit keeps the known teams, and they are soon fetched again`() async throws {
        try await withGitHub { github in
            let id = try await github.connect().id
            let session = try #require(github.accounts.session(of: id))
            let body = teams("core")
            github.script.set(Self.address) { _ in Response(body: body) }
            await github.accounts.refreshDue()
            for answer in [
                Response(status: 502), Response(body: "<html>"), Response(hangsUp: true),
                Response(status: 403, body: #"{"message":"secondary rate limit"}"#),
            ] {
                github.script.set(Self.address) { _ in answer }
                github.clock.advance(3_601)
                await github.accounts.refreshDue()
                #expect(session.teams == ["acme/core"])
                #expect(github.account(id)?.error == nil)
            }
            let renewed = teams("ops")
            github.script.set(Self.address) { _ in Response(body: renewed) }
            github.clock.advance(400)
            await github.accounts.refreshDue()
            #expect(session.teams == ["acme/ops"])
        }
    }

    @Test func `malformed teams are skipped, and a page loop ends`() async throws {
        try await withGitHub { github in
            let session = try #require(github.accounts.session(of: try await github.connect().id))
            github.script.set(Self.address) { _ in
                Response(
                    headers: [#"Link: <https://api.github.com/user/teams?per_page=100>; rel="next""#],
                    body: #"[7,{"slug":"x"},{"slug":"core","organization":{"login":"acme"}},null]"#)
            }
            await github.accounts.refreshDue()
            #expect(session.teams == ["acme/core"])
            #expect(github.upstream.requests.filter { $0.path == "/user/teams" }.count == 1)
        }
    }
}
