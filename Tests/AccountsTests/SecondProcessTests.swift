import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

/// `roost user` and `roost token` run while Roost serves.
@Suite struct SecondProcessTests {
    /// The serving process with its background work, and a command line process without.
    private func withBoth(_ body: (ServicesFixture, ServicesFixture) async throws -> Void) async throws {
        try await withAccounts { serving in
            try await serving.add("ada", .owner)
            try await serving.add("grace")
            let other = try ServicesFixture(in: serving.folder) { $0.passwordCost = .cheap }
            let result: Result<Void, any Error>
            do {
                try await other.services.load()
                try await serving.whileRunning { try await body(serving, other) }
                result = .success(())
            } catch { result = .failure(error) }
            try other.end()
            try result.get()
        }
    }

    private func reload(_ other: ServicesFixture) async throws {
        try await other.services.identity.accounts.load()
    }

    @Test func `a user whom another process removes is gone, with their displays`() async throws {
        try await withBoth { serving, other in
            let grace = try await serving.services.identity.accounts.user(named: "grace")
            let newSession = try await serving.signIn("grace")
            let token = try await serving.services.token(for: "grace", scope: .read)
            let link = try await serving.services.market.displays.add("Wall", for: grace.userId).token
            let otherLink = try await serving.services.market.displays.add(
                "Ada’s", for: try await serving.services.identity.accounts.user(named: "ada").userId
            ).token
            try await other.services.identity.accounts.remove(grace.userId, by: nil, from: .commandLine)
            try await wait(for: "the removal of the user") {
                try await serving.services.identity.accounts.user(grace.userId) == nil
            }
            #expect(!serving.isSignedIn(newSession))
            #expect(serving.services.identity.tokens.bearer(of: token) == nil)
            #expect(try await serving.services.market.displays.display(.link(link)) == nil)
            #expect(try await serving.services.market.displays.display(.link(otherLink)) != nil)
        }
    }

    @Test func `a role that another process sets takes effect and publishes a change`()
        async throws
    {
        try await withBoth { serving, other in
            let grace = try await other.services.identity.accounts.user(named: "grace")
            let before = serving.services.feed.version(of: [Topic.members])
            try await other.services.identity.accounts.setRole(
                .owner, of: grace.userId, by: nil, from: .commandLine)
            try await wait(for: "the new role") {
                try await serving.services.identity.accounts.user(grace.userId)?.role == .owner
            }
            try await wait(for: "a published change") {
                serving.services.feed.version(of: [Topic.members]) != before
            }
        }
    }

    @Test func `writes by another process before the first read are seen too`() async throws {
        try await withAccounts { serving in
            try await serving.add("ada", .owner)
            let other = try ServicesFixture(in: serving.folder) { $0.passwordCost = .cheap }
            try await other.services.load()
            let token = try await other.services.token(for: "ada", scope: .read)
            try other.end()
            try await serving.whileRunning {
                try await wait(for: "the token") { serving.services.identity.tokens.bearer(of: token) != nil }
            }
        }
    }

    @Test func `two processes do not undo each other's changes`() async throws {
        try await withBoth { serving, other in
            // The second process has not seen this session, and still writes.
            let newSession = try await serving.signIn("ada")
            try await other.services.identity.accounts.add(
                Profile(username: "eve"), role: .member, password: nil)
            let error = await refusal { try await serving.add("EVE") }
            #expect(error?.isConflict == true)
            #expect(serving.isSignedIn(newSession))
            try await reload(other)
            #expect(try await other.services.identity.sessions.sessions().count == 1)
        }
    }
}
