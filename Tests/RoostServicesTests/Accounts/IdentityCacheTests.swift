import Foundation
import Testing

@testable import Accounts
@testable import Market
@testable import RoostServices
@testable import RoostSupport

/// Who is asking: known without the disk, and never longer than the disk says so.
@Suite struct IdentityCacheTests {
    /// Services in which nothing runs in the background, and the command line beside them.
    private func withBoth(_ body: (ServicesFixture, ServicesFixture) async throws -> Void) async throws {
        try await withAccounts { serving in
            try await serving.add("ada", .owner)
            let other = try ServicesFixture(in: serving.folder) { $0.passwordCost = .cheap }
            let result: Result<Void, any Error>
            do {
                try await other.services.prepare()
                result = .success(try await body(serving, other))
            } catch { result = .failure(error) }
            try other.end()
            try result.get()
        }
    }

    @Test func `a session and a token that are known make nobody read the disk`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let begun = try await fixture.signIn("ada")
            let token = try await fixture.services.token(for: "ada", scope: .read)
            #expect(fixture.isSignedIn(begun))
            _ = try await fixture.services.displays.add("Wall", for: ada.userId)
            let before = fixture.statements.all.count
            for _ in 0..<100 {
                #expect(fixture.isSignedIn(begun))
                #expect(fixture.services.tokens.bearer(of: token) != nil)
                #expect(!fixture.services.accounts.needsOwner)
                #expect(fixture.services.tokens.bearer(of: token + "x") == nil)
            }
            #expect(fixture.statements.all.count == before)
        }
    }

    @Test
    func `writing what concerns no account makes no request read the accounts, also while it is written`()
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let begun = try await fixture.signIn("ada")
            #expect(fixture.isSignedIn(begun))
            func reads() -> Int { fixture.statements.all.count { $0.contains("FROM api_tokens") } }
            let before = reads()
            let hasAsked = Shared(false)
            let asking = Task.detached {
                while !Task.isCancelled {
                    if fixture.isSignedIn(begun) { hasAsked.set(true) }
                    await Task.yield()
                }
            }
            for round in 0..<20 {
                hasAsked.set(false)
                try await wait(for: "a request") { hasAsked.value }
                for sort in [WatchlistOrder.price, .name, .change, .mine] {
                    try await fixture.services.watchlist.choose(sort, for: ada.userId)
                }
                #expect(reads() == before, "round \(round)")
            }
            asking.cancel()
        }
    }

    @Test func `what another process revokes or makes holds for the very next question`() async throws {
        try await withBoth { serving, other in
            for _ in 0..<3 {
                let ada = try await serving.services.accounts.user(named: "ada")
                let made = try await serving.services.tokens.make(.init(scope: .read), for: ada)
                #expect(serving.services.tokens.bearer(of: made.token) != nil)
                try await other.services.tokens.revoke(made.id, of: nil)
                #expect(serving.services.tokens.bearer(of: made.token) == nil)
                let token = try await other.services.token(for: "ada", scope: .write)
                #expect(serving.services.tokens.bearer(of: token)?.user == ada)
            }
        }
    }

    @Test func `a password that another process sets has ended the sessions by the very next question`()
        async throws
    {
        try await withBoth { serving, other in
            let begun = try await serving.signIn("ada")
            #expect(serving.isSignedIn(begun))
            try await other.services.resets.set(
                Cast.otherPassword, of: try await other.services.accounts.user(named: "ada"))
            #expect(!serving.isSignedIn(begun))
        }
    }

    @Test func `whoever looks at an account hears of what ended, and nobody else`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let begun = try await fixture.signIn("grace")
            let (hers, other) = ([Topic.account(grace.userId)], [Topic.account(ada.userId)])
            let before = (fixture.services.feed.version(of: hers), fixture.services.feed.version(of: other))
            try await fixture.services.sessions.endAll(of: grace, by: grace, from: Cast.desk)
            #expect(!fixture.isSignedIn(begun))
            #expect(fixture.services.feed.version(of: hers) != before.0)
            #expect(fixture.services.feed.version(of: other) == before.1)
        }
    }
}
