import Foundation
import TestSupport

@testable import Chat
@testable import RoostServices
@testable import RoostSupport

struct ChatFixture: Sendable {
    let services: ServicesFixture
    let ada, grace, alan: UserID

    var chat: ChatService { services.services.chat.conversations }
    var clock: TestClock { services.clock }

    /// A UUID that is the same in every run.
    static func id(_ number: Int) -> String {
        let text = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - text.count) + text
    }

    func pair() async throws -> ConversationID {
        try await chat.start(with: [grace], groupName: nil, id: nil, by: ada).conversation.id
    }

    /// A group of all three, with Ada as admin.
    func group(_ name: String? = "Crew") async throws -> ConversationID {
        try await chat.start(with: [grace, alan], groupName: name, id: nil, by: ada).conversation.id
    }

    @discardableResult
    func send(
        _ text: String, to id: ConversationID, by user: UserID, replyTo: Int? = nil
    ) async throws -> Message {
        try await chat.send(
            NewMessage(id: UUID().uuidString, text: text, replyTo: replyTo), to: id, by: .user(user)
        ).message
    }

    func unread(_ id: ConversationID, _ user: UserID) async throws -> Int {
        try await chat.conversation(id, for: user).unread
    }

    func status(_ message: Message) async throws -> MessageStatus {
        guard let sender = message.senderUserId else { return message.status }
        return try await chat.message(message.seq, for: sender).status
    }

    func texts(_ id: ConversationID, _ user: UserID) async throws -> [String] {
        try await chat.page(of: id, for: user, limit: 500).messages.map(\.text)
    }

    /// The kinds of the log entries on the disk after this position.
    func kinds(after seq: Int64, _ user: UserID) async throws -> [String] {
        try await chat.log(for: user, after: seq).entries.map(\.kind.name)
    }

    /// Adds accounts without passwords and returns their ids.
    func addUsers(_ count: Int) throws -> [UserID] {
        try services.change(
            """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO users (username, name_key, role, created_at)
            SELECT 'user' || n, 'user' || n, 'member', 1700000000 FROM numbers
            """)
        return try services.sql(
            Int64.self, "SELECT id FROM users WHERE username LIKE 'user%' ORDER BY id")
    }
}

@discardableResult
func withChat<Value>(
    burst: Int = 1_000_000, rate: Int = 1_000_000, _ body: (ChatFixture) async throws -> Value
) async throws -> Value {
    try await withServices(
        plan: .keyless,
        {
            $0.passwordCost = .cheap
            ($0.chatBurst, $0.chatRate) = (burst, rate)
        }
    ) { fixture in
        try await fixture.services.load()
        let ada = try await fixture.add("ada", .owner, displayName: "Ada")
        let grace = try await fixture.add("grace", displayName: "Grace")
        let alan = try await fixture.add("alan")
        return try await body(
            ChatFixture(services: fixture, ada: ada.userId, grace: grace.userId, alan: alan.userId))
    }
}
