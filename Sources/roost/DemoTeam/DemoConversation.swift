import Chat

/// A conversation of the demo's team.
struct DemoConversation: Sendable, Identifiable {
    let id: String
    /// Nil between two people.
    let name: String?
    /// Who began it comes first.
    let members: [String]
    /// Beside the one who began it.
    var admins: [String] = []
    /// What the visitor wants to hear of.
    var notify = ChatNotify.all
    var hasPhoto = false
    /// What the visitor has not read: so many of the newest messages of others.
    var unread = 0
    /// What the visitor has begun to write.
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
