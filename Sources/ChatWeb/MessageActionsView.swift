import TextFormats

/// The actions of one message, for browsers without scripts. Shown below the message that the page was opened for.
struct MessageActionsView: Sendable {
    struct Receipt: Sendable {
        let name, status, text: String
    }

    let conversation: String
    let seq: Int
    let isOwn: Bool
    /// Before markup.
    let rawText: String
    var editError: String?
    let receipts: [Receipt]

    private var address: String { "/chat/\(conversation)" }

    var emojis: [String] { EmojiNames.quick }
    var hasReceipts: Bool { !receipts.isEmpty }
    var reactAddress: String { "\(address)/messages/\(seq)/react" }
    var editAddress: String { "\(address)/messages/\(seq)/edit" }
    var deleteAddress: String { "\(address)/messages/\(seq)/delete" }
    var unreadAddress: String { "\(address)/messages/\(seq)/unread" }
    var replyAddress: String { "\(address)?reply=\(seq)#composer" }
    var closeAddress: String { "\(address)#m-\(seq)" }
}
