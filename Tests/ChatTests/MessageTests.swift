import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import RoostSupport
@testable import TextFormats

private enum Sample {
    static let now = TestClock.start
    static let file = MessageFile(
        id: "6f1c", name: "map.png", type: "image/png", byteCount: 1_200, width: 30, height: 20,
        hasThumbnail: true)

    static func message(
        text: String = "Hello", imageURL: String? = nil, status: MessageStatus = .sent,
        file: MessageFile? = nil
    ) throws -> Message {
        try Message(
            id: "0a", conversationId: "c0", senderId: "7", text: text, imageURL: imageURL, sentAt: now,
            status: status, file: file)
    }

    /// A message with every optional set.
    static func full() throws -> Message {
        var message = try Message(
            id: "0a", conversationId: "c0", senderId: "7", text: "Hello @grace", imageURL: "/chat/files/6f1c",
            sentAt: now, deliveredAt: now + 1, readAt: now + 2, status: .read, senderName: "Ada",
            senderPhotoURL: "/avatars/7/x", deletedAt: now + 9, file: file)
        message.number = 12
        message.editedAt = now + 5
        message.replyTo = .init(seq: 0, number: 11, id: "0b", senderName: "Grace", text: "Well?")
        message.reactions = [.init(emoji: "👍", userIds: [7, 8])]
        message.mentions = [8]
        return message
    }

    static func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
    }

    static func keys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value))
        return Set((object as? [String: Any] ?? [:]).keys)
    }
}

@Suite struct MessageTests {
    @Test func `a message with every optional survives a round trip through JSON`() throws {
        let message = try Sample.full()
        let back = try Sample.roundTrip(message)
        #expect(back == message)
        #expect(back.hashValue == message.hashValue && back.id == "0a")
    }

    @Test func `a message from JSON has its number, and no position in the log`() throws {
        var message = try Sample.full()
        message.seq = 987_654
        let back = try Sample.roundTrip(message)
        #expect(back.seq == 0 && back.number == 12 && back.replyTo?.number == 11)
        message.seq = 0
        #expect(back == message)
    }

    @Test func `a message without optionals survives a round trip through JSON, which leaves them out`()
        throws
    {
        let message = try Sample.message()
        #expect(try Sample.roundTrip(message) == message)
        let keys = try Sample.keys(message)
        #expect(
            keys == [
                "id", "conversationId", "senderId", "text", "sentAt", "status", "seq", "number", "reactions",
                "mentions",
            ])
    }

    @Test func `users and times are strings in JSON`() throws {
        let data = try JSONEncoder().encode(try Sample.full())
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["senderId"] as? String == "7")
        #expect(object["mentions"] as? [String] == ["8"])
        #expect(object["sentAt"] as? String == "2026-11-10T12:00:00Z")
        let file = object["file"] as? [String: Any]
        #expect(file?["url"] as? String == "/chat/files/6f1c")
        #expect(file?["thumbnailURL"] as? String == "/chat/files/6f1c/thumbnail")
    }

    @Test func `a new message has the status "sending"`() throws {
        let message = try Message(
            id: "0a", conversationId: "c0", senderId: "7", text: "Hello", sentAt: Sample.now)
        #expect(message.status == .sending && !message.isDelivered && !message.isRead)
        let json =
            #"{"id":"0a","conversationId":"c0","senderId":"7","text":"Hi","sentAt":"2026-11-10T12:00:00Z"}"#
        let read = try JSONDecoder().decode(Message.self, from: Data(json.utf8))
        #expect(read.status == .sending && read.sentAt == Sample.now)
    }

    @Test func `a message may be an image alone, but not empty`() throws {
        let image = try Sample.message(text: "", imageURL: Sample.file.url, file: Sample.file)
        #expect(try Sample.roundTrip(image) == image)
        #expect(image.preview == "Photo")
        #expect(try Sample.message(text: "", imageURL: "/x").preview == "Photo")
        for text in ["", " \n"] {
            #expect(throws: ValidationError(field: "text", why: "is empty")) {
                try Sample.message(text: text)
            }
        }
    }

    @Test func `a text has at most 16,384 bytes`() throws {
        let longest = String(repeating: "é", count: 8_192)
        #expect(try Sample.message(text: longest).text == longest)
        #expect(throws: ValidationError(field: "text", why: "is too long")) {
            try Sample.message(text: longest + "x")
        }
    }

    @Test(arguments: ["id", "conversationId", "senderId", "text", "sentAt"])
    func `a message without a required field is refused`(field: String) throws {
        let data = try JSONEncoder().encode(try Sample.full())
        var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        object[field] = nil
        let json = try JSONSerialization.data(withJSONObject: object)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(Message.self, from: json) }
    }

    @Test func `an unknown status is refused`() throws {
        let data = try JSONEncoder().encode(try Sample.full())
        var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        object["status"] = "lost"
        let json = try JSONSerialization.data(withJSONObject: object)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(Message.self, from: json) }
    }

    @Test func `a message knows whether it is a given user's`() throws {
        let message = try Sample.message()
        #expect(message.isFromCurrentUser(7) && !message.isFromCurrentUser(8))
        let bot = try Message(id: "0a", conversationId: "c", senderId: "bot-7", text: "x", sentAt: Sample.now)
        #expect(bot.isFromBot && bot.senderUserId == nil && !bot.isFromCurrentUser(7))
    }

    @Test func `messages that differ in any field are not equal`() throws {
        let message = try Sample.full()
        var variants = [message, message, message]
        variants[0].reactions = []
        variants[1].editedAt = nil
        variants[2].text = "Hello"
        for other in variants { #expect(other != message) }
        #expect(Set(variants + [message, message]).count == 4)
    }

    @Test func `delivered and read messages count as delivered`() throws {
        let delivered: [MessageStatus] = [.delivered, .read]
        for status in MessageStatus.allCases {
            let message = try Sample.message(status: status)
            #expect(message.isDelivered == delivered.contains(status))
            #expect(message.isRead == (status == .read))
        }
    }

    @Test func `a list describes what a message contains`() throws {
        #expect(try Sample.message().preview == "Hello")
        #expect(try Sample.full().preview == "Message deleted")
        let file = MessageFile(id: "1", name: "notes.txt", type: "text/plain", byteCount: 3)
        #expect(try Sample.message(text: "", file: file).preview == "notes.txt")
    }

    @Test func `a member who joined later does not see the text that a message quotes`() throws {
        var message = try Sample.full()
        message.replyTo = .init(seq: 11, number: 2, id: "0b", senderName: "Grace", text: "Well?")
        #expect(message.visible(after: 10) == message)
        #expect(message.visible(after: 11).replyTo?.text == "")
        #expect(message.visible(after: 11).replyTo?.senderName == "Grace")
    }
}

@Suite struct MessageStatusTests {
    @Test(arguments: zip(MessageStatus.allCases, ["Sending...", "Sent", "Delivered", "Read", "Failed"]))
    func `each status has the mission's name`(status: MessageStatus, text: String) {
        #expect(status.text == text)
    }

    @Test func `only the mission's status changes are allowed`() {
        let steps: [[MessageStatus]] = [
            [.sending, .sent], [.sent, .delivered], [.delivered, .read], [.sending, .failed],
            [.failed, .sending],
        ]
        for from in MessageStatus.allCases {
            for to in MessageStatus.allCases {
                #expect(from.canBecome(to) == steps.contains([from, to]), "\(from) to \(to)")
            }
        }
    }

    @Test func `a message goes through every status and records the times`() throws {
        var message = try Message(
            id: "0a", conversationId: "c0", senderId: "7", text: "x", sentAt: Sample.now)
        try message.move(to: .failed, at: Sample.now)
        try message.move(to: .sending, at: Sample.now)
        try message.move(to: .sent, at: Sample.now)
        #expect(message.deliveredAt == nil)
        try message.move(to: .delivered, at: Sample.now + 1)
        try message.move(to: .read, at: Sample.now + 2)
        #expect(message.deliveredAt == Sample.now + 1 && message.readAt == Sample.now + 2)
    }

    @Test func `a status change that is not allowed changes nothing`() throws {
        var message = try Sample.message(status: .read)
        let error = ValidationError(field: "status", why: "cannot go from read to sent")
        #expect(throws: error) { try message.move(to: .sent, at: Sample.now) }
        #expect(try message == Sample.message(status: .read))
    }
}

@Suite struct ConversationTests {
    private func conversation(
        _ participants: [UserID], isGroup: Bool, groupName: String? = nil, groupPhotoURL: String? = nil
    ) throws -> Conversation {
        try Conversation(
            id: "c0", participants: participants, isGroup: isGroup, groupName: groupName,
            groupPhotoURL: groupPhotoURL, createdBy: participants.first, createdAt: Sample.now,
            members: participants.map {
                .init(userId: $0, name: "User \($0)", username: "user\($0)", photoURL: "/avatars/\($0)/v")
            })
    }

    @Test func `a new conversation has no last message`() throws {
        let pair = try conversation([7, 8], isGroup: false)
        #expect(pair.lastMessage == "" && pair.lastMessageAt == Sample.now && pair.lastMessageSenderId == nil)
        #expect(pair.unreadCount.isEmpty && pair.unreadCount(for: 7) == 0)
        #expect(pair.admins == nil && !pair.isAdmin(7))
        let group = try conversation([7, 8, 9], isGroup: true)
        #expect(group.admins == [7] && group.isAdmin(7) && !group.isAdmin(8))
    }

    @Test func `a group of twelve with every optional survives a round trip through JSON`() throws {
        var group = try conversation(Array(1...12), isGroup: true, groupName: "Crew", groupPhotoURL: "/p")
        (group.lastMessage, group.lastMessageAt, group.lastMessageSenderId) = ("Hi", Sample.now + 3, "4")
        group.unreadCount = [4: 2, 12: 11]
        group.lastNumber = 99
        let back = try Sample.roundTrip(group)
        #expect(back == group && back.hashValue == group.hashValue)
        #expect(back.participants.count == 12 && back.members.count == 12)
    }

    @Test func `a pair without optionals survives a round trip through JSON, which leaves them out`() throws {
        let pair = try Conversation(
            id: "c0", participants: [7, 8], isGroup: false, createdBy: nil, createdAt: Sample.now)
        #expect(try Sample.roundTrip(pair) == pair)
        #expect(
            try Sample.keys(pair) == [
                "id", "participants", "isGroup", "lastMessage", "lastMessageAt", "createdAt", "members",
                "lastSeq",
            ])
    }

    @Test func `a pair is shown under the other person's name`() throws {
        let pair = try conversation([7, 8], isGroup: false)
        #expect(pair.otherParticipant(for: 7) == 8 && pair.otherParticipant(for: 8) == 7)
        #expect(pair.displayName(for: 7) == "User 8" && pair.displayPhotoURL(for: 7) == "/avatars/8/v")
        let alone = try conversation([7], isGroup: false)
        #expect(alone.displayName(for: 7) == "Unknown" && alone.displayPhotoURL(for: 7) == nil)
    }

    @Test func `a group is shown under its name`() throws {
        let group = try conversation([7, 8, 9], isGroup: true, groupName: "Crew", groupPhotoURL: "/p")
        #expect(group.otherParticipant(for: 7) == nil)
        #expect(group.displayName(for: 7) == "Crew" && group.displayPhotoURL(for: 7) == "/p/thumbnail")
        let unnamed = try conversation([7, 8, 9], isGroup: true)
        #expect(unnamed.displayName(for: 7) == "Group Chat" && unnamed.displayPhotoURL(for: 7) == nil)
    }

    @Test func `a conversation without an id or participants is refused`() {
        #expect(throws: ValidationError(field: "participants", why: "is empty")) {
            try Conversation(id: "c", participants: [], isGroup: true, createdBy: 1, createdAt: Sample.now)
        }
        #expect(throws: ValidationError(field: "id", why: "is empty")) {
            try Conversation(id: "", participants: [1], isGroup: true, createdBy: 1, createdAt: Sample.now)
        }
    }

    @Test func `a member who joined later does not see an earlier last message`() throws {
        var group = try conversation([7, 8, 9], isGroup: true)
        (group.lastMessage, group.lastMessageSenderId) = ("Secret", "7")
        (group.lastSeq, group.lastNumber) = (40, 3)
        #expect(group.visible(after: 39) == group)
        let hidden = group.visible(after: 40)
        #expect(hidden.lastMessage == "" && hidden.lastMessageSenderId == nil)
        #expect(hidden.lastSeq == 0 && hidden.lastNumber == 0)
    }
}

@Suite struct TypingStatusTests {
    @Test(arguments: [(0, false), (2.999, false), (3, false), (3.001, true), (5, true)])
    func `typing is stale when it is more than three seconds old`(age: TimeInterval, isStale: Bool) {
        let status = TypingStatus(userId: 7, conversationId: "c0", startedAt: Sample.now)
        #expect(status.isStale(at: Sample.now + age) == isStale)
    }

    @Test func `a status survives a round trip through JSON`() throws {
        let status = TypingStatus(
            userId: 7, conversationId: "c0", isTyping: false, startedAt: Sample.now + 1)
        #expect(try Sample.roundTrip(status) == status)
        #expect(try status.hashValue == Sample.roundTrip(status).hashValue)
        #expect(status.id == 7)
        #expect(try Sample.keys(status) == ["userId", "conversationId", "isTyping", "startedAt"])
    }

    @Test func `a status without further fields means that the user just started typing`() throws {
        let before = Date()
        let json = Data(#"{"userId":"7","conversationId":"c0"}"#.utf8)
        let status = try JSONDecoder().decode(TypingStatus.self, from: json)
        #expect(status.isTyping && (before...Date()).contains(status.startedAt))
        #expect(TypingStatus(userId: 7, conversationId: "c0").isTyping)
    }
}

@Suite struct ChatLogEntryTests {
    private func object(_ kind: ChatLogEntry.Kind) throws -> [String: Any] {
        let entry = ChatLogEntry(seq: 5, conversationId: "c0", kind: kind)
        let object = try JSONSerialization.jsonObject(with: Data(try entry.json))
        return try #require(object as? [String: Any])
    }

    @Test func `a status entry lists the messages that have at least this status`() throws {
        let status = try object(.status(.read, at: Sample.now, ranges: [1...3, 7...7], lastSeq: 1_234))
        #expect(status["kind"] as? String == "status")
        #expect(status["status"] as? String == "read" && status["conversationId"] as? String == "c0")
        #expect(status["ranges"] as? [[Int]] == [[1, 3], [7, 7]])
        #expect(status["at"] as? String == "2026-11-10T12:00:00Z")
    }

    @Test func `each kind of entry has its own fields`() throws {
        #expect(try object(.read(readNumber: 4, unread: 2))["unread"] as? Int == 2)
        #expect(try object(.read(readNumber: 4, unread: 2))["readSeq"] as? Int == 4)
        #expect(try object(.settings(.mentions))["notify"] as? String == "mentions")
        #expect(try object(.draft("Half"))["text"] as? String == "Half")
        #expect(Set(try object(.removed).keys) == ["kind", "conversationId"])
        let message = try object(.message(try Sample.full()))["message"] as? [String: Any]
        #expect(message?["id"] as? String == "0a")
    }

    @Test func `clients get numbers within the conversation, never positions in the shared log`() throws {
        var message = try Sample.full()
        message.seq = 987_654
        message.replyTo = .init(seq: 987_653, number: 11, id: "0b", senderName: "Grace", text: "Well?")
        var group = try Conversation(
            id: "c0", participants: [7], isGroup: true, createdBy: 7, createdAt: Sample.now)
        (group.lastSeq, group.lastNumber) = (987_654, 12)
        let kinds: [ChatLogEntry.Kind] = [
            .message(message), .conversation(group), .read(readNumber: 12, unread: 0),
            .status(.read, at: Sample.now, ranges: [11...12], lastSeq: 987_654),
        ]
        for kind in kinds {
            let json = try ChatLogEntry(seq: 987_655, conversationId: "c0", kind: kind).json
            #expect(!String(decoding: json, as: UTF8.self).contains("98765"), "\(kind.name)")
        }
        let entry = try object(.message(message))
        let shown = try #require(entry["message"] as? [String: Any])
        #expect(shown["seq"] as? Int == 12 && shown["number"] as? Int == 12)
        #expect((shown["replyTo"] as? [String: Any])?["seq"] as? Int == 11)
        #expect(entry["isNew"] as? Bool == false)
        message.seq = 5
        #expect(try object(.message(message))["isNew"] as? Bool == true)
    }

    @Test func `an entry is rendered once per name, for all its copies`() {
        let entry = ChatLogEntry(seq: 5, conversationId: "c0", kind: .removed)
        let copy = entry
        let first = entry.rendered("html") { _ in [1] }
        let second = copy.rendered("html") { _ in [2] }
        let other = copy.rendered("other") { _ in [3] }
        #expect(first == [1] && second == [1] && other == [3])
    }
}
