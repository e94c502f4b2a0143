/// `/chat/new`: whom to write to, and where a shared link goes.
struct ChatNewView: PageView {
    let layout: LayoutView
    let people: [PersonChoiceView]
    /// Offered only where something is shared.
    let conversations: [ConversationRow]
    let sharedText: String?
    let newId: String
    var groupName = ""
    var error: String?

    var hasConversations: Bool { !conversations.isEmpty }
    var hasPeople: Bool { !people.isEmpty }
    var formError: TimedText? { error.map(TimedText.init) }
}
