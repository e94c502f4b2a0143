import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostServices
@testable import RoostSupport

/// What users have seen of pull requests.
@Suite struct PullViewedTests {
    private let seven = PullFixture.key(7)
    private let blob = String(repeating: "a", count: 40)
    private let newerBlob = String(repeating: "b", count: 64)

    private func viewed(
        _ fixture: PullServiceFixture, _ key: PullKey? = nil, of user: UserID? = nil
    ) async throws -> [String: String] {
        let (key, user) = (key ?? seven, user ?? fixture.user)
        return try await fixture.pulls.database.read {
            try fixture.pulls.viewedFiles($0, of: key, for: user)
        }
    }

    private func lastSeen(_ fixture: PullServiceFixture, of user: UserID? = nil) async throws -> Date? {
        let (key, user) = (seven, user ?? fixture.user)
        return try await fixture.pulls.database.read { try fixture.pulls.lastSeenAt($0, of: key, for: user) }
    }

    private func count(_ fixture: PullServiceFixture, _ table: String) async throws -> Int {
        try await fixture.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    // MARK: Viewed files

    @Test func `a viewed file is stored with its blob, for this user and this pull request`() async throws {
        try await withPulls { fixture in
            fixture.accounts.connect(2, to: PullScript(), for: fixture.other)
            try await fixture.pulls.setViewed(
                true, path: "a/b.swift", blob: blob, of: seven, for: fixture.user)
            #expect(try await viewed(fixture) == ["a/b.swift": blob])
            #expect(try await viewed(fixture, PullFixture.key(8)) == [:])
            #expect(try await viewed(fixture, of: fixture.other) == [:])
        }
    }

    @Test func `a mark is replaced by one with another blob, and can be removed`() async throws {
        try await withPulls { fixture in
            for value in [blob, newerBlob] {
                try await fixture.pulls.setViewed(true, path: "a", blob: value, of: seven, for: fixture.user)
                #expect(try await viewed(fixture) == ["a": value])
            }
            try await fixture.pulls.setViewed(false, path: "b", blob: blob, of: seven, for: fixture.user)
            #expect(try await viewed(fixture) == ["a": newerBlob])
            try await fixture.pulls.setViewed(false, path: "a", blob: blob, of: seven, for: fixture.user)
            #expect(try await viewed(fixture) == [:])
        }
    }

    @Test func `names of repositories ignore case, and paths don't`() async throws {
        try await withPulls { fixture in
            let same = PullKey(
                host: seven.host.uppercased(), owner: seven.owner.uppercased(), name: seven.name, number: 7)
            try await fixture.pulls.setViewed(true, path: "a", blob: blob, of: seven, for: fixture.user)
            try await fixture.pulls.setViewed(true, path: "A", blob: newerBlob, of: same, for: fixture.user)
            #expect(try await viewed(fixture, same) == ["a": blob, "A": newerBlob])
            #expect(try await viewed(fixture) == ["a": blob, "A": newerBlob])
        }
    }

    @Test func `a mark is published to the user's pages`() async throws {
        try await withPulls { fixture in
            let topic = fixture.pulls.topic(of: seven, for: fixture.user)
            let before = fixture.feed.version(of: [topic])
            try await fixture.pulls.setViewed(true, path: "a", blob: blob, of: seven, for: fixture.user)
            #expect(fixture.feed.version(of: [topic]) > before)
        }
    }

    @Test(arguments: ["", "a\u{0}b", String(repeating: "é", count: 2_049)])
    func `an impossible path is refused`(path: String) async throws {
        try await withPulls { fixture in
            await #expect(
                throws: RoostError.invalid(field: "path", why: "This is not a file of a pull request.")
            ) {
                try await fixture.pulls.setViewed(true, path: path, blob: blob, of: seven, for: fixture.user)
            }
        }
    }

    @Test(arguments: ["", "a", "A" + String(repeating: "a", count: 39), String(repeating: "g", count: 40)])
    func `an impossible blob is refused`(_ value: String) async throws {
        try await withPulls { fixture in
            await #expect(
                throws: RoostError.invalid(field: "blob", why: "This is not a version of a file.")
            ) {
                try await fixture.pulls.setViewed(true, path: "a", blob: value, of: seven, for: fixture.user)
            }
        }
    }

    @Test(arguments: [
        PullKey(host: "github.com", owner: "a b", name: "c", number: 1),
        PullKey(host: "github.com", owner: "a", name: "..", number: 1),
        PullKey(host: "github.com", owner: "a", name: "b", number: 0),
        PullKey(host: "other.example", owner: "a", name: "b", number: 1),
        PullKey(host: "", owner: "a", name: "b", number: 1),
    ])
    func `what no account of the user can see is not stored`(_ key: PullKey) async throws {
        try await withPulls { fixture in
            await #expect(throws: RoostError.self) {
                try await fixture.pulls.setViewed(true, path: "a", blob: blob, of: key, for: fixture.user)
            }
            try await fixture.pulls.markSeen(key, for: fixture.user)
            try await fixture.pulls.markSeen(seven, for: fixture.other)
            #expect(try await count(fixture, "pull_looks") == 0)
        }
    }

    @Test func `the marks that were made first are removed beyond the limit`() async throws {
        try await withPulls { fixture in
            let maximum = PullViewedStore.maximumFiles
            try await fixture.database.write { [blob] database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
                        INSERT INTO pull_viewed_files (user_id, host, owner, name, number, path, blob, viewed_at)
                        SELECT 1, 'github.com', 'roost', 'nest', 9, 'file ' || n, ?, n FROM numbers
                        """, arguments: [maximum, blob])
            }
            try await fixture.pulls.setViewed(true, path: "new", blob: blob, of: seven, for: fixture.user)
            #expect(try await count(fixture, "pull_viewed_files") == maximum)
            #expect(try await viewed(fixture) == ["new": blob])
            let others = try await viewed(fixture, PullFixture.key(9))
            #expect(others["file 1"] == nil)
            #expect(others["file 2"] == blob)
        }
    }

    // MARK: Looks

    @Test func `the last look is the one before this one, however long this one is`() async throws {
        try await withPulls { fixture in
            #expect(try await lastSeen(fixture) == nil)
            let first = fixture.clock.now
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            #expect(try await lastSeen(fixture) == nil)
            fixture.clock.advance(3_600)
            #expect(try await lastSeen(fixture) == first)
            for _ in 0..<5 {
                try await fixture.pulls.markSeen(seven, for: fixture.user)
                #expect(try await lastSeen(fixture) == first)
                fixture.clock.advance(300)
            }
            let second = fixture.clock.now - 300
            fixture.clock.advance(600)
            #expect(try await lastSeen(fixture) == second)
            #expect(try await lastSeen(fixture, of: fixture.other) == nil)
        }
    }

    @Test func `looking again within a minute writes nothing`() async throws {
        try await withPulls { fixture in
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            let before = fixture.statements.all.count
            fixture.clock.advance(59)
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            let statements = fixture.statements.all.dropFirst(before)
            #expect(!statements.contains { $0.hasPrefix("INSERT") })
            fixture.clock.advance(1)
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            #expect(fixture.statements.all.dropFirst(before).contains { $0.hasPrefix("INSERT") })
        }
    }

    @Test func `a clock that was ahead does not hide what is new`() async throws {
        try await withPulls { fixture in
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            fixture.clock.jump(-86_400)
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            let now = fixture.clock.now
            fixture.clock.advance(600)
            #expect(try await lastSeen(fixture) == now)
        }
    }

    @Test func `the oldest looks are removed beyond the limit`() async throws {
        try await withPulls { fixture in
            let maximum = PullViewedStore.maximumLooks
            try await fixture.database.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
                        INSERT INTO pull_looks (user_id, host, owner, name, number, seen_at)
                        SELECT 1, 'github.com', 'roost', 'other', n, n FROM numbers
                        """, arguments: [maximum])
            }
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            #expect(try await count(fixture, "pull_looks") == maximum)
            let oldest = try await fixture.database.read {
                try Int.fetchOne($0, sql: "SELECT min(seen_at) FROM pull_looks")
            }
            #expect(oldest == 2)
        }
    }

    @Test func `both are deleted with the user`() async throws {
        try await withPulls { fixture in
            try await fixture.pulls.setViewed(true, path: "a", blob: blob, of: seven, for: fixture.user)
            try await fixture.pulls.markSeen(seven, for: fixture.user)
            try await fixture.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            #expect(try await count(fixture, "pull_viewed_files") == 0)
            #expect(try await count(fixture, "pull_looks") == 0)
        }
    }
}
