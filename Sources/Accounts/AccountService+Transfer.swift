import Foundation
import GRDB
package import RoostSupport

extension AccountService {
    /// Profiles and preferences in an export of all data. Passwords, sessions and tokens stay behind.
    package static var transferParts: [TransferPart] { [profilePart, preferencesPart] }

    private struct ProfileRow: Codable {
        var username: String
        var displayName, email: String?
        var role: User.Role
        var createdAt: Date?
        /// The picture.
        var path: String?
    }

    private static let picture = "picture"

    private static var profilePart: TransferPart {
        let picture = TransferFiles(maximumBytes: CheckedImage.maximumBytes) { reads, source, key in
            guard key == 0, let user = try source.user.flatMap({ try reads.user($0) }) else {
                return ([], nil)
            }
            return (user.avatar == nil ? [] : [Self.picture], nil)
        } content: { reads, source, _ in
            guard let user = try source.user.flatMap({ try reads.user($0) }), let version = user.avatar
            else { return nil }
            return try reads.avatar(of: user.userId, version: version)?.bytes
        }
        return TransferPart("profile", files: picture) { reads, source, key in
            guard key == 0, let user = try source.user.flatMap({ try reads.user($0) }) else {
                return TransferPage([])
            }
            let row = ProfileRow(
                username: user.username, displayName: user.displayName, email: user.email, role: user.role,
                createdAt: user.createdAt, path: user.avatar == nil ? nil : Self.picture)
            return TransferPage(lines: [try TransferLine.json(row)], next: nil)
        } merge: { row in
            let (id, now) = (try row.user, row.context.now)
            let draft: ProfileRow = try row.decode()
            let image = try row.content.map { try CheckedImage($0) }
            return { writes in
                let user = try writes.requiredUser(id)
                var (isChanged, why): (Bool, String?) = (false, nil)
                let (email, name) = (user.email ?? draft.email, user.displayName ?? draft.displayName)
                if email != user.email || name != user.displayName {
                    do {
                        try writes.database.inSavepoint {
                            try writes.changeUser(id, email: email, displayName: name, at: now)
                            return .commit
                        }
                        isChanged = true
                    } catch let error as RoostError { why = error.message }
                }
                if let image, user.avatar == nil {
                    try writes.setAvatar(image, version: Secret.make(bytes: 9), of: id)
                    isChanged = true
                }
                if isChanged { writes.publish(Topic.account(id), Topic.members) }
                return TransferResult(isChanged ? .updated : .unchanged, why: why)
            }
        }
    }

    private struct PreferencesRow: Codable {
        var name: String
        var value: TransferFields
    }

    /// The keys of all features.
    private static let preferenceNames: Set = [
        "formats", "home", "pulls", "reading", "repositories", "watchlist",
    ]

    /// Keeps what the user has chosen here.
    private static var preferencesPart: TransferPart {
        TransferPart("preferences") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let rows = try reads.database.rows(
                "SELECT name, value FROM preferences WHERE user_id = ? ORDER BY name", [user])
            let lines = try rows.compactMap { row -> [UInt8]? in
                // Not the time of the last visit.
                guard let name = try? row.text("name"), preferenceNames.contains(name),
                    let value: TransferFields = try? row.json("value")
                else { return nil }
                return try TransferLine.json(PreferencesRow(name: name, value: value))
            }
            return TransferPart.all(lines, after: key)
        } merge: { row in
            let user = try row.user
            let draft: PreferencesRow = try row.decode()
            guard preferenceNames.contains(draft.name) else {
                throw RoostError.file("This Roost doesn’t know these preferences.")
            }
            guard row.bytes.count <= 65_536 else { throw RoostError.file("These preferences are too long.") }
            let value = String(decoding: try TransferLine.json(draft.value), as: UTF8.self)
            return { writes in
                let existing = try writes.database.value(
                    String.self, "SELECT value FROM preferences WHERE user_id = ? AND name = ?",
                    [user, draft.name])
                if let existing {
                    let fields = try? JSONDecoder().decode(TransferFields.self, from: Data(existing.utf8))
                    return fields == draft.value ? .unchanged : .skipped("You have chosen your own here.")
                }
                try writes.execute(
                    "INSERT INTO preferences (user_id, name, value) VALUES (?, ?, ?)",
                    [user, draft.name, value])
                writes.publish(Topic.account(user))
                return .added
            }
        }
    }
}
