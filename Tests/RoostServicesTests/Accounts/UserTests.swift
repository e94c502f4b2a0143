import Foundation
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct UserTests {
    static let bare = User(userId: 1, username: "ada", role: .member, createdAt: nil)
    static let full = User(
        userId: 7, username: "ada", email: "ada@example.org", displayName: "Ada Lovelace", role: .owner,
        message: "Welcome", createdAt: TestClock.start, updatedAt: TestClock.start + 60, avatar: "v1",
        joinedWith: 3, isStandIn: true)

    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("ada.b.lovelace", "AB"), ("", ""), ("柴 犬", "柴犬"),
    ])
    func `a round mark holds two letters at most`(name: String, initials: String) {
        let user = User(userId: 1, username: name, role: .member, createdAt: TestClock.start)
        #expect(user.initials == initials)
    }

    @Test(arguments: [bare, full])
    func `a user goes through JSON and back unchanged`(user: User) throws {
        #expect(try JSONDecoder().decode(User.self, from: try JSONEncoder().encode(user)) == user)
    }

    @Test func `what a user has not is left out of the JSON, but the e-mail address is null`() throws {
        let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(Self.bare))
        let object = try #require(json as? [String: Any])
        #expect(object.keys.sorted() == ["email", "isStandIn", "message", "role", "userId", "username"])
        #expect(object["email"] is NSNull)
    }

    @Test func `a user's id is a string in JSON, both ways`() throws {
        let text = String(decoding: try JSONEncoder().encode(["userId": JSONUserID(7)]), as: UTF8.self)
        #expect(text == #"{"userId":"7"}"#)
        #expect(try JSONDecoder().decode([String: JSONUserID].self, from: Data(text.utf8))["userId"]?.id == 7)
    }

    @Test(arguments: ["7", #""07""#, #""+7""#, "\"\"", #""ada""#, "null"])
    func `anything but the string of an id is refused`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([JSONUserID].self, from: Data("[\(json)]".utf8))
        }
    }

    @Test func `a user without a name, or of a role that nobody knows, is refused`() {
        for text in [
            #"{"userId": "1", "role": "member", "message": "", "isStandIn": false}"#,
            #"{"userId": "1", "username": "a", "role": "god", "message": "", "isStandIn": false}"#,
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(User.self, from: Data(text.utf8))
            }
        }
    }

    @Test func `users, sessions, tokens and links come back from the disk as they were`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            let services = first.services
            try await services.prepare()
            let ada = try await first.add("ada", .owner)
            let link = try await services.invitations.invite(
                note: "Neighbours", days: 7, uses: 3, by: ada, from: Cast.desk)
            let profile = try Profile(
                username: "grace", email: "grace@example.org", displayName: "Grace Hopper")
            let grace = try await services.invitations.join(
                code: link.code.description, profile, password: Cast.password, from: Cast.phone)
            try await services.accounts.change(
                grace.userId, email: profile.email, displayName: profile.displayName)
            try await services.accounts.setAvatar(Pictures.plainWebP, of: grace.userId)
            for days in [nil, 30] {
                _ = try await services.tokens.make(
                    .init(name: "printer", scope: .read, days: days), for: grace)
            }
            _ = try await first.signIn("grace")
            let (users, sessions) = try await (services.accounts.users, services.sessions.sessions())
            let (tokens, links) = try await (services.tokens.tokens(), services.invitations.links())
            let entries = try await services.audit.entries()
            try first.end()
            let second = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await second.services.prepare()
            let kept = try #require(users.last)
            #expect(kept.avatar != nil && kept.joinedWith == link.id && kept.updatedAt != nil)
            #expect(try await second.services.accounts.users == users)
            #expect(users.count == 2)
            #expect(try await second.services.sessions.sessions() == sessions)
            #expect(sessions.count == 1)
            #expect(try await second.services.tokens.tokens() == tokens)
            #expect(tokens.map { $0.expiresAt != nil } == [false, true])
            let again = try await second.services.invitations.links()
            #expect(again.map(\.link) == links.map(\.link) && again.map(\.code) == links.map(\.code))
            #expect(try await second.services.audit.entries() == entries)
            try second.end()
        }
    }
}
