import Foundation
import GRDB

/// People's pictures in SQLite.
struct AvatarStore: Sendable {
    let accounts: AccountBookStore

    func set(_ image: CheckedImage, version: String, of user: UserID) async throws {
        try await accounts.change { database in
            _ = try AccountStore.one(user, in: database)
            try database.execute(
                sql: """
                    INSERT INTO avatars (user_id, media_type, bytes, version) VALUES (?, ?, ?, ?)
                    ON CONFLICT (user_id) DO UPDATE SET media_type = excluded.media_type, bytes = excluded.bytes,
                        version = excluded.version
                    """,
                arguments: [user, image.mediaType, Data(image.bytes), version])
        }
    }

    func remove(of user: UserID) async throws {
        try await accounts.change { database in
            try database.execute(sql: "DELETE FROM avatars WHERE user_id = ?", arguments: [user])
        }
    }

    func avatar(of user: UserID, version: String) async throws -> (mediaType: String, bytes: [UInt8])? {
        try await accounts.database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT media_type, bytes FROM avatars WHERE user_id = ? AND version = ?",
                arguments: [user, version]
            ).map { ($0["media_type"], Array($0["bytes"] as Data)) }
        }
    }
}
