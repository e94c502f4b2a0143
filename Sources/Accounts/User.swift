package import Foundation
package import RoostSupport

/// A user account. The placeholder owner (`isPlaceholder`) is one too, until the first real owner replaces it.
package struct User: Equatable, Hashable, Sendable, Identifiable {
    package enum Role: String, Codable, Sendable, CaseIterable, ColumnValue {
        case owner, member
    }

    package private(set) var userId: UserID
    /// The name to sign in with; unique regardless of case.
    package private(set) var username: String
    /// A second name to sign in with; Roost sends no mail. Unique if set.
    package var email: String?
    package var displayName: String?
    package private(set) var role: Role
    /// A message from the server to the user.
    package var message = ""
    package private(set) var createdAt: Date?
    package var updatedAt: Date?
    /// The version of the picture; nil without one.
    package var avatar: String?
    package var joinedWith: Int64?
    package var isPlaceholder = false
    /// Another member has a look-alike name, which early versions allowed.
    var showsUsername = false

    package var id: UserID { userId }

    /// The name that pages display; equals the database's `shown_name`.
    package var name: String {
        (displayName ?? username) + (showsUsername ? " (@\(username))" : "")
    }

    /// "@ada", to display next to `name`; nil if `name` already includes it.
    package var handle: String? { Self.handle(username, for: name) }

    package static func handle(_ username: String, for name: String) -> String? {
        name == username || name.hasSuffix(" (@\(username))") ? nil : "@\(username)"
    }

    /// At most two letters, for users without a picture: "Ada Lovelace" is AL.
    package var initials: String {
        let words = (displayName ?? username).split { !$0.isLetter && !$0.isNumber }
        return words.prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
    }
}

extension User: ColumnRecord {
    package init() { self.init(userId: 0, username: "", role: .member, createdAt: nil) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &userId)
        try columns.column("username", &username)
        try columns.column("email", &email)
        try columns.column("display_name", &displayName)
        try columns.column("role", &role)
        try columns.column("message", &message)
        try columns.column("created_at", &createdAt)
        try columns.column("updated_at", &updatedAt)
        try columns.column("joined_with", &joinedWith)
        try columns.column("is_stand_in", &isPlaceholder)
        try columns.column("shows_username", &showsUsername)
        // A bad picture row must not hide the user. Last, because a failed column is not passed over.
        try? columns.column(
            "avatar", sql: "(SELECT version FROM avatars WHERE user_id = users.id)", &avatar)
    }
}

extension User: Codable {
    private enum CodingKeys: String, CodingKey {
        case userId, username, email, displayName, role, message, createdAt, updatedAt, avatar, joinedWith
        case isPlaceholder = "isStandIn"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            userId: try values.decode(JSONUserID.self, forKey: .userId).id,
            username: try values.decode(String.self, forKey: .username),
            email: try values.decodeIfPresent(String.self, forKey: .email),
            displayName: try values.decodeIfPresent(String.self, forKey: .displayName),
            role: try values.decode(Role.self, forKey: .role),
            message: try values.decode(String.self, forKey: .message),
            createdAt: try values.decodeIfPresent(Date.self, forKey: .createdAt),
            updatedAt: try values.decodeIfPresent(Date.self, forKey: .updatedAt),
            avatar: try values.decodeIfPresent(String.self, forKey: .avatar),
            joinedWith: try values.decodeIfPresent(Int64.self, forKey: .joinedWith),
            isPlaceholder: try values.decode(Bool.self, forKey: .isPlaceholder))
    }

    /// Encodes the id as a string and a missing e-mail address as null. Other missing values are left out.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(JSONUserID(userId), forKey: .userId)
        try values.encode(username, forKey: .username)
        try values.encode(email, forKey: .email)
        try values.encodeIfPresent(displayName, forKey: .displayName)
        try values.encode(role, forKey: .role)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(createdAt, forKey: .createdAt)
        try values.encodeIfPresent(updatedAt, forKey: .updatedAt)
        try values.encodeIfPresent(avatar, forKey: .avatar)
        try values.encodeIfPresent(joinedWith, forKey: .joinedWith)
        try values.encode(isPlaceholder, forKey: .isPlaceholder)
    }
}
