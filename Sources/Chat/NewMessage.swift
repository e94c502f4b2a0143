package import RoostSupport

/// The sender of a message: a user, a webhook, or the alerts of a user, who must be a member.
package enum ChatSender: Sendable, Hashable {
    case user(UserID)
    case bot(id: Int64, name: String)
    case alerts(of: UserID)

    /// The same for all users, because a user's name would stay after the account is deleted.
    static let alertsName = "Price alert"

    /// Identifies the sender permanently. Together with the message's id it makes sending idempotent.
    package var key: String {
        switch self {
        case .user(let user): String(user)
        case .bot(let id, _): "bot-\(id)"
        case .alerts(let user): "alerts-\(user)"
        }
    }
}

package struct NewMessage: Sendable, Equatable {
    /// The client's UUID, the same for each attempt.
    package var id: String
    package var text: String
    /// A file uploaded to this conversation and not sent yet.
    package var fileId: String?
    package var replyTo: Int?

    package init(id: String, text: String, fileId: String? = nil, replyTo: Int? = nil) {
        self.id = id
        self.text = text
        self.fileId = fileId
        self.replyTo = replyTo
    }
}

/// The status of a message for one member at the time of sending.
package struct MessageReceipt: Sendable, Equatable {
    package let userId: UserID
    package let name: String
    package let username: String
    package let status: MessageStatus
}

package struct ChatPerson: Sendable, Equatable, Identifiable {
    package let userId: UserID
    package let username: String
    package let name: String
    package let photoURL: String?
    package let isPresent: Bool

    package var id: UserID { userId }
}
