import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostServices
@testable import RoostSupport

/// Lookups are cached, and never outlive what is on the disk.
@Suite struct IdentityCacheTests {
    /// Services without background work, and a command line process next to them.
    private func withBoth(_ body: (ServicesFixture, ServicesFixture) async throws -> Void) async throws {
        try await withAccounts { serving in
            try await serving.add("ada", .owner)
            let other = try ServicesFixture(in: serving.folder) { $0.passwordCost = .cheap }
            let result: Result<Void, any Error>
            do {
                try await other.services.load()
                result = .success(try await body(serving, other))
            } catch { result = .failure(error) }
            try other.end()
            try result.get()
        }
    }

    @Test func `a cached session and token are found without reading the disk`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let newSession = try await fixture.signIn("ada")
            let token = try await fixture.services.token(for: "ada", scope: .read)
            #expect(fixture.isSignedIn(newSession))
            _ = try await fixture.services.market.displays.add("Wall", for: ada.userId)
            let before = fixture.statements.all.count
            for _ in 0..<100 {
                #expect(fixture.isSignedIn(newSession))
                #expect(fixture.services.identity.tokens.bearer(of: token) != nil)
                #expect(!fixture.services.identity.accounts.needsOwner)
                #expect(fixture.services.identity.tokens.bearer(of: token + "x") == nil)
            }
            #expect(fixture.statements.all.count == before)
        }
    }

    @Test
    func `writes to other tables never make requests read the accounts again, even during the write`()
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let newSession = try await fixture.signIn("ada")
            #expect(fixture.isSignedIn(newSession))
            func reads() -> Int { fixture.statements.all.count { $0.contains("FROM api_tokens") } }
            let before = reads()
            let hasAsked = Shared(false)
            let asking = Task.detached {
                while !Task.isCancelled {
                    if fixture.isSignedIn(newSession) { hasAsked.set(true) }
                    await Task.yield()
                }
            }
            for round in 0..<20 {
                hasAsked.set(false)
                try await wait(for: "a request") { hasAsked.value }
                for sort in [WatchlistOrder.price, .name, .change, .mine] {
                    try await fixture.services.market.watchlist.choose(sort, for: ada.userId)
                }
                #expect(reads() == before, "round \(round)")
            }
            asking.cancel()
        }
    }

    @Test func `tokens that another process revokes or creates are seen by the very next lookup`()
        async throws
    {
        try await withBoth { serving, other in
            for _ in 0..<3 {
                let ada = try await serving.services.identity.accounts.user(named: "ada")
                let created = try await serving.services.identity.tokens.make(.init(scope: .read), for: ada)
                #expect(serving.services.identity.tokens.bearer(of: created.token) != nil)
                try await other.services.identity.tokens.revoke(created.id, of: nil)
                #expect(serving.services.identity.tokens.bearer(of: created.token) == nil)
                let token = try await other.services.token(for: "ada", scope: .write)
                #expect(serving.services.identity.tokens.bearer(of: token)?.user == ada)
            }
        }
    }

    @Test func `a password that another process sets ends the sessions before the very next lookup`()
        async throws
    {
        try await withBoth { serving, other in
            let newSession = try await serving.signIn("ada")
            #expect(serving.isSignedIn(newSession))
            try await other.services.identity.resets.set(
                Cast.otherPassword, of: try await other.services.identity.accounts.user(named: "ada"))
            #expect(!serving.isSignedIn(newSession))
        }
    }

    @Test func `an ended session publishes a change to its own account only`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let newSession = try await fixture.signIn("grace")
            let (graceTopics, other) = ([Topic.account(grace.userId)], [Topic.account(ada.userId)])
            let before = (
                fixture.services.feed.version(of: graceTopics), fixture.services.feed.version(of: other)
            )
            try await fixture.services.identity.sessions.endAll(of: grace, by: grace, from: Cast.desk)
            #expect(!fixture.isSignedIn(newSession))
            #expect(fixture.services.feed.version(of: graceTopics) != before.0)
            #expect(fixture.services.feed.version(of: other) == before.1)
        }
    }
}
