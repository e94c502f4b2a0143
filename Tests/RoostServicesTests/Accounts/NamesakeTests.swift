import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Chat
@testable import RoostSupport

/// Two members cannot be mixed up by their names.
@Suite(.timeLimit(.minutes(2))) struct NamesakeTests {
    private static let taken = "Another member is called that."

    private func withOlga(_ test: (ServicesFixture, User) async throws -> Void) async throws {
        try await withAccounts { fixture in
            let olga = try await fixture.add("olga", .owner, displayName: "Olga Owner")
            try await test(fixture, olga)
        }
    }

    /// Names that fold to "Olga Owner" or "olga".
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
                try await fixture.services.accounts.change(mallory.userId, email: nil, displayName: name)
            }
            #expect(changed?.field == "displayName")
            let user = try await fixture.services.accounts.user(mallory.userId)
            #expect(user?.displayName == nil)
        }
    }

    @Test(arguments: lookalikes)
    func `no user name looks like another member's name`(name: String) async throws {
        try await withOlga { fixture, _ in
            let error = await refusal { try await fixture.add(name) }
            #expect(error?.field == "username")
            let users = try await fixture.services.accounts.users
            #expect(users.count == 1)
        }
    }

    @Test func `a word that is wholly in another alphabet can look like a name as well`() async throws {
        try await withOlga { fixture, _ in
            try await fixture.add("ace")
            let error = await refusal { try await fixture.add("асе") }
            #expect(error == .conflict(field: "username", why: Self.taken))
        }
    }

    @Test func `an owner, a link and the setup code check names alike`() async throws {
        try await withOlga { fixture, olga in
            let services = fixture.services
            let link = try await services.invitations.invite(
                note: "", days: 1, uses: 1, by: olga, from: Cast.desk)
            for (field, profile) in [
                ("username", try Profile(username: "oIga")),
                ("displayName", try Profile(username: "mallory", displayName: "Olga  owner")),
            ] {
                let joined = await refusal {
                    _ = try await services.invitations.join(
                        code: "\(link.code)", profile, password: Cast.password, from: Cast.desk)
                }
                #expect(joined == .conflict(field: field, why: Self.taken))
            }
            let profile = try Profile(username: "mallory")
            _ = try await services.invitations.join(
                code: "\(link.code)", profile, password: Cast.password, from: Cast.desk)
        }
    }

    @Test(arguments: [
        "Roost", "ROOST", "R00st", "Price alert", "price  alert", "Рrice alert", "Former member",
        "Forrner member",
        "command line", "You", "Unknown",
    ])
    func `the names that Roost uses itself are nobody's`(name: String) {
        for (field, make) in [
            ("username", { try Profile(username: name) }),
            ("displayName", { try Profile(username: "ada", displayName: name) }),
        ] as [(String, () throws -> Profile)] {
            #expect(throws: RoostError.self) { try make() }
            do { _ = try make() } catch { #expect((error as? RoostError)?.field == field) }
        }
    }

    @Test(arguments: ["pаypal", "Νick", "аda", "ada βeta1α x", "Οlga"])
    func `a word in two alphabets that look alike is refused`(name: String) {
        do {
            _ = try Profile(username: name)
            Issue.record("\(name) was accepted")
        } catch { #expect((error as? RoostError)?.field == "username") }
    }

    @Test(arguments: [
        "Ольга", "Ольга Owner", "Ωμέγα", "李 小龙", "ada日本", "Zoë", "José", "नमस्ते", "אדה", "Kurt Gödel", "ada 🦉",
        "Ада",
    ])
    func `names of any one alphabet are fine`(name: String) throws {
        #expect(try Profile(username: name, displayName: name).displayName == name)
    }

    @Test(arguments: ["Olga (@olga)", "@olga", "Ada ＠olga"])
    func `a display name brings no user name of its own`(name: String) {
        do {
            _ = try Profile(username: "mallory", displayName: name)
            Issue.record("\(name) was accepted")
        } catch { #expect((error as? RoostError)?.field == "displayName") }
    }

    @Test func `names that only resemble each other are two names`() async throws {
        try await withOlga { fixture, _ in
            for (username, displayName) in [("kai", "Kai"), ("kal", "Kal"), ("olga2", "Olga Other")] {
                try await fixture.add(username, displayName: displayName)
            }
            let users = try await fixture.services.accounts.users
            #expect(users.allSatisfy { !$0.showsUsername })
        }
    }

    @Test func `a member may write the own names in another way`() async throws {
        try await withOlga { fixture, olga in
            for name in ["OLGA OWNER", "Olga", "0lga", "Olga Owner", nil] {
                try await fixture.services.accounts.change(olga.userId, email: nil, displayName: name)
                let user = try await fixture.services.accounts.user(olga.userId)
                #expect(user?.displayName == name)
            }
        }
    }

    @Test func `a name is free when its member has left or is called otherwise`() async throws {
        try await withOlga { fixture, olga in
            let grace = try await fixture.add("grace", displayName: "Grace")
            let eve = try await fixture.add("eve")
            try await fixture.services.accounts.change(grace.userId, email: nil, displayName: "Admiral")
            try await fixture.services.accounts.change(eve.userId, email: nil, displayName: "Admira1l")
            try await fixture.services.accounts.leave(grace, password: Cast.password, from: Cast.desk)
            try await fixture.services.accounts.change(eve.userId, email: nil, displayName: "Admiral")
            let user = try await fixture.services.accounts.user(eve.userId)
            #expect(user?.name == "Admiral")
        }
    }

    @Test func `of many at once one gets a name`() async throws {
        try await withOlga { fixture, _ in
            var people: [User] = []
            for index in 0..<6 { people.append(try await fixture.add("member\(index)x")) }
            let refused = await withTaskGroup(of: RoostError?.self) { group in
                for (index, person) in people.enumerated() {
                    group.addTask {
                        await refusal {
                            try await fixture.services.accounts.change(
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

    /// Two members with one display name, as earlier versions let them be.
    private func withTwins(_ test: (ServicesFixture, User, User) async throws -> Void) async throws {
        try await withOlga { fixture, olga in
            let mallory = try await fixture.add("mallory", displayName: "Mallory")
            try fixture.change("UPDATE users SET display_name = 'Olgа Owner' WHERE username = 'mallory'")
            // Any change to a name compares all of them.
            let eve = try await fixture.add("eve")
            try await fixture.services.accounts.change(eve.userId, email: nil, displayName: "Eve")
            try await test(fixture, olga, mallory)
        }
    }

    @Test func `members whose names look the same show their user names`() async throws {
        try await withTwins { fixture, olga, mallory in
            let accounts = fixture.services.accounts
            let users = try await accounts.users
            #expect(users.first { $0.userId == olga.userId }?.name == "Olga Owner (@olga)")
            #expect(users.first { $0.userId == mallory.userId }?.name == "Olgа Owner (@mallory)")
            #expect(accounts.known(olga.userId)?.name == "Olga Owner (@olga)")
            #expect(users.filter(\.showsUsername).count == 2)
        }
    }

    @Test func `in chat the user name is shown wherever the two could be mixed up`() async throws {
        try await withTwins { fixture, olga, mallory in
            let (chat, eve) = (fixture.services.chat, try await fixture.services.accounts.user(named: "eve"))
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
            let people = try await chat.people(for: eve.userId)
            #expect(people.map(\.username).sorted() == ["mallory", "olga"])
            #expect(Set(people.map(\.name)) == ["Olga Owner (@olga)", "Olgа Owner (@mallory)"])
            let pair = try await chat.start(
                with: [mallory.userId], groupName: nil, id: nil, by: eve.userId
            ).conversation
            #expect(pair.displayName == "Olgа Owner (@mallory)")
            let receipts = try await chat.receipts(of: answer.seq, for: eve.userId)
            #expect(Set(receipts.map(\.name)) == ["Olga Owner (@olga)", "Olgа Owner (@mallory)"])
            let found = try await fixture.services.chatSearch.search(
                ChatSearchQuery(text: "It is I"), for: eve.userId)
            #expect(found.hits.first?.senderName == "Olgа Owner (@mallory)")
            let shared = try await fixture.services.sharedItems.people(for: eve.userId)
            #expect(Set(shared.map(\.name)) == ["Olga Owner (@olga)", "Olgа Owner (@mallory)"])
        }
    }

    @Test func `once one of them is called otherwise, both are shown by name alone, and chats learn of it`()
        async throws
    {
        try await withTwins { fixture, olga, mallory in
            let pair = try await fixture.services.chat.start(
                with: [olga.userId], groupName: nil, id: nil,
                by: try await fixture.services.accounts.user(named: "eve").userId
            ).conversation
            let before = try await fixture.services.chat.position()
            try await fixture.services.accounts.change(mallory.userId, email: nil, displayName: "Mallory")
            let user = try await fixture.services.accounts.user(olga.userId)
            #expect(user?.name == "Olga Owner")
            let log = try await fixture.services.chat.log(for: olga.userId, after: before, limit: 100)
            #expect(log.entries.contains { $0.conversationId == pair.id })
        }
    }

    @Test func `members with one first name are called by their whole names`() async throws {
        try await withOlga { fixture, olga in
            let accounts = fixture.services.accounts
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
    func `a webhook takes no member's name and none of Roost's`(name: String) async throws {
        try await withChatGroup { chat async throws in
            let error = await refusal {
                _ = try await chat.services.chatWebhooks.add(name, to: chat.group, by: chat.ada.userId)
            }
            #expect(error?.field == "name")
        }
    }
}
