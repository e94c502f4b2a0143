import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostSupport

@Suite struct TokenServiceTests {
    @Test(arguments: APIToken.Scope.allCases)
    func `a token grants the access that it was made for`(scope: APIToken.Scope) async throws {
        try await withAccounts { fixture in
            let token = try await fixture.services.token(for: "OWNER", scope: scope)
            #expect(token.hasPrefix("roost_") && token.count == "roost_".count + 43)
            let bearer = try #require(fixture.services.identity.tokens.bearer(of: token))
            #expect(bearer.token.scope == scope && bearer.user.username == "owner")
        }
    }

    @Test func `the database contains a token's hash, never the token`() async throws {
        try await withAccounts { fixture in
            let token = try await fixture.services.token(for: "owner", scope: .read)
            let hashes = try fixture.sql(Data.self, "SELECT token_hash FROM api_tokens")
            #expect(hashes == [Data(Secret.hash(token))])
            #expect(try !fixture.isOnDisk(String(token.dropFirst(6))))
        }
    }

    @Test func `a revoked token no longer works, and the others stay valid`() async throws {
        try await withAccounts { fixture in
            let tokens = fixture.services.identity.tokens
            let one = try await fixture.services.token(for: "owner", scope: .read)
            let other = try await fixture.services.token(for: "owner", scope: .write)
            let listed = try await tokens.tokens()
            #expect(listed.map(\.scope) == [.read, .write] && listed.allSatisfy { $0.username == "owner" })
            #expect(listed.first?.createdAt == fixture.clock.now)
            try await tokens.revoke(try #require(listed.first).id, of: nil)
            #expect(tokens.bearer(of: one) == nil && tokens.bearer(of: other) != nil)
            await #expect(throws: RoostError.notFound("There is no token 99.")) {
                try await tokens.revoke(99, of: nil)
            }
        }
    }

    @Test(arguments: [
        "", "roost_", "roost_AAAA", "Bearer x", "' OR 1=1 --", String(repeating: "x", count: 10_000),
    ])
    func `no other text works as a token`(token: String) async throws {
        try await withAccounts { fixture in
            _ = try await fixture.services.token(for: "owner", scope: .write)
            #expect(fixture.services.identity.tokens.bearer(of: token) == nil)
        }
    }

    @Test func `a token without its prefix does not work`() async throws {
        try await withAccounts { fixture in
            let token = try await fixture.services.token(for: "owner", scope: .write)
            for wrong in [
                String(token.dropFirst(6)), token + "x", String(token.dropLast()), token.uppercased(),
            ] { #expect(fixture.services.identity.tokens.bearer(of: wrong) == nil) }
        }
    }

    @Test func `a token for an unknown user is refused with a message`() async throws {
        try await withAccounts { fixture in
            await #expect(throws: RoostError.notFound("There is no user named “ada”.")) {
                try await fixture.services.token(for: "ada", scope: .read)
            }
            let deletedUser = User(userId: 99, username: "gone", role: .member, createdAt: nil)
            await #expect(throws: RoostError.notFound("There is no such user.")) {
                try await fixture.services.identity.tokens.make(.init(scope: .read), for: deletedUser)
            }
        }
    }

    @Test func `a token expires on its date, and one without a date never does`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let tokens = fixture.services.identity.tokens
            let month = try await tokens.make(.init(scope: .read, days: 30), for: ada).token
            let ever = try await tokens.make(.init(scope: .read), for: ada).token
            let listed = try await tokens.tokens(of: ada.userId)
            #expect(listed.map(\.expiresAt) == [fixture.clock.now + 30 * 86_400, nil])
            fixture.clock.advance(30 * 86_400 - 1)
            #expect(tokens.bearer(of: month) != nil)
            fixture.clock.advance(1)
            #expect(tokens.bearer(of: month) == nil && tokens.bearer(of: ever) != nil)
            #expect(listed.map { $0.isExpired(at: fixture.clock.now) } == [true, false])
        }
    }

    @Test func `a token's last use is visible at once and saved at the latest on shutdown`()
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let used = try await fixture.services.identity.tokens.make(.init(scope: .read), for: ada).token
            _ = try await fixture.services.identity.tokens.make(.init(scope: .read), for: ada)
            let before = try await fixture.services.identity.tokens.tokens()
            #expect(before.map(\.lastUsedAt) == [nil, nil])
            fixture.clock.advance(90)
            try await fixture.whileRunning { _ = fixture.services.identity.tokens.bearer(of: used) }
            let after = try await fixture.services.identity.tokens.tokens()
            #expect(after.map(\.lastUsedAt) == [fixture.clock.now, nil])
            let times = try fixture.sql(
                Double.self, "SELECT last_used_at FROM api_tokens WHERE last_used_at IS NOT NULL")
            #expect(times == [fixture.clock.now.timeIntervalSince1970])
        }
    }

    @Test func `users see and revoke only their own tokens`() async throws {
        try await withAccounts { fixture in
            let (ada, grace) = (try await fixture.add("ada", .owner), try await fixture.add("grace"))
            let created = try await fixture.services.identity.tokens.make(
                .init(name: "hers", scope: .read), for: grace)
            #expect(try await fixture.services.identity.tokens.tokens(of: ada.userId).isEmpty)
            await #expect(throws: RoostError.notFound("There is no token \(created.id).")) {
                try await fixture.services.identity.tokens.revoke(created.id, of: ada.userId)
            }
            #expect(fixture.services.identity.tokens.bearer(of: created.token)?.user == grace)
        }
    }

    @Test(arguments: [
        (String(repeating: "x", count: 65), 1, "name"), ("a\nb", 1, "name"), ("x", 0, "days"),
        ("x", -1, "days"), ("x", 3_651, "days"),
    ])
    func `an invalid token request is refused at its field`(name: String, days: Int, field: String) {
        let error = #expect(throws: RoostError.self) {
            try TokenService.TokenRequest(name: name, scope: .read, days: days)
        }
        #expect(error?.field == field)
    }

    @Test func `a token for areas allows what its scopes say`() async throws {
        try await withAccounts { fixture in
            let request = try TokenService.TokenRequest(
                limitedTo: ["reading:write", "chat:read", "reading:read"],
                known: ["chat", "reading", "pulls"])
            let owner = try await fixture.services.identity.accounts.user(named: "owner")
            let made = try await fixture.services.identity.tokens.make(request, for: owner)
            let token = try #require(fixture.services.identity.tokens.bearer(of: made.token)).token
            #expect(token.scopes == "chat:read reading:write" && token.isLimited)
            #expect(token.allows(.read, in: "chat") && !token.allows(.write, in: "chat"))
            #expect(token.allows(.read, in: "reading") && token.allows(.write, in: "reading"))
            #expect(!token.allows(.read, in: "pulls") && !token.allows(.read, in: nil))
            #expect(!token.allows(.read, in: "cha") && !token.allows(.read, in: "chat:read reading"))
        }
    }

    @Test func `only a scope of its own allows acting`() async throws {
        try await withAccounts { fixture in
            let owner = try await fixture.services.identity.accounts.user(named: "owner")
            func token(_ request: TokenService.TokenRequest) async throws -> APIToken {
                let made = try await fixture.services.identity.tokens.make(request, for: owner)
                return try #require(fixture.services.identity.tokens.bearer(of: made.token)).token
            }
            func limited(_ scopes: String...) throws -> TokenService.TokenRequest {
                try .init(limitedTo: scopes, known: ["chat", "pulls"], actingIn: ["pulls"])
            }
            for request in [try .init(scope: .write), try limited("pulls:write", "chat:write")] {
                let writing = try await token(request)
                #expect(!writing.allows(.act, in: "pulls"))
            }
            let acting = try await token(limited("pulls:act", "pulls:read"))
            #expect(acting.scopes == "pulls:act" && acting.allows(.act, in: "pulls"))
            #expect(acting.allows(.read, in: "pulls") && !acting.allows(.write, in: "pulls"))
            #expect(!acting.allows(.act, in: "chat") && !acting.allows(.act, in: nil))
            let both = try await token(limited("pulls:act", "pulls:write"))
            #expect(both.scopes == "pulls:write pulls:act")
            #expect(throws: RoostError.self) { try limited("chat:act") }
        }
    }

    @Test(arguments: [[], ["chat"], ["chat:admin"], ["members:read"], ["chat:read:write"]])
    func `an unknown scope is refused`(scopes: [String]) {
        let error = #expect(throws: RoostError.self) {
            try TokenService.TokenRequest(limitedTo: scopes, known: ["chat"])
        }
        #expect(error?.field == "scope")
    }

    @Test func `a user has at most a hundred tokens`() async throws {
        try await withAccounts { fixture in
            let (ada, grace) = (try await fixture.add("ada", .owner), try await fixture.add("grace"))
            for _ in 0..<100 {
                _ = try await fixture.services.identity.tokens.make(.init(scope: .read), for: ada)
            }
            let error = await refusal {
                _ = try await fixture.services.identity.tokens.make(.init(scope: .read), for: ada)
            }
            #expect(error?.field == "name")
            _ = try await fixture.services.identity.tokens.make(.init(scope: .read), for: grace)
            #expect(try await fixture.services.identity.tokens.tokens().count == 101)
        }
    }
}
