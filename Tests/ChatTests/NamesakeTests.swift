import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Chat
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct NamesakeTests {
    private static let duplicateNameMessage = "Another member has this name."

    private func withOlga(_ test: (ServicesFixture, User) async throws -> Void) async throws {
        try await withAccounts { fixture in
            let olga = try await fixture.add("olga", .owner, displayName: "Olga Owner")
            try await test(fixture, olga)
        }
    }

    /// Names that look like "Olga Owner" or "olga".
    private static let lookalikes = [
        "Olga Owner", "OLGA OWNER", " olga   owner ", "Olga\u{A0}Owner", "O\u{200D}lga Owner", "Оlga Оwner",
        "OIga Owner", "0lga 0wner", "O|ga Owner", "Ｏｌｇａ Owner", "𝐎𝐥𝐠𝐚 Owner", "Olgа Owner", "olga", "OLGA",
        "оlga",
        "ol\u{261}a", "o1ga", "օlga",
    ]

    @Test(arguments: lookalikes)
    func `no display name looks like another member's name`(name: String) async throws {
        try await withOlga { fixture, _ in
            let added = await refusal { try await fixture.add("mallory", displayName: name) }
            #expect(added?.field == "displayName")
            let mallory = try await fixture.add("mallory")
            let changed = await refusal {
                try await fixture.services.identity.accounts.change(
                    mallory.userId, email: nil, displayName: name)
            }
            #expect(changed?.field == "displayName")
            let user = try await fixture.services.identity.accounts.user(mallory.userId)
            #expect(user?.displayName == nil)
        }
    }

    @Test(arguments: lookalikes)
    func `no user name looks like another member's name`(name: String) async throws {
        try await withOlga { fixture, _ in
            let error = await refusal { try await fixture.add(name) }
            #expect(error?.field == "username")
            let users = try await fixture.services.identity.accounts.users
            #expect(users.count == 1)
        }
    }

    @Test func `a word wholly in another alphabet can look like a name too`() async throws {
        try await withOlga { fixture, _ in
            try await fixture.add("ace")
            let error = await refusal { try await fixture.add("асе") }
            #expect(error == .conflict(field: "username", why: Self.duplicateNameMessage))
        }
    }

    @Test func `an owner, a link and the setup code check names the same way`() async throws {
        try await withOlga { fixture, olga in
            let services = fixture.services
            let link = try await services.identity.invitations.invite(
                note: "", days: 1, uses: 1, by: olga, from: Cast.desk)
            for (field, profile) in [
                ("username", try Profile(username: "oIga")),
                ("displayName", try Profile(username: "mallory", displayName: "Olga  owner")),
            ] {
                let joined = await refusal {
                    _ = try await services.identity.invitations.join(
                        code: "\(link.code)", profile, password: Cast.password, from: Cast.desk)
                }
                #expect(joined == .conflict(field: field, why: Self.duplicateNameMessage))
            }
            let profile = try Profile(username: "mallory")
            _ = try await services.identity.invitations.join(
                code: "\(link.code)", profile, password: Cast.password, from: Cast.desk)
        }
    }

    @Test(arguments: [
        "Roost", "ROOST", "R00st", "Price alert", "price  alert", "Рrice alert", "Former member",
        "Forrner member",
        "command line", "You", "Unknown",
    ])
    func `no user can take the names that Roost uses itself`(name: String) {
        for (field, make) in [
            ("username", { try Profile(username: name) }),
            ("displayName", { try Profile(username: "ada", displayName: name) }),
        ] as [(String, () throws -> Profile)] {
            #expect(throws: RoostError.self) { try make() }
            do { _ = try make() } catch { #expect((error as? RoostError)?.field == field) }
        }
    }

    @Test(arguments: ["pаypal", "Νick", "аda", "ada βeta1α x", "Οlga"])
    func `a word that mixes two similar alphabets is refused`(name: String) {
        do {
            _ = try Profile(username: name)
            Issue.record("\(name) was accepted")
        } catch { #expect((error as? RoostError)?.field == "username") }
    }

    @Test(arguments: [
        "Ольга", "Ольга Owner", "Ωμέγα", "李 小龙", "ada日本", "Zoë", "José", "नमस्ते", "אדה", "Kurt Gödel", "ada 🦉",
        "Ада",
    ])
    func `names in any single alphabet are allowed`(name: String) throws {
        #expect(try Profile(username: name, displayName: name).displayName == name)
    }

    @Test(arguments: ["Olga (@olga)", "@olga", "Ada ＠olga"])
    func `a display name does not also set a user name`(name: String) {
        do {
            _ = try Profile(username: "mallory", displayName: name)
            Issue.record("\(name) was accepted")
        } catch { #expect((error as? RoostError)?.field == "displayName") }
    }

    @Test func `names that are merely similar are allowed`() async throws {
        try await withOlga { fixture, _ in
            for (username, displayName) in [("kai", "Kai"), ("kal", "Kal"), ("olga2", "Olga Other")] {
                try await fixture.add(username, displayName: displayName)
            }
            let users = try await fixture.services.identity.accounts.users
            #expect(users.allSatisfy { !$0.showsUsername })
        }
    }

    @Test func `members may spell their own names differently`() async throws {
        try await withOlga { fixture, olga in
            for name in ["OLGA OWNER", "Olga", "0lga", "Olga Owner", nil] {
                try await fixture.services.identity.accounts.change(
                    olga.userId, email: nil, displayName: name)
                let user = try await fixture.services.identity.accounts.user(olga.userId)
                #expect(user?.displayName == name)
            }
        }
    }

    @Test func `a name is free when its member has left or been renamed`() async throws {
        try await withOlga { fixture, olga in
            let grace = try await fixture.add("grace", displayName: "Grace")
            let eve = try await fixture.add("eve")
            try await fixture.services.identity.accounts.change(
                grace.userId, email: nil, displayName: "Admiral")
            try await fixture.services.identity.accounts.change(
                eve.userId, email: nil, displayName: "Admira1l")
            try await fixture.services.identity.accounts.leave(
                grace, password: Cast.password, from: Cast.desk)
            try await fixture.services.identity.accounts.change(
                eve.userId, email: nil, displayName: "Admiral")
            let user = try await fixture.services.identity.accounts.user(eve.userId)
            #expect(user?.name == "Admiral")
        }
    }

    @Test func `when many take one name at once, one gets it`() async throws {
        try await withOlga { fixture, _ in
            var people: [User] = []
            for index in 0..<6 { people.append(try await fixture.add("member\(index)x")) }
            let refused = await withTaskGroup(of: RoostError?.self) { group in
                for (index, person) in people.enumerated() {
                    group.addTask {
                        await refusal {
                            try await fixture.services.identity.accounts.change(
                                person.userId, email: nil, displayName: index % 2 == 0 ? "Grace" : "GRACE")
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
            }
            #expect(refused == 5)
        }
    }

    // MARK: Names from before

    /// Creates two members with one display name, which earlier versions allowed.
    private func withTwins(_ test: (ServicesFixture, User, User) async throws -> Void) async throws {
        try await withOlga { fixture, olga in
            let mallory = try await fixture.add("mallory", displayName: "Mallory")
            try fixture.change("UPDATE users SET display_name = 'Olgа Owner' WHERE username = 'mallory'")
            // Any change to a name compares all names.
            let eve = try await fixture.add("eve")
            try await fixture.services.identity.accounts.change(eve.userId, email: nil, displayName: "Eve")
            try await test(fixture, olga, mallory)
        }
    }

    @Test func `members whose names look the same show their user names`() async throws {
        try await withTwins { fixture, olga, mallory in
            let accounts = fixture.services.identity.accounts
            let users = try await accounts.users
            #expect(users.first { $0.userId == olga.userId }?.name == "Olga Owner (@olga)")
            #expect(users.first { $0.userId == mallory.userId }?.name == "Olgа Owner (@mallory)")
            #expect(accounts.cachedUser(olga.userId)?.name == "Olga Owner (@olga)")
            #expect(users.filter(\.showsUsername).count == 2)
        }
    }

    @Test func `chat shows the user name wherever two members could be mixed up`() async throws {
        try await withTwins { fixture, olga, mallory in
            let (chat, eve) = (
                fixture.services.chat.conversations,
                try await fixture.services.identity.accounts.user(named: "eve")
            )
            let group = try await chat.start(
                with: [olga.userId, mallory.userId], groupName: "Birds", id: nil, by: eve.userId
            ).conversation.id
            let sent = try await chat.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "It is I"), to: group,
                by: .user(mallory.userId)
            ).message
            #expect(sent.senderName == "Olgа Owner (@mallory)" && sent.senderUsername == "mallory")
            let answer = try await chat.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "Who?"), to: group,
                by: .user(eve.userId)
            ).message
            let members = try await chat.conversation(group, for: eve.userId).conversation.members
            #expect(Set(members.map(\.name)) == ["Eve", "Olga Owner (@olga)", "Olgа Owner (@mallory)"])
            let people = try await chat.database.read { try chat.people($0, for: eve.userId) }
            #expect(people.map(\.username).sorted() == ["mallory", "olga"])
            #expect(Set(people.map(\.name)) == ["Olga Owner (@olga)", "Olgа Owner (@mallory)"])
            let pair = try await chat.start(
                with: [mallory.userId], groupName: nil, id: nil, by: eve.userId
            ).conversation
            #expect(pair.displayName == "Olgа Owner (@mallory)")
            let receipts = try await chat.database.read {
                try chat.receipts($0, of: answer.seq, for: eve.userId)
            }
            #expect(Set(receipts.map(\.name)) == ["Olga Owner (@olga)", "Olgа Owner (@mallory)"])
            let found = try await fixture.services.chat.search.search(
                ChatSearchQuery(text: "It is I"), for: eve.userId)
            #expect(found.hits.first?.senderName == "Olgа Owner (@mallory)")
            let shared = try await fixture.services.database.read {
                try fixture.services.reading.sharedItems.people($0, for: eve.userId)
            }
            #expect(Set(shared.map(\.name)) == ["Olga Owner (@olga)", "Olgа Owner (@mallory)"])
        }
    }

    @Test func `once one of them is renamed, both show only their names, and chats are updated`()
        async throws
    {
        try await withTwins { fixture, olga, mallory in
            let pair = try await fixture.services.chat.conversations.start(
                with: [olga.userId], groupName: nil, id: nil,
                by: try await fixture.services.identity.accounts.user(named: "eve").userId
            ).conversation
            let before = try await fixture.services.chat.conversations.position()
            try await fixture.services.identity.accounts.change(
                mallory.userId, email: nil, displayName: "Mallory")
            let user = try await fixture.services.identity.accounts.user(olga.userId)
            #expect(user?.name == "Olga Owner")
            let log = try await fixture.services.chat.conversations.log(
                for: olga.userId, after: before, limit: 100)
            #expect(log.entries.contains { $0.conversationId == pair.id })
        }
    }

    @Test func `members with the same first name are shown by their full names`() async throws {
        try await withOlga { fixture, olga in
            let accounts = fixture.services.identity.accounts
            #expect(accounts.shortName(of: olga.userId) == "Olga")
            let other = try await fixture.add("mallory", displayName: "0lga Other")
            #expect(accounts.shortName(of: olga.userId) == "Olga Owner")
            #expect(accounts.shortName(of: other.userId) == "0lga Other")
            try await accounts.change(other.userId, email: nil, displayName: "Mallory M")
            #expect(accounts.shortName(of: olga.userId) == "Olga")
            #expect(accounts.shortName(of: other.userId) == "Mallory")
            #expect(accounts.shortName(of: 999) == nil)
        }
    }

    // MARK: Webhooks

    @Test(arguments: ["Ada", "grace hopper", "EVE", "Price alert", "Roost", "Builds (@ada)"])
    func `a webhook can take neither a member's name nor Roost's`(name: String) async throws {
        try await withChatGroup { chat async throws in
            let error = await refusal {
                _ = try await chat.services.chat.webhooks.add(name, to: chat.group, by: chat.ada.userId)
            }
            #expect(error?.field == "name")
        }
    }
}
