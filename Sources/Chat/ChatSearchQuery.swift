package import Foundation
package import RoostSupport
import TextFormats

/// What somebody looks for in his conversations.
package struct ChatSearchQuery: Equatable, Sendable {
    /// Words, all of which a message has; words in quotation marks stand together. The last word may be begun only,
    /// unless a blank follows it. Empty: whatever the filters say.
    package var text: String
    /// Nil: all conversations.
    package var conversation: ConversationID?
    package var from: UserID?
    /// Sent before this time.
    package var before: Date?
    package var hasImage: Bool
    /// The `next` of the page before.
    package var cursor: String?

    package init(
        text: String, conversation: ConversationID? = nil, from: UserID? = nil, before: Date? = nil,
        hasImage: Bool = false, cursor: String? = nil
    ) {
        self.text = text
        self.conversation = conversation
        self.from = from
        self.before = before
        self.hasImage = hasImage
        self.cursor = cursor
    }

    /// Those of the text that hold a letter or figure: nothing else is in the index.
    var phrases: [SearchPhrase] { SearchPhrase.phrases(in: text) }
}
