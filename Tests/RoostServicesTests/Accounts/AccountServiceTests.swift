import Foundation
import RoostServices
import Testing

@Suite struct AccountServiceTests {
    @Test func `until somebody is named, one owner stands in`() async throws {
        try await withAccounts { bench in
            let owner = try #require(bench.services.accounts.firstOwner)
            #expect(owner.username == "owner" && owner.role == .owner && owner.isStandIn)
            #expect(owner.createdAt == bench.clock.now && owner.id == owner.userId)
            try await bench.services.accounts.load()
            #expect(try await bench.services.accounts.users == [owner])
            #expect(bench.services.accounts.needsOwner)
        }
    }

    @Test func `the demo's stand-in bears the name it is given`() async throws {
        try await withServices(plan: .keyless, { $0.standInName = "Robin" }) { bench in
            let owner = try await bench.services.owner()
            #expect(owner.username == "Robin" && owner.isStandIn)
        }
    }

    @Test func `who is here is known without asking the database once it has been read`() async throws {
        try await withAccounts { bench in
            let ada = try await bench.add("ada", .owner)
            let asked = bench.statements.all.count
            #expect(bench.services.accounts.firstOwner == ada)
            #expect(try await bench.services.accounts.user(named: "ada") == ada)
            #expect(try await bench.services.tokens.tokens().isEmpty)
            #expect(try await bench.services.sessions.sessions().isEmpty)
            #expect(bench.statements.all.count == asked)
        }
    }

    @Test func `the first owner inherits the stand-in's list, displays, links and tokens`() async throws {
        try await withAccounts { bench in
            let standIn = try await bench.owner(watching: "bitcoin", "solana")
            try await bench.services.watchlist.choose(.price, for: standIn)
            let (display, link) = try await bench.services.displays.add("Kitchen", for: standIn)
            let token = try await bench.services.token(for: "owner", scope: .write)
            bench.clock.advance(60)
            let ada = try await bench.add("ada", .owner)
            #expect(ada.userId == standIn && !ada.isStandIn && ada.createdAt == bench.clock.now)
            let list = try await bench.services.watchlist.list(of: ada.userId)
            #expect(Set(list.entries.map(\.item.coinId)) == ["bitcoin", "solana"] && list.sort == .price)
            #expect(bench.services.displays.displays(of: ada.userId).map(\.id) == [display.id])
            #expect(bench.services.displays.display(token: link)?.userId == ada.userId)
            let bearer = try #require(bench.services.tokens.bearer(of: token))
            #expect(bearer.user == ada && bearer.token.username == "ada")
            #expect(try await bench.services.accounts.users == [ada])
            #expect(bench.services.accounts.firstOwner == ada)
            #expect(!bench.services.accounts.needsOwner)
        }
    }

    @Test func `a second owner inherits nothing, and a member never does`() async throws {
        try await withAccounts { bench in
            let standIn = try await bench.owner(watching: "bitcoin")
            let member = try await bench.add("mia")
            #expect(member.userId != standIn && member.role == .member)
            #expect(bench.services.accounts.needsOwner)
            let first = try await bench.add("ada", .owner)
            let second = try await bench.add("eve", .owner)
            #expect(first.userId == standIn && second.userId != standIn)
            let list = try await bench.services.watchlist.list(of: second.userId)
            #expect(list.entries.isEmpty)
            #expect(bench.services.accounts.firstOwner?.username == "ada")
        }
    }

    @Test func `a member may take the stand-in's name, and the first owner inherits all the same`()
        async throws
    {
        try await withAccounts { bench in
            let standIn = try await bench.owner(watching: "bitcoin")
            // As long as a name can be, and "owner" to whoever reads it.
            let name = "OWNER" + String(repeating: "\u{200D}", count: 59)
            let member = try await bench.add(name)
            #expect(member.userId != standIn)
            let ada = try await bench.add("ada", .owner)
            #expect(ada.userId == standIn)
            let users = try await bench.services.accounts.users
            #expect(users.map(\.username) == ["ada", name])
        }
    }

    @Test(arguments: ["ada", "ADA", " Ada ", "Ａｄａ", "ada\u{200D}", "a\u{FE0F}da"])
    func `a name is taken whatever its case, its width and what nobody sees of it`(name: String) async throws
    {
        try await withAccounts { bench in
            try await bench.add("Ada", .owner)
            for role in [User.Role.member, .owner] {
                let error = try #require(await refusal { try await bench.add(name, role) })
                #expect(error.isConflict && error.field == "username")
                #expect(error.message.hasPrefix("There already is a user named"))
            }
        }
    }

    @Test func `an e-mail address belongs to one, and two may have none`() async throws {
        try await withAccounts { bench in
            let ada = try await bench.add("ada", .owner, email: "Ada@example.org")
            let grace = try await bench.add("grace")
            try await bench.add("eve")
            for email in ["Ada@example.org", "ada@EXAMPLE.org", " ada@example.org "] {
                let added = try #require(await refusal { try await bench.add("bob", email: email) })
                #expect(added.isConflict && added.field == "email")
                let changed = try #require(
                    await refusal {
                        try await bench.services.accounts.change(grace.userId, email: email, displayName: nil)
                    })
                #expect(changed.isConflict && changed.field == "email")
            }
            // One's own is no obstacle, and one that was given up is free.
            try await bench.services.accounts.change(
                ada.userId, email: "ada@example.org", displayName: nil)
            try await bench.services.accounts.change(ada.userId, email: nil, displayName: nil)
            try await bench.services.accounts.change(
                grace.userId, email: "ada@example.org", displayName: nil)
            #expect(try await bench.services.accounts.user(grace.userId)?.email == "ada@example.org")
        }
    }

    @Test func `what others see is changed and says when, and an empty field is none`() async throws {
        try await withAccounts { bench in
            let ada = try await bench.add("ada", .owner)
            #expect(ada.name == "ada" && ada.updatedAt == nil && ada.message == "Welcome to Roost, ada.")
            bench.clock.advance(60)
            try await bench.services.accounts.change(
                ada.userId, email: "", displayName: "  Ada Lovelace ")
            let changed = try #require(try await bench.services.accounts.user(ada.userId))
            #expect(changed.name == "Ada Lovelace" && changed.email == nil)
            #expect(changed.updatedAt == bench.clock.now && changed.createdAt == ada.createdAt)
        }
    }

    @Test func `a password that is too short makes no user`() async throws {
        try await withAccounts { bench in
            for password in ["short", "lovelace.ada", "roostroost1"] {
                let error = await refusal {
                    try await bench.services.accounts.add(
                        Profile(username: "ada", displayName: "Ada Lovelace"), role: .owner,
                        password: password)
                }
                #expect(error?.field == "password", "\(password)")
            }
            let users = try await bench.services.accounts.users
            #expect(users.map(\.isStandIn) == [true])
        }
    }

    @Test func `a password is stored as its hash, with its parameters`() async throws {
        try await withAccounts { bench in
            try await bench.add("ada", .owner)
            let hash = try #require(try bench.sql(String.self, "SELECT password_hash FROM users").first)
            #expect(try Password.matches(Cast.password, hash: hash))
            #expect(hash.hasPrefix("scrypt$16$1$1$"))
            #expect(try !bench.isOnDisk("lantern"))
        }
    }

    @Test func `a hash that was cheaper is made anew at the next sign-in, and opens as before`() async throws
    {
        try await withFolder { folder in
            let old = try ServicesBench(in: folder) { $0.passwordCost = .cheap }
            try await old.services.prepare()
            try await old.add("ada", .owner)
            try old.end()
            let dearer = PasswordCost(rounds: 32, blockSize: 1, parallelism: 1)
            let new = try ServicesBench(in: folder) { $0.passwordCost = dearer }
            try await new.services.prepare()
            for _ in 0..<2 { _ = try await new.signIn("ada") }
            let hashes = try new.sql(String.self, "SELECT password_hash FROM users")
            #expect(hashes.first?.hasPrefix("scrypt$32$1$1$") == true)
            try new.end()
        }
    }
}
