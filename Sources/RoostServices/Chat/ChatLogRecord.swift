import Foundation
import GRDB

/// Reads rows of the log as the entries that clients apply.
struct ChatLogRecord {
    let seq: Int64
    let conversationId: ConversationID
    let kind: String
    /// Of a `message` row: another message's place, or its own.
    let messageSeq: Int64?
    let data: String?

    static let columns = "seq, conversation_id, kind, message_seq, data"

    init(_ row: Row) throws {
        seq = try row.id("seq")
        conversationId = try row.text("conversation_id")
        kind = try row.text("kind")
        messageSeq = kind == "message" ? try row.idIfPresent("message_seq") ?? seq : nil
        data = try row.textIfPresent("data", maximumBytes: 16_777_216)
    }

    /// What `status` rows hold.
    struct Status: Codable {
        let status: MessageStatus
        /// Seconds since 1970.
        let at: Double
        let ranges: [[Int64]]

        init(_ status: MessageStatus, at: Double, _ ranges: [ClosedRange<Int64>]) {
            self.status = status
            self.at = at
            self.ranges = ranges.map { [$0.lowerBound, $0.upperBound] }
        }

        var kind: ChatLogEntry.Kind? {
            let ranges = ranges.compactMap { pair in
                pair.count == 2 && pair[0] <= pair[1] ? pair[0]...pair[1] : nil
            }
            guard (0...253_402_300_799).contains(at) else { return nil }
            return .status(status, at: Date(timeIntervalSince1970: at), ranges: ranges)
        }
    }

    /// What `read` rows hold.
    struct Reading: Codable {
        let readSeq: Int64
        let unread: Int
    }

    /// The entry with the present state of what it is about; nil where that is gone or cannot be read.
    func entry(
        _ messages: [Int64: Message], _ conversations: [ConversationID: Conversation]
    ) -> ChatLogEntry? {
        let kind: ChatLogEntry.Kind? =
            switch kind {
            case "message": messageSeq.flatMap { messages[$0] }.map { .message($0) }
            case "conversation": conversations[conversationId].map { .conversation($0) }
            case "status": decoded(Status.self)?.kind
            case "read": decoded(Reading.self).map { .read(readSeq: $0.readSeq, unread: $0.unread) }
            case "settings": data.flatMap { ChatNotify(rawValue: $0) }.map { .settings($0) }
            case "draft": data.map { .draft($0) }
            case "removed": .removed
            default: nil
            }
        return kind.map { ChatLogEntry(seq: seq, conversationId: conversationId, kind: $0) }
    }

    private func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        data.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
