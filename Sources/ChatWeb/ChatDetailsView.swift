import Accounts
import Foundation
import RoostWeb
import TextFormats

struct ChatDetailsView: PageView, Pictured {
    struct Member: Pictured, Sendable {
        let conversation: String
        let userId: Int64
        let name: String
        let username: String
        let avatar: String?
        let isAdmin, isYou, isPresent: Bool
        /// The reader is an admin, and this is another member of a group.
        let mayBeChanged: Bool

        var initials: String { Initials(name).text }
        var tone: Int { Tone.of("\(userId)") }
        var personHandle: String? { User.handle(username, for: self.name) }
        var memberAddress: String { "/chat/\(conversation)/members/\(userId)" }
    }

    struct Hook: Sendable {
        let conversation: String
        let id: Int64
        let name: String
        let creator: String
        let usedAt: Date?
        let mayRevoke: Bool
        let now: Date

        var hookUsed: String? { usedAt.map(ISO8601.seconds) }
        var hookUsedAge: String? { usedAt.map { RelativeTime.ago($0, now: now) } }
        var revokeAddress: String { "/chat/\(conversation)/webhooks/\(id)/revoke" }
    }

    /// A new webhook with its secret address, shown only once.
    struct NewHook: Sendable {
        let name, address: String
    }

    let layout: LayoutView
    let conversationId: String
    let title: String
    let avatar: String?
    let toneKey: String
    let groupName: String
    let isGroup, isAdmin: Bool
    /// "all", "mentions" or "none".
    let notify: String
    let members: [Member]
    var candidates: [PersonChoiceView]
    let mayManageHooks: Bool
    let hooks: [Hook]
    let newHook: NewHook?
    var isAdding = false
    var error: String?

    var initials: String { Initials(title).text }
    var tone: Int { Tone.of(toneKey) }
    var base: String { "/chat/\(conversationId)" }
    var mayAdd: Bool { isGroup && isAdmin && !candidates.isEmpty }
    var formError: TimedText? { error.map(TimedText.init) }
    var notifyChoices: [SelectOption] {
        [("all", "All messages"), ("mentions", "Mentions only"), ("none", "Nothing (mute)")].map {
            SelectOption(value: $0.0, text: $0.1, isChosen: notify == $0.0)
        }
    }
}
