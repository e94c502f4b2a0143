import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// The search of everything among stored repositories.
@Suite struct StoredRepositorySearchTests {
    private typealias Fixture = RepositoryFixture

    /// A public repository, and one that only Ada's account sees; both are stored.
    private static func withStored(_ body: (RepositoryServiceFixture) async throws -> Void) async throws {
        try await withRepositories { fixture in
            fixture.github.set("/repos/ada/plans", Fixture.detail(8, "ada/plans"))
            let own = RepositoryScript("ada")
            own.set(
                "/repos/ada/secret-plans", Fixture.detail(9, "ada/secret-plans", stars: 1, isPrivate: "true"))
            own.set("/repos/ada/plans", Fixture.detail(8, "ada/plans"))
            fixture.accounts.set(own, for: fixture.ada)
            _ = try await fixture.view("ada/plans", for: fixture.grace)
            _ = try await fixture.view("ada/secret-plans")
            try await body(fixture)
        }
    }

    private static func names(
        _ text: String, for user: UserID, limit: Int = 5, in fixture: RepositoryServiceFixture
    ) async throws -> Set<String> {
        let found = try await fixture.work.read {
            try fixture.details.search($0, text, for: user, limit: limit)
        }
        return Set(found.map(\.fullName))
    }

    @Test func `a private repository is found only by its user`() async throws {
        try await Self.withStored { fixture async throws in
            #expect(
                try await Self.names("plan", for: fixture.ada, in: fixture) == [
                    "ada/plans", "ada/secret-plans",
                ])
            #expect(try await Self.names("plan", for: fixture.grace, in: fixture) == ["ada/plans"])
            #expect(try await Self.names("secret", for: fixture.grace, in: fixture) == [])
            let token = "a\" OR owner : \"v\(fixture.ada)"
            #expect(try await Self.names(token, for: fixture.grace, in: fixture) == [])
        }
    }

    @Test func `it is not found once the account is gone`() async throws {
        try await Self.withStored { fixture async throws in
            fixture.accounts.set(nil, for: fixture.ada)
            #expect(try await Self.names("secret", for: fixture.ada, in: fixture) == [])
        }
    }

    @Test func `all words must occur, the last as a beginning`() async throws {
        try await Self.withStored { fixture async throws in
            #expect(try await Self.names("secret pla", for: fixture.ada, in: fixture) == ["ada/secret-plans"])
            #expect(
                try await Self.names("secret-plans", for: fixture.ada, in: fixture) == ["ada/secret-plans"])
            #expect(try await Self.names("secret nothing", for: fixture.ada, in: fixture) == [])
            #expect(try await Self.names("", for: fixture.ada, in: fixture) == [])
            #expect(try await Self.names("plans", for: fixture.ada, limit: 1, in: fixture).count == 1)
        }
    }

    @Test func `the index follows changes of a repository and of bookmarks`() async throws {
        try await Self.withStored { fixture async throws in
            try await fixture.bookmark(8)
            try await fixture.database.write { database in
                try database.execute(
                    sql: "UPDATE repositories SET search_text = 'ada/plans kiwi' WHERE id = 8")
                try database.execute(
                    sql: "UPDATE bookmarks SET search_text = 'ada/plans melon' WHERE user_id = 1")
                // Throws if the index differs from its rows.
                for index in ["repository_search", "bookmark_search"] {
                    try database.execute(
                        sql: "INSERT INTO \(index) (\(index), rank) VALUES ('integrity-check', 1)")
                }
            }
            #expect(try await Self.names("kiwi", for: fixture.grace, in: fixture) == ["ada/plans"])
            let melons = try await fixture.database.read {
                try Int.fetchAll(
                    $0, sql: "SELECT rowid FROM bookmark_search WHERE bookmark_search MATCH 'melon'")
            }
            #expect(melons.count == 1)
            try await fixture.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            let left = try await fixture.database.read {
                try Int.fetchAll(
                    $0, sql: "SELECT rowid FROM bookmark_search WHERE bookmark_search MATCH 'melon'")
            }
            #expect(left == [])
            #expect(try await Self.names("secret", for: fixture.ada, in: fixture) == [])
        }
    }
}
