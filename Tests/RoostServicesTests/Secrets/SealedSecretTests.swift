import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite struct SealedSecretTests {
    private static let secret = "ghp_aVerySecretTokenOfAda"

    private struct SecretsFixture {
        let folder: String
        let pool: DatabasePool
        let database: RoostSupport.Database
        let sealer: Sealer

        init(_ pool: DatabasePool, keyIn keyFolder: String, folder: String) throws {
            self.folder = folder
            self.pool = pool
            database = RoostSupport.Database(pool, feed: ChangeFeed(), log: LogCapture().logger)
            sealer = try Sealer.load(folder: keyFolder, environment: [:])
        }

        func put(_ secret: String, as name: String, of user: UserID) async throws {
            try await database.write { [sealer] in
                try $0.putSecret(secret, as: name, of: user, with: sealer, at: TestClock.start)
            }
        }

        func secret(_ name: String, of user: UserID) async throws -> String? {
            try await database.read { try $0.secret(name, of: user, with: sealer) }
        }

        func remove(_ name: String, of user: UserID) async throws {
            try await database.write { try $0.removeSecret(name, of: user) }
        }

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

    private func withSecrets(_ body: (SecretsFixture) async throws -> Void) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await body(SecretsFixture(pool, keyIn: folder, folder: folder))
            try pool.close()
        }
    }

    @Test func `a secret can be stored, read, replaced and deleted`() async throws {
        try await withSecrets { fixture in
            let ada = try await fixture.users("ada")[0]
            #expect(try await fixture.secret("github", of: ada) == nil)
            try await fixture.put(Self.secret, as: "github", of: ada)
            try await fixture.put("other", as: "gitlab", of: ada)
            #expect(try await fixture.secret("github", of: ada) == Self.secret)
            try await fixture.put("newer", as: "github", of: ada)
            #expect(try await fixture.secret("github", of: ada) == "newer")
            try await fixture.remove("github", of: ada)
            try await fixture.remove("github", of: ada)
            #expect(try await fixture.secret("github", of: ada) == nil)
            #expect(try await fixture.secret("gitlab", of: ada) == "other")
        }
    }

    @Test func `secrets belong to their user and are deleted with them`() async throws {
        try await withSecrets { fixture in
            let users = try await fixture.users("ada", "bob")
            try await fixture.put(Self.secret, as: "github", of: users[0])
            try await fixture.put("bob's", as: "github", of: users[1])
            #expect(try await fixture.secret("github", of: users[0]) == Self.secret)
            try await fixture.remove("github", of: users[1])
            #expect(try await fixture.secret("github", of: users[0]) == Self.secret)
            try await fixture.pool.write { try $0.execute(sql: "DELETE FROM users") }
            let left = try await fixture.pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM sealed_secrets")
            }
            #expect(left == 0)
        }
    }

    @Test func `a secret of an unknown user is not stored`() async throws {
        try await withSecrets { fixture in
            await #expect(throws: RoostError.notFound("There is no such user.")) {
                try await fixture.put(Self.secret, as: "github", of: 99)
            }
        }
    }

    @Test func `a row moved to another user does not open`() async throws {
        try await withSecrets { fixture in
            let users = try await fixture.users("ada", "bob")
            try await fixture.put(Self.secret, as: "github", of: users[0])
            try await fixture.pool.write {
                try $0.execute(sql: "UPDATE sealed_secrets SET user_id = ?", arguments: [users[1]])
            }
            await #expect(throws: RoostError.self) {
                try await fixture.secret("github", of: users[1])
            }
        }
    }

    @Test func `a backup of the database alone reveals nothing and opens only with the key`() async throws {
        try await withSecrets { fixture in
            let ada = try await fixture.users("ada")[0]
            try await fixture.put(Self.secret, as: "github", of: ada)
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
            let restored = try DatabasePool(path: backup)
            let withKey = try SecretsFixture(restored, keyIn: fixture.folder, folder: fixture.folder)
            #expect(try await withKey.secret("github", of: ada) == Self.secret)
            let without = try SecretsFixture(
                restored, keyIn: fixture.folder + "/elsewhere", folder: fixture.folder)
            await #expect(throws: RoostError.self) { try await without.secret("github", of: ada) }
            try restored.close()
        }
    }

    @Test(arguments: ["(1, '', zeroblob(40), 1)", "(1, 'x', zeroblob(28), 1)", "(2, 'x', zeroblob(40), 1)"])
    func `the schema rejects an invalid sealed secret`(values: String) async throws {
        try await withSecrets { fixture in
            _ = try await fixture.users("ada")
            await #expect(throws: DatabaseError.self) {
                try await fixture.pool.write {
                    try $0.execute(sql: "INSERT INTO sealed_secrets VALUES \(values)")
                }
            }
        }
    }
}
