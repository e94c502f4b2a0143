import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct UserTests {
    static let minimal = User(userId: 1, username: "ada", role: .member, createdAt: nil)
    static let full = User(
        userId: 7, username: "ada", email: "ada@example.org", displayName: "Ada Lovelace", role: .owner,
        message: "Welcome", createdAt: TestClock.start, updatedAt: TestClock.start + 60, avatar: "v1",
        joinedWith: 3, isPlaceholder: true)

    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("ada.b.lovelace", "AB"), ("", ""), ("柴 犬", "柴犬"),
    ])
    func `an avatar shows at most two letters`(name: String, initials: String) {
        let user = User(userId: 1, username: name, role: .member, createdAt: TestClock.start)
        #expect(user.initials == initials)
    }

    @Test(arguments: [minimal, full])
    func `a user survives a round trip through JSON`(user: User) throws {
        #expect(try JSONDecoder().decode(User.self, from: try JSONEncoder().encode(user)) == user)
    }

    @Test func `a user's missing fields are left out of the JSON, but the e-mail address is null`() throws {
        let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(Self.minimal))
        let object = try #require(json as? [String: Any])
        #expect(object.keys.sorted() == ["email", "isStandIn", "message", "role", "userId", "username"])
        #expect(object["email"] is NSNull)
    }

    @Test func `a user's id is a string in JSON in both directions`() throws {
        let text = String(decoding: try JSONEncoder().encode(["userId": JSONUserID(7)]), as: UTF8.self)
        #expect(text == #"{"userId":"7"}"#)
        #expect(try JSONDecoder().decode([String: JSONUserID].self, from: Data(text.utf8))["userId"]?.id == 7)
    }

    @Test(arguments: ["7", #""07""#, #""+7""#, "\"\"", #""ada""#, "null"])
    func `an id that is not a numeric string is refused`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([JSONUserID].self, from: Data("[\(json)]".utf8))
        }
    }

    @Test func `a user without a name or with an unknown role is refused`() {
        for text in [
            #"{"userId": "1", "role": "member", "message": "", "isStandIn": false}"#,
            #"{"userId": "1", "username": "a", "role": "god", "message": "", "isStandIn": false}"#,
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(User.self, from: Data(text.utf8))
            }
        }
    }

    @Test func `users, sessions, tokens and links survive a round trip through the database`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            let services = first.services
            try await services.load()
            let ada = try await first.add("ada", .owner)
            let link = try await services.identity.invitations.invite(
                note: "Neighbours", days: 7, uses: 3, by: ada, from: Cast.desk)
            let profile = try Profile(
                username: "grace", email: "grace@example.org", displayName: "Grace Hopper")
            let grace = try await services.identity.invitations.join(
                code: link.code.description, profile, password: Cast.password, from: Cast.phone)
            try await services.identity.accounts.change(
                grace.userId, email: profile.email, displayName: profile.displayName)
            try await services.identity.accounts.setAvatar(Pictures.plainWebP, of: grace.userId)
            for days in [nil, 30] {
                _ = try await services.identity.tokens.make(
                    .init(name: "printer", scope: .read, days: days), for: grace)
            }
            _ = try await first.signIn("grace")
            let (users, sessions) = try await (
                services.identity.accounts.users, services.identity.sessions.sessions()
            )
            let (tokens, links) = try await (
                services.identity.tokens.tokens(), services.identity.invitations.links()
            )
            let entries = try await services.identity.audit.entries()
            try first.end()
            let second = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await second.services.load()
            let stored = try #require(users.last)
            #expect(stored.avatar != nil && stored.joinedWith == link.id && stored.updatedAt != nil)
            #expect(try await second.services.identity.accounts.users == users)
            #expect(users.count == 2)
            #expect(try await second.services.identity.sessions.sessions() == sessions)
            #expect(sessions.count == 1)
            #expect(try await second.services.identity.tokens.tokens() == tokens)
            #expect(tokens.map { $0.expiresAt != nil } == [false, true])
            let again = try await second.services.identity.invitations.links()
            #expect(again.map(\.link) == links.map(\.link) && again.map(\.code) == links.map(\.code))
            #expect(try await second.services.identity.audit.entries() == entries)
            try second.end()
        }
    }
}
