package import RoostSupport

/// Who sends: a person, a webhook under its name, or the alerts of a person, who must be a member then.
package enum ChatSender: Sendable, Hashable {
    case user(UserID)
    case bot(id: Int64, name: String)
    case alerts(of: UserID)

    /// How all people's alerts are called: a name of a person's would stay when the account goes.
    static let alertsName = "Price alert"

    /// Names the sender for ever: with the message's id it makes sending idempotent.
    package var key: String {
        switch self {
        case .user(let user): String(user)
        case .bot(let id, _): "bot-\(id)"
        case .alerts(let user): "alerts-\(user)"
        }
    }
}

/// What a client sends.
package struct NewMessage: Sendable, Equatable {
    /// A UUID of the client's, the same for each attempt.
    package var id: String
    package var text: String
    /// A file that was uploaded to this conversation and not sent yet.
    package var fileId: String?
    /// The number of the message that it answers.
    package var replyTo: Int?

    package init(id: String, text: String, fileId: String? = nil, replyTo: Int? = nil) {
        self.id = id
        self.text = text
        self.fileId = fileId
        self.replyTo = replyTo
    }
}

/// How far a message has come with one of those who were members when it was sent.
package struct MessageReceipt: Sendable, Equatable {
    package let userId: UserID
    package let name: String
    package let username: String
    package let status: MessageStatus

    package init(userId: UserID, name: String, username: String, status: MessageStatus) {
        self.userId = userId
        self.name = name
        self.username = username
        self.status = status
    }
}

/// Somebody who can be written to.
package struct ChatPerson: Sendable, Equatable, Identifiable {
    package let userId: UserID
    package let username: String
    package let name: String
    package let photoURL: String?
    package let isPresent: Bool

    package var id: UserID { userId }
}
