import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

@Suite struct JoinLinkTests {
    private func invite(
        _ fixture: ServicesFixture, note: String = "", days: Int = 7, uses: Int = 1
    ) async throws -> (id: Int64, code: String) {
        let ada = try await fixture.services.identity.accounts.user(named: "ada")
        let created = try await fixture.services.identity.invitations.invite(
            note: note, days: days, uses: uses, by: ada, from: Cast.desk)
        return (created.id, created.code.description)
    }

    private func join(
        _ fixture: ServicesFixture, _ code: String, as name: String = "grace",
        from origin: ClientInfo = Cast.phone
    ) async throws -> User {
        try await fixture.services.identity.invitations.join(
            code: code, Profile(username: name), password: Cast.password, from: origin)
    }

    @Test func `a join link creates a member who can sign in`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let link = try await invite(fixture, note: "  Neighbours ", uses: 2)
            #expect(try await fixture.newest() == "joinLinkMade ada> 192.168.1.7 Neighbours")
            let open = try await fixture.services.identity.invitations.openLink(link.code, from: Cast.phone)
            #expect(open.id == link.id && open.createdBy == ada.userId && open.note == "Neighbours")
            let grace = try await join(fixture, link.code.lowercased())
            #expect(grace.role == .member && grace.joinedWith == link.id)
            #expect(grace.message == "Welcome to Roost, grace.")
            #expect(try await fixture.newest() == "joined grace> 192.168.1.8 Neighbours")
            #expect(try await fixture.signIn("grace").user == grace)
            let listed = try #require(try await fixture.services.identity.invitations.links().first)
            #expect(listed.link.uses == 1 && listed.link.state(at: fixture.clock.now) == .open)
        }
    }

    @Test func `of twenty concurrent joins with a link for five, five succeed`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let link = try await invite(fixture, uses: 5)
            let errors = await withTaskGroup(of: RoostError?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        await refusal { _ = try await join(fixture, link.code, as: "guest \(number)") }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.filter { $0 == nil }.count == 5)
            #expect(errors.compactMap(\.self).count { $0.isNotFound } == 15)
            #expect(try await fixture.services.identity.accounts.users.count == 6)
            let listed = try #require(try await fixture.services.identity.invitations.links().first)
            #expect(listed.link.uses == 5 && listed.link.state(at: fixture.clock.now) == .usedUp)
        }
    }

    @Test func `a refused sign-up does not use the link up`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let link = try await invite(fixture)
            let duplicate = await refusal { _ = try await join(fixture, link.code, as: "ADA") }
            #expect(duplicate?.field == "username")
            let weak = await refusal {
                _ = try await fixture.services.identity.invitations.join(
                    code: link.code, Profile(username: "grace"), password: "grace-roost", from: Cast.phone)
            }
            #expect(weak?.field == "password")
            #expect(try await join(fixture, link.code).username == "grace")
        }
    }

    @Test func `a join link ends when it expires, is revoked or is used up`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let (short, withdrawn) = (
                try await invite(fixture, days: 1), try await invite(fixture, note: "Bob")
            )
            let once = try await invite(fixture)
            _ = try await join(fixture, once.code)
            try await fixture.services.identity.invitations.revoke(withdrawn.id, by: ada, from: Cast.desk)
            #expect(try await fixture.newest() == "joinLinkRevoked ada> 192.168.1.7 Bob")
            fixture.clock.advance(86_399)
            #expect(
                try await fixture.services.identity.invitations.openLink(short.code, from: Cast.phone).id
                    == short.id)
            fixture.clock.advance(1)
            for code in [short.code, withdrawn.code, once.code] {
                let look = await refusal {
                    _ = try await fixture.services.identity.invitations.openLink(code, from: Cast.phone)
                }
                let use = await refusal { _ = try await join(fixture, code, as: "eve") }
                #expect(look?.isNotFound == true && use == look)
            }
            let states = try await fixture.services.identity.invitations.links().map {
                $0.link.state(at: fixture.clock.now)
            }
            #expect(states == [.usedUp, .revoked, .expired])
            #expect(try await fixture.services.identity.accounts.users.count == 2)
        }
    }

    @Test func `a link that ends while someone chooses a password no longer admits them`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let link = try await invite(fixture, uses: 100)
            // The password queue is full before this user joins.
            async let joined = refusal { _ = try await join(fixture, link.code) }
            try await fixture.services.identity.invitations.revoke(link.id, by: ada, from: Cast.desk)
            let error = await joined
            let isHere = try await fixture.services.identity.accounts.users.contains {
                $0.username == "grace"
            }
            #expect(isHere == (error == nil))
            let uses = try #require(try await fixture.services.identity.invitations.links().first).link.uses
            #expect(uses == (isHere ? 1 : 0))
        }
    }

    @Test func `guessing codes is slowed down, and closed links do not count as guesses`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let used = try await invite(fixture)
            _ = try await join(fixture, used.code)
            for _ in 0..<20 {
                let error1 = await refusal { _ = try await join(fixture, used.code) }
                #expect(error1?.isNotFound == true)
            }
            for _ in 0..<6 {
                let wrong = await refusal { _ = try await join(fixture, "0000-0000-0000-0000", as: "eve") }
                #expect(wrong?.isNotFound == true)
            }
            for code in ["0000-0000-0000-0000", used.code, ""] {
                let slowed = await refusal { _ = try await join(fixture, code, as: "eve") }
                #expect(slowed?.wait != nil)
            }
            let open = try await invite(fixture)
            #expect(try await join(fixture, open.code, as: "eve").username == "eve")
        }
    }

    @Test(arguments: [
        (String(repeating: "x", count: 65), 7, 1, "note"), ("a\u{0}b", 7, 1, "note"), ("", 0, 1, "days"),
        ("", 366, 1, "days"), ("", 7, 0, "uses"), ("", 7, 101, "uses"), ("", .min, 1, "days"),
    ])
    func `an invalid join link is refused at its field`(
        note: String, days: Int, uses: Int, field: String
    ) async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let error = await refusal { _ = try await invite(fixture, note: note, days: days, uses: uses) }
            #expect(error?.field == field)
            #expect(try await fixture.services.identity.invitations.links().isEmpty)
        }
    }

    @Test func `a link that does not exist is not revoked`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let error = await refusal {
                try await fixture.services.identity.invitations.revoke(99, by: ada, from: Cast.desk)
            }
            #expect(error == .notFound("There is no such join link."))
            #expect(try await fixture.logged() == [.userAdded])
        }
    }

    @Test func `the code is sealed: it is not on disk in plain text, but owners can see it again`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let link = try await invite(fixture, note: "Visible words")
            #expect(try fixture.isOnDisk("Visible words"))
            #expect(try !fixture.isOnDisk(link.code))
            #expect(try !fixture.isOnDisk(link.code.replacing("-", with: "")))
            #expect(
                try await fixture.services.identity.invitations.links().first?.code?.description == link.code)
        }
    }

    @Test func `with another key the links are listed without their codes, and still work`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await first.services.load()
            try await first.add("ada", .owner)
            let link = try await invite(first, note: "Neighbours")
            try first.end()
            try FileManager.default.removeItem(atPath: folder + "/secret.key")
            let second = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await second.services.load()
            let listed = try #require(try await second.services.identity.invitations.links().first)
            #expect(listed.link.note == "Neighbours" && listed.code == nil)
            #expect(try await join(second, link.code).joinedWith == link.id)
            try second.end()
        }
    }

    @Test(arguments: [true, false])
    func `the links of an owner who leaves or is demoted no longer work`(leaves: Bool) async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let eve = try await fixture.add("eve", .owner)
            let link = try await invite(fixture)
            let remaining = try await fixture.services.identity.invitations.invite(
                note: "", days: 1, uses: 1, by: eve, from: .commandLine)
            let reset = try await fixture.services.identity.resets.makeLink(for: eve.userId, by: ada)
            let accounts = fixture.services.identity.accounts
            if leaves {
                try await accounts.remove(ada.userId, by: nil, from: .commandLine)
            } else {
                try await accounts.setRole(.member, of: ada.userId, by: eve, from: .commandLine)
            }
            await #expect(throws: RoostError.self) { try await join(fixture, link.code) }
            await #expect(throws: RoostError.self) {
                try await fixture.services.identity.resets.user(of: reset.description, from: .commandLine)
            }
            #expect(try await join(fixture, remaining.code.description).username == "grace")
        }
    }

    @Test func `at most a hundred links can be open`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            for _ in 0..<99 { _ = try await invite(fixture) }
            let last = try await invite(fixture)
            await #expect(throws: RoostError.self) { try await invite(fixture) }
            let ada = try await fixture.services.identity.accounts.user(named: "ada")
            try await fixture.services.identity.invitations.revoke(last.id, by: ada, from: Cast.desk)
            _ = try await invite(fixture)
        }
    }

    @Test func `wrong codes do not stop anyone with an open link from joining, even from the same address`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let link = try await invite(fixture)
            let (guesser, other) = (ClientInfo(address: "192.168.1.66"), ClientInfo(address: "192.168.1.7"))
            for _ in 0..<12 {
                _ = try? await fixture.services.identity.invitations.openLink(
                    LinkCode().description, from: guesser)
            }
            let slowed = await refusal {
                _ = try await fixture.services.identity.invitations.openLink(
                    LinkCode().description, from: guesser)
            }
            #expect(slowed?.wait != nil)
            for address in [guesser, other] {
                #expect(
                    try await fixture.services.identity.invitations.openLink(link.code, from: address).uses
                        == 0)
            }
        }
    }

    @Test func `links closed for a month are deleted, and the users who joined with them stay`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let old = try await invite(fixture, days: 1)
            _ = try await join(fixture, old.code)
            let long = try await invite(fixture, days: 365)
            fixture.clock.advance(32 * 86_400)
            try await fixture.whileRunning {}
            #expect(try await fixture.services.identity.invitations.links().map(\.link.id) == [long.id])
            let users = try await fixture.services.identity.accounts.users
            #expect(users.map(\.username) == ["ada", "grace"])
            #expect(users.map(\.joinedWith) == [nil, nil])
        }
    }
}
