package import Foundation

/// A person's number in this database.
package typealias UserID = Int64

/// A person who uses Roost. The stand-in owner is one too, until the first real owner takes his place.
package struct User: Codable, Equatable, Hashable, Sendable, Identifiable {
    /// What a person may do: an owner looks after Roost itself as well.
    package enum Role: String, Codable, Sendable {
        case owner, member
    }

    package let userId: UserID
    package let username: String
    package let role: Role
    package let createdAt: Date
    /// True while nobody has been named owner yet.
    package let isStandIn: Bool

    package var id: UserID { userId }

    package init(userId: UserID, username: String, role: Role, createdAt: Date, isStandIn: Bool = false) {
        self.userId = userId
        self.username = username
        self.role = role
        self.createdAt = createdAt
        self.isStandIn = isStandIn
    }

    /// At most two letters for a round mark: "Ada Lovelace" is AL.
    package var initials: String {
        let words = username.split { !$0.isLetter && !$0.isNumber }
        return words.prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
    }
}
