package import Foundation
package import RoostSupport
import TextFormats

package struct ChatSearchQuery: Equatable, Sendable {
    /// Words that must all occur in the message; words in quotation marks form a phrase. The last word may be
    /// incomplete unless a space follows it. If empty, only the filters apply.
    package var text: String
    /// Nil for all conversations.
    package var conversation: ConversationID?
    package var from: UserID?
    package var before: Date?
    package var hasImage: Bool
    package var position: ChatSearchPosition?

    package init(
        text: String, conversation: ConversationID? = nil, from: UserID? = nil, before: Date? = nil,
        hasImage: Bool = false, position: ChatSearchPosition? = nil
    ) {
        self.text = text
        self.conversation = conversation
        self.from = from
        self.before = before
        self.hasImage = hasImage
        self.position = position
    }

    /// Only phrases with a letter or digit, because nothing else is indexed.
    var phrases: [SearchPhrase] { SearchPhrase.phrases(in: text) }
}
