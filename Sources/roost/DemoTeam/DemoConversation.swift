import Chat

struct DemoConversation: Sendable, Identifiable {
    let id: String
    /// Nil for a direct conversation.
    let name: String?
    /// The creator comes first.
    let members: [String]
    /// In addition to the creator.
    var admins: [String] = []
    /// The visitor's notification setting.
    var notify = ChatNotify.all
    var hasPhoto = false
    /// The number of newest messages by others that the visitor has not read.
    var unread = 0
    /// The visitor's unsent text.
    var draft = ""

    static let all = [
        DemoConversation(
            id: "team", name: "Engine room", members: ["ada", "grace", "alan", "barbara"], admins: ["grace"],
            hasPhoto: true, unread: 3),
        DemoConversation(
            id: "release", name: "Release 1.0", members: ["grace", "ada", "alan", "margaret"],
            notify: .mentions, draft: "I would rather wait until"),
        DemoConversation(
            id: "lunch", name: "Lunch", members: ["alan", "ada", "grace", "barbara"], notify: .none, unread: 4
        ),
        DemoConversation(id: "grace", name: nil, members: ["grace", "ada"], unread: 1),
        DemoConversation(id: "alan", name: nil, members: ["ada", "alan"]),
        DemoConversation(id: "margaret", name: nil, members: ["ada", "margaret"]),
        DemoConversation(id: "katherine", name: nil, members: ["katherine", "ada"]),
    ]
}
