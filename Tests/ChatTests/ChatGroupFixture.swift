import Foundation
import TestSupport

@testable import Accounts
@testable import Chat
@testable import RoostServices
@testable import RoostSupport

/// Ada, Grace and Eve are in a group of Ada's; Mallory is not.
struct ChatGroupFixture: Sendable {
    let fixture: ServicesFixture
    let ada, grace, eve, mallory: User
    let group: ConversationID

    var services: Services { fixture.services }
    var clock: TestClock { fixture.clock }

    @discardableResult
    func send(
        _ text: String, by sender: User? = nil, to conversation: ConversationID? = nil, fileId: String? = nil
    ) async throws -> Message {
        try await services.chat.conversations.send(
            NewMessage(id: UUID().uuidString.lowercased(), text: text, fileId: fileId),
            to: conversation ?? group, by: .user((sender ?? ada).userId)
        ).message
    }

    func upload(_ bytes: [UInt8], _ name: String = "photo.jpg", by sender: User? = nil) async throws
        -> MessageFile
    {
        try await services.chat.files.upload(bytes, name: name, to: group, by: (sender ?? ada).userId)
    }

    func pair(_ one: User, _ other: User) async throws -> ConversationID {
        try await services.chat.conversations.start(
            with: [other.userId], groupName: nil, id: nil, by: one.userId
        )
        .conversation.id
    }

    /// Whether the user may read the file.
    func mayRead(_ file: MessageFile, _ user: User) async throws -> Bool {
        do {
            _ = try await services.chat.files.content(of: file.id, for: user.userId)
            return true
        } catch RoostError.notFound { return false }
    }

    /// The texts that a search finds, newest first.
    func found(_ text: String, by user: User? = nil, _ change: (inout ChatSearchQuery) -> Void = { _ in })
        async throws -> [String]
    {
        var query = ChatSearchQuery(text: text)
        change(&query)
        let page = try await services.chat.search.search(query, for: (user ?? ada).userId)
        return page.hits.map { $0.snippet.map(\.text).joined() }
    }
}

func withChatGroup(_ body: (ChatGroupFixture) async throws -> Void) async throws {
    try await withAccounts { fixture in
        let ada = try await fixture.add("ada", .owner, displayName: "Ada")
        let grace = try await fixture.add("grace", displayName: "Grace Hopper")
        let eve = try await fixture.add("eve")
        let mallory = try await fixture.add("mallory")
        let group = try await fixture.services.chat.conversations.start(
            with: [grace.userId, eve.userId], groupName: "Birds", id: nil, by: ada.userId
        ).conversation.id
        try await body(
            ChatGroupFixture(
                fixture: fixture, ada: ada, grace: grace, eve: eve, mallory: mallory, group: group))
    }
}
