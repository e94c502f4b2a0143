import Foundation
import Testing

@testable import Accounts
@testable import RoostServices

@Suite struct AccountServiceTests {
    @Test func `until somebody is named, one owner stands in`() async throws {
        try await withAccounts { fixture in
            let owner = try #require(fixture.services.accounts.firstOwner)
            #expect(owner.username == "owner" && owner.role == .owner && owner.isStandIn)
            #expect(owner.createdAt == fixture.clock.now && owner.id == owner.userId)
            try await fixture.services.accounts.load()
            #expect(try await fixture.services.accounts.users == [owner])
            #expect(fixture.services.accounts.needsOwner)
        }
    }

    @Test func `the demo's stand-in bears the name it is given`() async throws {
        try await withServices(plan: .keyless, { $0.standInName = "Robin" }) { fixture in
            let owner = try await fixture.services.owner()
            #expect(owner.username == "Robin" && owner.isStandIn)
        }
    }

    @Test func `who is here is known without asking the database once it has been read`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let asked = fixture.statements.all.count
            #expect(fixture.services.accounts.firstOwner == ada)
            #expect(!fixture.services.accounts.needsOwner)
            #expect(fixture.statements.all.count == asked)
        }
    }

    @Test func `the first owner inherits the stand-in's list, displays, links and tokens`() async throws {
        try await withAccounts { fixture in
            let standIn = try await fixture.owner(watching: "bitcoin", "solana")
            try await fixture.services.watchlist.choose(.price, for: standIn)
            let (display, link) = try await fixture.services.displays.add("Kitchen", for: standIn)
            let token = try await fixture.services.token(for: "owner", scope: .write)
            fixture.clock.advance(60)
            let ada = try await fixture.add("ada", .owner)
            #expect(ada.userId == standIn && !ada.isStandIn && ada.createdAt == fixture.clock.now)
            let list = try await fixture.services.watchlist.list(of: ada.userId)
            #expect(Set(list.entries.map(\.item.coinId)) == ["bitcoin", "solana"] && list.sort == .price)
            #expect(try await fixture.services.displays.displays(of: ada.userId).map(\.id) == [display.id])
            #expect(try await fixture.services.displays.display(.link(link))?.userId == ada.userId)
            let bearer = try #require(fixture.services.tokens.bearer(of: token))
            #expect(bearer.user == ada && bearer.token.username == "ada")
            #expect(try await fixture.services.accounts.users == [ada])
            #expect(fixture.services.accounts.firstOwner == ada)
            #expect(!fixture.services.accounts.needsOwner)
        }
    }

    @Test func `a second owner inherits nothing, and a member never does`() async throws {
        try await withAccounts { fixture in
            let standIn = try await fixture.owner(watching: "bitcoin")
            let member = try await fixture.add("mia")
            #expect(member.userId != standIn && member.role == .member)
            #expect(fixture.services.accounts.needsOwner)
            let first = try await fixture.add("ada", .owner)
            let second = try await fixture.add("eve", .owner)
            #expect(first.userId == standIn && second.userId != standIn)
            let list = try await fixture.services.watchlist.list(of: second.userId)
            #expect(list.entries.isEmpty)
            #expect(fixture.services.accounts.firstOwner?.username == "ada")
        }
    }

    @Test func `a member may take the stand-in's name, and the first owner inherits all the same`()
        async throws
    {
        try await withAccounts { fixture in
            let standIn = try await fixture.owner(watching: "bitcoin")
            // As long as a name can be, and "owner" to whoever reads it.
            let name = "OWNER" + String(repeating: "\u{200D}", count: 59)
            let member = try await fixture.add(name)
            #expect(member.userId != standIn)
            let ada = try await fixture.add("ada", .owner)
            #expect(ada.userId == standIn)
            let users = try await fixture.services.accounts.users
            #expect(users.map(\.username) == ["ada", name])
        }
    }

    @Test(arguments: ["ada", "ADA", " Ada ", "Ａｄａ", "ada\u{200D}", "a\u{FE0F}da"])
    func `a name is taken whatever its case, its width and what nobody sees of it`(name: String) async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("Ada", .owner)
            for role in [User.Role.member, .owner] {
                let error = try #require(await refusal { try await fixture.add(name, role) })
                #expect(error.isConflict && error.field == "username")
                #expect(error.message.hasPrefix("There already is a user named"))
            }
        }
    }

    @Test func `an e-mail address belongs to one, and two may have none`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner, email: "Ada@example.org")
            let grace = try await fixture.add("grace")
            try await fixture.add("eve")
            for email in ["Ada@example.org", "ada@EXAMPLE.org", " ada@example.org "] {
                let added = try #require(await refusal { try await fixture.add("bob", email: email) })
                #expect(added.isConflict && added.field == "email")
                let changed = try #require(
                    await refusal {
                        try await fixture.services.accounts.change(
                            grace.userId, email: email, displayName: nil)
                    })
                #expect(changed.isConflict && changed.field == "email")
            }
            // One's own is no obstacle, and one that was given up is free.
            try await fixture.services.accounts.change(
                ada.userId, email: "ada@example.org", displayName: nil)
            try await fixture.services.accounts.change(ada.userId, email: nil, displayName: nil)
            try await fixture.services.accounts.change(
                grace.userId, email: "ada@example.org", displayName: nil)
            #expect(try await fixture.services.accounts.user(grace.userId)?.email == "ada@example.org")
        }
    }

    @Test func `what others see is changed and says when, and an empty field is none`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            #expect(ada.name == "ada" && ada.updatedAt == nil && ada.message == "Welcome to Roost, ada.")
            fixture.clock.advance(60)
            try await fixture.services.accounts.change(
                ada.userId, email: "", displayName: "  Ada Lovelace ")
            let changed = try #require(try await fixture.services.accounts.user(ada.userId))
            #expect(changed.name == "Ada Lovelace" && changed.email == nil)
            #expect(changed.updatedAt == fixture.clock.now && changed.createdAt == ada.createdAt)
        }
    }

    @Test func `a password that is too short makes no user`() async throws {
        try await withAccounts { fixture in
            for password in ["short", "lovelace.ada", "roostroost1"] {
                let error = await refusal {
                    try await fixture.services.accounts.add(
                        Profile(username: "ada", displayName: "Ada Lovelace"), role: .owner,
                        password: password)
                }
                #expect(error?.field == "password", "\(password)")
            }
            let users = try await fixture.services.accounts.users
            #expect(users.map(\.isStandIn) == [true])
        }
    }

    @Test func `a password is stored as its hash, with its parameters`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let hash = try #require(try fixture.sql(String.self, "SELECT password_hash FROM users").first)
            #expect(try Password.matches(Cast.password, hash: hash))
            #expect(hash.hasPrefix("scrypt$16$1$1$"))
            #expect(try !fixture.isOnDisk("lantern"))
        }
    }

    @Test func `a hash that was cheaper is made anew at the next sign-in, and opens as before`() async throws
    {
        try await withFolder { folder in
            let old = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await old.services.prepare()
            try await old.add("ada", .owner)
            try old.end()
            let dearer = PasswordCost(rounds: 32, blockSize: 1, parallelism: 1)
            let new = try ServicesFixture(in: folder) { $0.passwordCost = dearer }
            try await new.services.prepare()
            for _ in 0..<2 { _ = try await new.signIn("ada") }
            let hashes = try new.sql(String.self, "SELECT password_hash FROM users")
            #expect(hashes.first?.hasPrefix("scrypt$32$1$1$") == true)
            try new.end()
        }
    }
}
