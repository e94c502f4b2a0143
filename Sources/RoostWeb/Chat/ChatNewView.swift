/// `/chat/new`: whom to write to, and where a shared link goes.
package struct ChatNewView: PageView {
    package let layout: LayoutView
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

    package static let sample = ChatNewView(
        layout: .sample, people: [.sample], conversations: ConversationRow.samples,
        sharedText: "/coins/bitcoin", newId: "5f0b5f0e-3f37-4d1c-8f53-2f6c2d7a9f11", groupName: "Release",
        error: "Choose somebody.")
}
