import Foundation

@testable import Chat
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport

/// Ada and Grace, who write to each other, and Eve, who is not a member.
struct ChatFixture {
    let testServer: TestServer
    let grace: Guest
    let eve: Guest
    let id: ConversationID

    var services: Services { testServer.services }
    var ada: Guest { testServer.ada }
    var api: String { "/api/v1/conversations/\(id)" }

    /// - Parameter isGroup: whether Hal is the third member
    static func with(
        isGroup: Bool = false, clock: WallClock = WallClock(), _ test: (ChatFixture) async throws -> Void
    ) async throws {
        try await TestServer.with(clock: clock) { testServer in
            let services = testServer.services
            let grace = try await Guest.signUp("grace", as: .member, services)
            let eve = try await Guest.signUp("eve", as: .member, services)
            var participants = [grace.user.userId]
            if isGroup {
                participants.append(try await Guest.signUp("hal", as: .member, services).user.userId)
            }
            let started = try await services.chat.conversations.start(
                with: participants, groupName: isGroup ? "Release" : nil, id: nil, by: testServer.owner.userId
            )
            try await test(
                ChatFixture(testServer: testServer, grace: grace, eve: eve, id: started.conversation.id))
        }
    }

    @discardableResult
    func say(
        _ text: String, as guest: Guest? = nil, replyTo: Int? = nil, fileId: String? = nil
    ) async throws -> Message {
        let message = NewMessage(
            id: UUID().uuidString.lowercased(), text: text, fileId: fileId, replyTo: replyTo)
        return try await services.chat.conversations.send(
            message, to: id, by: .user((guest ?? ada).user.userId)
        ).message
    }

    func page(_ query: String = "", as guest: Guest? = nil) async throws -> ClientResponse {
        try await testServer.send("GET", "/chat/\(id)\(query)", as: guest)
    }

    /// Returns the log's latest cursor.
    func cursor() async throws -> String {
        services.chat.conversations.cursor(at: try await services.chat.conversations.position())
    }

    func unread(of guest: Guest) async throws -> Int {
        try await services.chat.conversations.conversation(id, for: guest.user.userId).unread
    }

    /// Submits the composer, optionally with a file.
    func compose(
        _ fields: [String: String], file: (name: String, bytes: [UInt8])? = nil, as guest: Guest? = nil
    ) async throws -> ClientResponse {
        var body: [UInt8] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            body += Array("--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        if let file {
            let head =
                "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n\r\n"
            body += Array(head.utf8) + file.bytes + Array("\r\n".utf8)
        }
        body += Array("--XX--\r\n".utf8)
        let path = "/chat/\(id)/send"
        return try await testServer.send(
            bytes: body, to: path,
            headers: (guest ?? ada).headers(toward: path)
                + [("Content-Type", "multipart/form-data; boundary=XX")])
    }

    static func newId() -> String { UUID().uuidString.lowercased() }
}
