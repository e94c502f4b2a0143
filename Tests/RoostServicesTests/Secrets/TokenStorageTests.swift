import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite struct TokenStorageTests {
    private static let secret = "ghp_aVerySecretTokenOfAda"

    private struct StorageFixture {
        let folder: String
        let pool: DatabasePool
        let storage: SealedTokenStorage

        func users(_ names: String...) async throws -> [UserID] {
            try await pool.write { database in
                try names.map { name in
                    try database.execute(
                        sql:
                            "INSERT INTO users (username, name_key, role, created_at) VALUES (?, ?, 'member', 1)",
                        arguments: [name, name])
                    return database.lastInsertedRowID
                }
            }
        }
    }

    private func withStorage(_ body: (StorageFixture) async throws -> Void) async throws {
        try await withFolder { folder in
            let pool = try RoostSupport.Database.open(in: folder)
            let storage = SealedTokenStorage(
                sealer: try Sealer.load(folder: folder, environment: [:]),
                store: SealedSecretStore(database: pool), clock: TestClock().wallClock)
            try await body(StorageFixture(folder: folder, pool: pool, storage: storage))
            try pool.close()
        }
    }

    @Test func `a secret is stored, read, replaced and forgotten`() async throws {
        try await withStorage { fixture in
            let ada = try await fixture.users("ada")[0]
            #expect(try await fixture.storage.secret("github", of: ada) == nil)
            try await fixture.storage.store(Self.secret, as: "github", of: ada)
            try await fixture.storage.store("other", as: "gitlab", of: ada)
            #expect(try await fixture.storage.secret("github", of: ada) == Self.secret)
            try await fixture.storage.store("newer", as: "github", of: ada)
            #expect(try await fixture.storage.secret("github", of: ada) == "newer")
            try await fixture.storage.forget("github", of: ada)
            try await fixture.storage.forget("github", of: ada)
            #expect(try await fixture.storage.secret("github", of: ada) == nil)
            #expect(try await fixture.storage.secret("gitlab", of: ada) == "other")
        }
    }

    @Test func `secrets are their user's own, and go with him`() async throws {
        try await withStorage { fixture in
            let users = try await fixture.users("ada", "bob")
            try await fixture.storage.store(Self.secret, as: "github", of: users[0])
            try await fixture.storage.store("bob's", as: "github", of: users[1])
            #expect(try await fixture.storage.secret("github", of: users[0]) == Self.secret)
            try await fixture.storage.forget("github", of: users[1])
            #expect(try await fixture.storage.secret("github", of: users[0]) == Self.secret)
            try await fixture.pool.write { try $0.execute(sql: "DELETE FROM users") }
            let left = try await fixture.pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM sealed_secrets")
            }
            #expect(left == 0)
        }
    }

    @Test func `nobody's secret is not stored`() async throws {
        try await withStorage { fixture in
            await #expect(throws: RoostError.notFound("There is no such user.")) {
                try await fixture.storage.store(Self.secret, as: "github", of: 99)
            }
        }
    }

    @Test func `a row that is moved to another user does not open there`() async throws {
        try await withStorage { fixture in
            let users = try await fixture.users("ada", "bob")
            try await fixture.storage.store(Self.secret, as: "github", of: users[0])
            try await fixture.pool.write {
                try $0.execute(sql: "UPDATE sealed_secrets SET user_id = ?", arguments: [users[1]])
            }
            await #expect(throws: RoostError.self) {
                try await fixture.storage.secret("github", of: users[1])
            }
        }
    }

    @Test func `a backup of the database alone reveals nothing, and opens with the key only`() async throws {
        try await withStorage { fixture in
            let ada = try await fixture.users("ada")[0]
            try await fixture.storage.store(Self.secret, as: "github", of: ada)
            let backup = fixture.folder + "/backup.sqlite"
            let copy = try DatabaseFile.open(backup)
            try fixture.pool.backup(to: copy)
            try copy.close()
            let key = try String(contentsOfFile: fixture.folder + "/secret.key", encoding: .utf8)
            let rawKey = try #require(Data(base64Encoded: String(key.dropLast())))
            for file in [backup] + ["", "-wal"].map({ fixture.folder + "/roost.sqlite" + $0 }) {
                let bytes = try Data(contentsOf: URL(filePath: file))
                #expect(!bytes.isEmpty)
                let hex = Self.secret.utf8.map { String($0, radix: 16) }.joined()
                let encoded = Data(Self.secret.utf8).base64EncodedString()
                for text in [
                    Self.secret, String(Self.secret.reversed()), encoded, hex, String(key.dropLast()),
                ] {
                    #expect(bytes.range(of: Data(text.utf8)) == nil, "\(file)")
                }
                #expect(bytes.range(of: rawKey) == nil)
            }
            let restored = try DatabaseFile.open(backup)
            let withKey = SealedTokenStorage(
                sealer: try Sealer.load(folder: fixture.folder, environment: [:]),
                store: SealedSecretStore(database: restored), clock: TestClock().wallClock)
            #expect(try await withKey.secret("github", of: ada) == Self.secret)
            let without = SealedTokenStorage(
                sealer: try Sealer.load(folder: fixture.folder + "/elsewhere", environment: [:]),
                store: SealedSecretStore(database: restored), clock: TestClock().wallClock)
            await #expect(throws: RoostError.self) { try await without.secret("github", of: ada) }
            try restored.close()
        }
    }

    @Test(arguments: ["(1, '', zeroblob(40), 1)", "(1, 'x', zeroblob(28), 1)", "(2, 'x', zeroblob(40), 1)"])
    func `the schema refuses what cannot be a sealed secret`(values: String) async throws {
        try await withStorage { fixture in
            _ = try await fixture.users("ada")
            await #expect(throws: DatabaseError.self) {
                try await fixture.pool.write {
                    try $0.execute(sql: "INSERT INTO sealed_secrets VALUES \(values)")
                }
            }
        }
    }
}
