import Foundation
import GRDB
import RoostSupport

/// Reads rows of the log as the entries that clients apply.
struct ChatLogRecord {
    let seq: Int64
    let conversationId: ConversationID
    let kind: String
    /// Of a `message` row: another message's place, or its own.
    let messageSeq: Int64?
    let data: String?
    /// Of a `read` row: the number of the last message that the user has read.
    var readNumber: Int?

    static let columns = "seq, conversation_id, kind, message_seq, data"

    init(_ row: Row) throws {
        var reader = RowReader(row)
        seq = try reader.id()
        conversationId = try reader.text()
        kind = try reader.text()
        let message = try reader.ifPresent { try $0.id() }
        messageSeq = kind == "message" ? message ?? seq : nil
        data = try reader.ifPresent { try $0.text(maximumBytes: 16_777_216) }
    }

    /// What `status` rows hold; the ranges are of seqs.
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

        /// - Parameter numbers: of the messages at the ranges' ends, by seq
        func kind(_ numbers: [Int64: Int]) -> ChatLogEntry.Kind? {
            let ranges = ranges.compactMap { pair -> ClosedRange<Int>? in
                guard pair.count == 2, let first = numbers[pair[0]], let last = numbers[pair[1]],
                    first <= last
                else { return nil }
                return first...last
            }
            guard (0...253_402_300_799).contains(at), let last = self.ranges.last?.last else { return nil }
            return .status(status, at: Date(timeIntervalSince1970: at), ranges: ranges, lastSeq: last)
        }
    }

    /// What `read` rows hold.
    struct Reading: Codable {
        let readSeq: Int64
        let unread: Int
    }

    /// Of a `status` row.
    var status: Status? { kind == "status" ? decoded(Status.self) : nil }

    /// The entry with the present state of what it is about; nil where that is gone or cannot be read.
    ///
    /// - Parameter numbers: of the messages at the ends of the ranges in `status` rows, by seq
    func entry(
        _ messages: [Int64: Message], _ conversations: [ConversationID: Conversation], _ numbers: [Int64: Int]
    ) -> ChatLogEntry? {
        let kind: ChatLogEntry.Kind? =
            switch kind {
            case "message": messageSeq.flatMap { messages[$0] }.map { .message($0) }
            case "conversation": conversations[conversationId].map { .conversation($0) }
            case "status": status?.kind(numbers)
            case "read":
                decoded(Reading.self).flatMap { reading in
                    readNumber.map { .read(readNumber: $0, unread: reading.unread) }
                }
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
