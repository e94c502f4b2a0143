import Foundation
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

/// What `roost user` and `roost token` do while Roost serves.
@Suite struct SecondProcessTests {
    /// The serving process, which runs, and the command line beside it, which does not.
    private func withBoth(_ body: (ServicesFixture, ServicesFixture) async throws -> Void) async throws {
        try await withAccounts { serving in
            try await serving.add("ada", .owner)
            try await serving.add("grace")
            let other = try ServicesFixture(in: serving.folder) { $0.passwordCost = .cheap }
            let result: Result<Void, any Error>
            do {
                try await other.services.prepare()
                try await serving.whileRunning { try await body(serving, other) }
                result = .success(())
            } catch { result = .failure(error) }
            try other.end()
            try result.get()
        }
    }

    private func reload(_ other: ServicesFixture) async throws { try await other.services.accounts.load() }

    @Test func `a token that another process revokes opens nothing within seconds`() async throws {
        try await withBoth { serving, other in
            let grace = try await serving.services.accounts.user(named: "grace")
            let made = try await serving.services.tokens.make(.init(scope: .read), for: grace)
            let kept = try await serving.services.tokens.make(.init(scope: .read), for: grace)
            #expect(serving.services.tokens.bearer(of: made.token) != nil)
            try await other.services.tokens.revoke(made.id, of: nil)
            try await wait(for: "the end of the token") {
                serving.services.tokens.bearer(of: made.token) == nil
            }
            #expect(serving.services.tokens.bearer(of: kept.token) != nil)
        }
    }

    @Test func `a token that another process makes opens within seconds`() async throws {
        try await withBoth { serving, other in
            let token = try await other.services.token(for: "grace", scope: .write)
            try await wait(for: "the token") {
                serving.services.tokens.bearer(of: token)?.user.username == "grace"
            }
        }
    }

    @Test func `a password that another process sets ends the sessions, and opens`() async throws {
        try await withBoth { serving, other in
            let begun = try await serving.signIn("grace")
            try await other.services.resets.set(
                Cast.otherPassword, of: try await other.services.accounts.user(named: "grace"))
            try await wait(for: "the end of the session") { !serving.isSignedIn(begun) }
            #expect(serving.isSignedIn(try await serving.signIn("grace", Cast.otherPassword)))
        }
    }

    @Test func `a user whom another process removes is gone, and so are his screens`() async throws {
        try await withBoth { serving, other in
            let grace = try await serving.services.accounts.user(named: "grace")
            let begun = try await serving.signIn("grace")
            let token = try await serving.services.token(for: "grace", scope: .read)
            let link = try await serving.services.displays.add("Wall", for: grace.userId).token
            let kept = try await serving.services.displays.add(
                "Ada’s", for: try await serving.services.accounts.user(named: "ada").userId
            ).token
            try await other.services.accounts.remove(grace.userId, by: nil, from: .commandLine)
            try await wait(for: "the end of the user") {
                try await serving.services.accounts.user(grace.userId) == nil
            }
            #expect(!serving.isSignedIn(begun))
            #expect(serving.services.tokens.bearer(of: token) == nil)
            #expect(try await serving.services.displays.display(.link(link)) == nil)
            #expect(try await serving.services.displays.display(.link(kept)) != nil)
        }
    }

    @Test func `a role that another process gives holds, and whoever looks at the members hears of it`()
        async throws
    {
        try await withBoth { serving, other in
            let grace = try await other.services.accounts.user(named: "grace")
            let before = serving.services.feed.version(of: [Topic.members])
            try await other.services.accounts.setRole(.owner, of: grace.userId, by: nil, from: .commandLine)
            try await wait(for: "the role") {
                try await serving.services.accounts.user(grace.userId)?.role == .owner
            }
            try await wait(for: "the news") {
                serving.services.feed.version(of: [Topic.members]) != before
            }
        }
    }

    @Test func `what another process wrote before the first look is seen as well`() async throws {
        try await withAccounts { serving in
            try await serving.add("ada", .owner)
            let other = try ServicesFixture(in: serving.folder) { $0.passwordCost = .cheap }
            try await other.services.prepare()
            let token = try await other.services.token(for: "ada", scope: .read)
            try other.end()
            try await serving.whileRunning {
                try await wait(for: "the token") { serving.services.tokens.bearer(of: token) != nil }
            }
        }
    }

    @Test func `two processes do not undo each other's changes`() async throws {
        try await withBoth { serving, other in
            // The second knows nothing of this one, and writes all the same.
            let begun = try await serving.signIn("ada")
            try await other.services.accounts.add(Profile(username: "eve"), role: .member, password: nil)
            let error = await refusal { try await serving.add("EVE") }
            #expect(error?.isConflict == true)
            #expect(serving.isSignedIn(begun))
            try await reload(other)
            #expect(try await other.services.sessions.sessions().count == 1)
        }
    }
}
