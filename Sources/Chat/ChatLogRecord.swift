import Foundation
import GRDB
import RoostSupport

struct ChatLogRecord: ColumnRecord {
    private(set) var seq: Int64 = 0
    private(set) var conversationId: ConversationID = ""
    private(set) var kind = ""
    private var message: Int64?
    private(set) var data: String?
    /// In a `read` row, the number of the last message that the user has read.
    var readNumber: Int?

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("seq", &seq)
        try columns.column("conversation_id", &conversationId)
        try columns.column("kind", &kind)
        try columns.column("message_seq", &message)
        try columns.column("data", &data)
    }

    static let columns = selection(of: "chat_log")

    /// The changed message of a `message` row, which may be a new one with the row's own seq.
    var messageSeq: Int64? { kind == "message" ? message ?? seq : nil }

    /// The data of `status` rows; the ranges are of seqs.
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

    struct Reading: Codable {
        let readSeq: Int64
        let unread: Int
    }

    var status: Status? { kind == "status" ? decoded(Status.self) : nil }

    /// Returns the entry with the current state of its subject, or nil if that is gone or malformed.
    ///
    /// - Parameter numbers: the messages' numbers at the ends of `status` rows' ranges, by seq
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

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        data.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
