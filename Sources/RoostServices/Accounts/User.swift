package import Foundation

/// A person who uses Roost. The stand-in owner is one too, until the first real owner takes his place.
package struct User: Codable, Equatable, Hashable, Sendable, Identifiable {
    /// What a person may do: an owner looks after Roost itself as well.
    package enum Role: String, Codable, Sendable, CaseIterable {
        case owner, member
    }

    package let userId: UserID
    /// What one signs in with; unique whatever its case.
    package let username: String
    /// There is no mail server: only another name to sign in with. Unique where given.
    package let email: String?
    /// What others see; the user name where there is none.
    package let displayName: String?
    package let role: Role
    /// The server's word to the user.
    package let message: String
    package let createdAt: Date?
    package let updatedAt: Date?
    /// Names the picture's bytes; nil for a person without one.
    package let avatar: String?
    /// The join link that let this person in, while it is remembered.
    package let joinedWith: Int64?
    /// True while nobody has been named owner yet.
    package let isStandIn: Bool

    package var id: UserID { userId }

    /// What a page calls this person.
    package var name: String { displayName ?? username }

    package init(
        userId: UserID, username: String, email: String? = nil, displayName: String? = nil, role: Role,
        message: String = "", createdAt: Date?, updatedAt: Date? = nil, avatar: String? = nil,
        joinedWith: Int64? = nil, isStandIn: Bool = false
    ) {
        self.userId = userId
        self.username = username
        self.email = email
        self.displayName = displayName
        self.role = role
        self.message = message
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.avatar = avatar
        self.joinedWith = joinedWith
        self.isStandIn = isStandIn
    }

    /// At most two letters for a round mark: "Ada Lovelace" is AL.
    package var initials: String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        return words.prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
    }
}
