import Foundation
import GRDB
package import RoostSupport

package enum AvatarStore {
    package static let stored = [
        StoredRows("avatars") { row in
            _ = (try row.id("user_id"), try picture(row), try row.text("version"))
        }
    ]

    /// The same list as in the schema, so that only these types are ever served.
    private static let mediaTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    fileprivate static func picture(_ row: Row) throws -> (mediaType: String, bytes: [UInt8]) {
        let mediaType = try row.text("media_type")
        guard mediaTypes.contains(mediaType) else { throw ImpossibleValue(column: "media_type") }
        return (mediaType, try row.bytes("bytes", maximumBytes: CheckedImage.maximumBytes))
    }
}

extension Reads {
    func avatar(of user: UserID, version: String) throws -> (mediaType: String, bytes: [UInt8])? {
        try database.row(
            "SELECT media_type, bytes FROM avatars WHERE user_id = ? AND version = ?", [user, version]
        ).map(AvatarStore.picture)
    }
}

extension Writes {
    func setAvatar(_ image: CheckedImage, version: String, of user: UserID) throws {
        _ = try requiredUser(user)
        try database.execute(
            sql: """
                INSERT INTO avatars (user_id, media_type, bytes, version) VALUES (?, ?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET media_type = excluded.media_type, bytes = excluded.bytes,
                    version = excluded.version
                """,
            arguments: [user, image.mediaType, Data(image.bytes), version])
    }

    func removeAvatar(of user: UserID) throws {
        try database.execute(sql: "DELETE FROM avatars WHERE user_id = ?", arguments: [user])
    }
}
