import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices

@Suite struct AccountServiceTests {
    @Test func `a placeholder owner exists until a real user is added`() async throws {
        try await withAccounts { fixture in
            let owner = try #require(fixture.services.identity.accounts.firstOwner)
            #expect(owner.username == "owner" && owner.role == .owner && owner.isPlaceholder)
            #expect(owner.createdAt == fixture.clock.now && owner.id == owner.userId)
            try await fixture.services.identity.accounts.load()
            #expect(try await fixture.services.identity.accounts.users == [owner])
            #expect(fixture.services.identity.accounts.needsOwner)
        }
    }

    @Test func `the demo's placeholder owner gets the given name`() async throws {
        try await withServices(plan: .keyless, { $0.placeholderName = "Robin" }) { fixture in
            let owner = try await fixture.services.owner()
            #expect(owner.username == "Robin" && owner.isPlaceholder)
        }
    }

    @Test func `a cached user is found without a database query`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let statementCount = fixture.statements.all.count
            #expect(fixture.services.identity.accounts.firstOwner == ada)
            #expect(!fixture.services.identity.accounts.needsOwner)
            #expect(fixture.statements.all.count == statementCount)
        }
    }

    @Test func `the first owner inherits the placeholder's list, displays, links and tokens`() async throws {
        try await withAccounts { fixture in
            let placeholder = try await fixture.owner(watching: "bitcoin", "solana")
            try await fixture.services.market.watchlist.choose(.price, for: placeholder)
            let (display, link) = try await fixture.services.market.displays.add("Kitchen", for: placeholder)
            let token = try await fixture.services.token(for: "owner", scope: .write)
            fixture.clock.advance(60)
            let ada = try await fixture.add("ada", .owner)
            #expect(ada.userId == placeholder && !ada.isPlaceholder && ada.createdAt == fixture.clock.now)
            let list = try await fixture.services.market.watchlist.list(of: ada.userId)
            #expect(Set(list.entries.map(\.item.coinId)) == ["bitcoin", "solana"] && list.sort == .price)
            #expect(
                try await fixture.services.market.displays.displays(of: ada.userId).map(\.id) == [display.id])
            #expect(try await fixture.services.market.displays.display(.link(link))?.userId == ada.userId)
            let bearer = try #require(fixture.services.identity.tokens.bearer(of: token))
            #expect(bearer.user == ada && bearer.token.username == "ada")
            #expect(try await fixture.services.identity.accounts.users == [ada])
            #expect(fixture.services.identity.accounts.firstOwner == ada)
            #expect(!fixture.services.identity.accounts.needsOwner)
        }
    }

    @Test func `a second owner inherits nothing, and neither does a member`() async throws {
        try await withAccounts { fixture in
            let placeholder = try await fixture.owner(watching: "bitcoin")
            let member = try await fixture.add("mia")
            #expect(member.userId != placeholder && member.role == .member)
            #expect(fixture.services.identity.accounts.needsOwner)
            let first = try await fixture.add("ada", .owner)
            let second = try await fixture.add("eve", .owner)
            #expect(first.userId == placeholder && second.userId != placeholder)
            let list = try await fixture.services.market.watchlist.list(of: second.userId)
            #expect(list.entries.isEmpty)
            #expect(fixture.services.identity.accounts.firstOwner?.username == "ada")
        }
    }

    @Test func `the first owner inherits the data even after a member took the placeholder's name`()
        async throws
    {
        try await withAccounts { fixture in
            let placeholder = try await fixture.owner(watching: "bitcoin")
            // The longest possible name, which looks like "owner".
            let name = "OWNER" + String(repeating: "\u{200D}", count: 59)
            let member = try await fixture.add(name)
            #expect(member.userId != placeholder)
            let ada = try await fixture.add("ada", .owner)
            #expect(ada.userId == placeholder)
            let users = try await fixture.services.identity.accounts.users
            #expect(users.map(\.username) == ["ada", name])
        }
    }

    @Test(arguments: ["ada", "ADA", " Ada ", "Ａｄａ", "ada\u{200D}", "a\u{FE0F}da"])
    func `a user name is taken whatever its case, width or invisible characters`(name: String) async throws {
        try await withAccounts { fixture in
            try await fixture.add("Ada", .owner)
            for role in [User.Role.member, .owner] {
                let error = try #require(await refusal { try await fixture.add(name, role) })
                #expect(error.isConflict && error.field == "username")
                #expect(error.message.hasPrefix("There is already a user named"))
            }
        }
    }

    @Test func `an e-mail address belongs to one user, but several users may have none`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner, email: "Ada@example.org")
            let grace = try await fixture.add("grace")
            try await fixture.add("eve")
            for email in ["Ada@example.org", "ada@EXAMPLE.org", " ada@example.org "] {
                let added = try #require(await refusal { try await fixture.add("bob", email: email) })
                #expect(added.isConflict && added.field == "email")
                let changed = try #require(
                    await refusal {
                        try await fixture.services.identity.accounts.change(
                            grace.userId, email: email, displayName: nil)
                    })
                #expect(changed.isConflict && changed.field == "email")
            }
            // A user's own address is no conflict, and an address that was given up is free.
            try await fixture.services.identity.accounts.change(
                ada.userId, email: "ada@example.org", displayName: nil)
            try await fixture.services.identity.accounts.change(ada.userId, email: nil, displayName: nil)
            try await fixture.services.identity.accounts.change(
                grace.userId, email: "ada@example.org", displayName: nil)
            #expect(
                try await fixture.services.identity.accounts.user(grace.userId)?.email == "ada@example.org")
        }
    }

    @Test func `changing a profile publishes a change and stores an empty field as none`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            #expect(ada.name == "ada" && ada.updatedAt == nil && ada.message == "Welcome to Roost, ada.")
            fixture.clock.advance(60)
            try await fixture.services.identity.accounts.change(
                ada.userId, email: "", displayName: "  Ada Lovelace ")
            let changed = try #require(try await fixture.services.identity.accounts.user(ada.userId))
            #expect(changed.name == "Ada Lovelace" && changed.email == nil)
            #expect(changed.updatedAt == fixture.clock.now && changed.createdAt == ada.createdAt)
        }
    }

    @Test func `a password that is too short creates no user`() async throws {
        try await withAccounts { fixture in
            for password in ["short", "lovelace.ada", "roostroost1"] {
                let error = await refusal {
                    try await fixture.services.identity.accounts.add(
                        Profile(username: "ada", displayName: "Ada Lovelace"), role: .owner,
                        password: password)
                }
                #expect(error?.field == "password", "\(password)")
            }
            let users = try await fixture.services.identity.accounts.users
            #expect(users.map(\.isPlaceholder) == [true])
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

    @Test func `the next sign-in replaces a cheaper hash, and the password still works`() async throws {
        try await withFolder { folder in
            let old = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            try await old.services.load()
            try await old.add("ada", .owner)
            try old.end()
            let dearer = PasswordCost(rounds: 32, blockSize: 1, parallelism: 1)
            let new = try ServicesFixture(in: folder) { $0.passwordCost = dearer }
            try await new.services.load()
            for _ in 0..<2 { _ = try await new.signIn("ada") }
            let hashes = try new.sql(String.self, "SELECT password_hash FROM users")
            #expect(hashes.first?.hasPrefix("scrypt$32$1$1$") == true)
            try new.end()
        }
    }
}
