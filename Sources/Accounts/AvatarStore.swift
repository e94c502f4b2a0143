import Foundation
import GRDB
package import RoostSupport

/// People's pictures in SQLite.
package struct AvatarStore: Sendable {
    let database: any DatabaseWriter

    func set(_ image: CheckedImage, version: String, of user: UserID) async throws {
        try await database.write { database in
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
        try await database.write { database in
            try database.execute(sql: "DELETE FROM avatars WHERE user_id = ?", arguments: [user])
        }
    }

    func avatar(of user: UserID, version: String) async throws -> (mediaType: String, bytes: [UInt8])? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT media_type, bytes FROM avatars WHERE user_id = ? AND version = ?"),
                arguments: [user, version]
            ).map(Self.picture)
        }
    }

    package static let stored = [
        StoredRows("avatars") { row in
            _ = (try row.id("user_id"), try picture(row), try row.text("version"))
        }
    ]

    /// As the schema has them: whatever is served has one of these types.
    private static let mediaTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    private static func picture(_ row: Row) throws -> (mediaType: String, bytes: [UInt8]) {
        let mediaType = try row.text("media_type")
        guard mediaTypes.contains(mediaType) else { throw ImpossibleValue(column: "media_type") }
        return (mediaType, try row.bytes("bytes", maximumBytes: CheckedImage.maximumBytes))
    }
}
