import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import Market
@testable import RoostSupport

/// A fired alert is posted once, to its conversation, while its owner is a member.
@Suite struct AlertDeliveryTests {
    private struct Posting {
        let chat: ChatFixture
        let group: ConversationID
        let alert: CoinAlert

        var alerts: AlertService { chat.services.services.market.alerts }

        func price(_ price: String) async {
            chat.services.script.set("bitcoin", to: price)
            chat.clock.advance(61)
            await chat.services.prices.refresh()
            await alerts.check(chat.services.prices.snapshot(in: "usd"))
        }

        func cross() async {
            await price("80000")
            await price("95000")
        }

        func conversations(of user: UserID) async throws -> [AlertConversation] {
            let alerts = alerts
            return try await chat.services.services.database.read {
                try alerts.conversations($0, of: user)
            }
        }

        func texts() async throws -> [String] { try await chat.texts(group, chat.ada) }

        func current() async throws -> CoinAlert { try await alerts.alert(alert.id, of: chat.ada) }
    }

    private static let text = "Bitcoin rose above 90,000 USD: it is at 95,000 USD. /coins/bitcoin"

    private func withPosting(_ body: (Posting) async throws -> Void) async throws {
        try await withChat { chat in
            await chat.services.loadCoins()
            let group = try await chat.group()
            let alert = try await chat.services.services.market.alerts.add(
                NewAlert(coinId: "bitcoin", kind: .above, threshold: "90000", conversationId: group),
                for: chat.ada)
            try await body(Posting(chat: chat, group: group, alert: alert))
        }
    }

    @Test func `the conversations on offer are the user's own, by the names that the user sees`() async throws
    {
        try await withPosting { posting in
            let pair = try await posting.chat.pair()
            let hers = try await posting.conversations(of: posting.chat.ada)
            #expect(Set(hers.map(\.name)) == ["Crew", "Grace"])
            let his = try await posting.conversations(of: posting.chat.alan)
            #expect(his.map(\.id) == [posting.group])
            #expect(hers.contains { $0.id == pair })
        }
    }

    @Test func `a crossing is posted with a link to the coin, unread for the alert's owner too`() async throws
    {
        try await withPosting { posting in
            await posting.cross()
            let message = try #require(
                try await posting.chat.chat.page(of: posting.group, for: posting.chat.grace).messages.last)
            #expect(message.text == Self.text)
            #expect(message.senderName == "Price alert")
            #expect(message.isFromBot)
            let unread = try await posting.chat.unread(posting.group, posting.chat.ada)
            #expect(unread == 1)
        }
    }

    @Test func `each crossing is a message of its own`() async throws {
        try await withPosting { posting in
            await posting.cross()
            await posting.cross()
            let texts = try await posting.texts()
            #expect(texts == [Self.text, Self.text])
        }
    }

    @Test func `a process that ends between posting and recording the post does not post twice`() async throws
    {
        try await withPosting { posting in
            await posting.cross()
            try posting.chat.services.change(
                """
                INSERT INTO coin_alert_posts (alert_id, crossing, conversation_id, text)
                SELECT id, crossings, conversation_id, fired_text FROM coin_alerts
                """)
            await posting.alerts.deliver()
            let texts = try await posting.texts()
            #expect(texts == [Self.text])
            let left = try posting.chat.services.sql(Int.self, "SELECT count(*) FROM coin_alert_posts")
            #expect(left == [0])
        }
    }

    @Test func `a post that failed is sent later, and the alert counts as fired`() async throws {
        try await withPosting { posting in
            try posting.chat.services.change(
                "CREATE TRIGGER full BEFORE INSERT ON chat_messages BEGIN SELECT RAISE(ABORT, 'full'); END")
            await posting.cross()
            let fired = try await posting.current()
            #expect(fired.crossings == 1 && fired.deliveryError == nil)
            let early = try await posting.texts()
            #expect(early.isEmpty)
            try posting.chat.services.change("DROP TRIGGER full")
            let worker = Task { await posting.alerts.run() }
            try await wait(for: "the post") { try await posting.texts() == [Self.text] }
            worker.cancel()
            await worker.value
        }
    }

    @Test func `the alert of a user who has left the group posts nothing and says why`() async throws {
        try await withPosting { posting in
            try await posting.chat.chat.leave(posting.group, by: posting.chat.ada)
            await posting.cross()
            let texts = try await posting.chat.texts(posting.group, posting.chat.grace)
            #expect(texts.isEmpty)
            let fired = try await posting.current()
            #expect(fired.crossings == 1)
            #expect(fired.deliveryError == "There is no such conversation.")
            let left = try posting.chat.services.sql(Int.self, "SELECT count(*) FROM coin_alert_posts")
            #expect(left == [0])
        }
    }

    @Test func `another user's conversation cannot be chosen`() async throws {
        try await withPosting { posting in
            let otherConversation = try await posting.chat.chat.start(
                with: [posting.chat.alan], groupName: nil, id: nil, by: posting.chat.grace
            ).conversation.id
            await #expect(
                throws: RoostError.invalid(
                    field: "conversationId", why: "You are not a member of this conversation.")
            ) {
                try await posting.alerts.change(
                    posting.alert.id, AlertChange(conversationId: otherConversation), of: posting.chat.ada)
            }
        }
    }

    @Test func `deleting an account deletes its alerts, and what they posted stays`() async throws {
        try await withPosting { posting in
            await posting.cross()
            try posting.chat.services.change("DELETE FROM users WHERE id = \(posting.chat.ada)")
            let alerts = try posting.chat.services.sql(Int.self, "SELECT count(*) FROM coin_alerts")
            #expect(alerts == [0])
            let texts = try await posting.chat.texts(posting.group, posting.chat.grace)
            #expect(texts.contains(Self.text))
        }
    }
}
