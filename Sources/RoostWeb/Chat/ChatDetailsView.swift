import Accounts
import Foundation
import TextFormats

/// `/chat/{id}/details`: members, name, notifications, webhooks and export of a conversation.
package struct ChatDetailsView: PageView, Pictured {
    struct Member: Pictured, Sendable {
        let conversation: String
        let userId: Int64
        let name: String
        let username: String
        let avatar: String?
        let isAdmin, isYou, isPresent: Bool
        /// The reader is an admin, and this is somebody else in a group.
        let mayBeChanged: Bool

        var initials: String { Initials(name).text }
        var tone: Int { Tone.of("\(userId)") }
        var personName: String { self.name }
        var personHandle: String? { User.handle(username, for: self.name) }
        var isMemberAdmin: Bool { isAdmin }
        var memberAddress: String { "/chat/\(conversation)/members/\(userId)" }
    }

    struct Hook: Sendable {
        let conversation: String
        let id: Int64
        let name: String
        /// The name of the member who made it.
        let maker: String
        let usedAt: Date?
        let mayRevoke: Bool
        let now: Date

        var hookName: String { self.name }
        var hookMaker: String { maker }
        var hookUsed: String? { usedAt.map(ISO8601.seconds) }
        var hookUsedWords: String? { usedAt.map { RelativeTime.ago($0, now: now) } }
        var revokeAddress: String { "/chat/\(conversation)/webhooks/\(id)/revoke" }
    }

    /// A webhook that was just made, with its secret address, which is shown once.
    struct NewHook: Sendable {
        let name, address: String

        var hookName: String { self.name }
        var hookAddress: String { address }
    }

    package let layout: LayoutView
    let conversationId: String
    let title: String
    package let avatar: String?
    let toneKey: String
    let groupName: String
    let isGroup, isAdmin: Bool
    /// "all", "mentions" or "none".
    let notify: String
    let members: [Member]
    /// Who may be added.
    var others: [PersonChoiceView]
    let mayHook: Bool
    let hooks: [Hook]
    let newHook: NewHook?
    var isAdding = false
    var error: String?

    package var initials: String { Initials(title).text }
    package var tone: Int { Tone.of(toneKey) }
    var base: String { "/chat/\(conversationId)" }
    var conversationAddress: String { base }
    var memberCount: Int { members.count }
    var mayAdd: Bool { isGroup && isAdmin && !others.isEmpty }
    var formError: TimedText? { error.map(TimedText.init) }
    var notifyChoices: [SelectOption] {
        [("all", "All messages"), ("mentions", "Mentions only"), ("none", "Nothing (mute)")].map {
            SelectOption(value: $0.0, text: $0.1, isChosen: notify == $0.0)
        }
    }

    package static let sample = ChatDetailsView(
        layout: .sample, conversationId: MessageView.sampleConversation, title: "Release 2.0", avatar: nil,
        toneKey: "release", groupName: "Release 2.0", isGroup: true, isAdmin: true, notify: "all",
        members: [
            Member(
                conversation: MessageView.sampleConversation, userId: 1, name: "Ada Lovelace",
                username: "ada",
                avatar: nil, isAdmin: true, isYou: true, isPresent: true, mayBeChanged: false),
            Member(
                conversation: MessageView.sampleConversation, userId: 3, name: "Kurt Gödel", username: "kurt",
                avatar: nil, isAdmin: false, isYou: false, isPresent: false, mayBeChanged: true),
        ], others: [.sample], mayHook: true,
        hooks: [
            Hook(
                conversation: MessageView.sampleConversation, id: 1, name: "Builds", maker: "Ada Lovelace",
                usedAt: .sample - 240, mayRevoke: true, now: .sample)
        ], newHook: NewHook(name: "Builds", address: "/hooks/0123"), error: "That name is too long.")
}
