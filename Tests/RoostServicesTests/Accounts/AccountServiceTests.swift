import Foundation
import RoostServices
import Testing

@Suite struct AccountServiceTests {
    @Test func `until somebody is named, one owner stands in`() async throws {
        try await withServices { bench in
            let owner = try await bench.services.accounts.localOwner()
            #expect(owner.username == "owner" && owner.role == .owner && owner.isStandIn)
            #expect(owner.createdAt == bench.clock.now && owner.id == owner.userId)
            let again = try await bench.services.accounts.localOwner()
            let users = try await bench.services.accounts.users()
            #expect(again == owner && users == [owner])
        }
    }

    @Test func `the demo's stand-in bears the name it is given`() async throws {
        try await withServices(plan: .keyless, { $0.standInName = "Robin" }) { bench in
            let owner = try await bench.services.accounts.localOwner()
            #expect(owner.username == "Robin" && owner.isStandIn)
        }
    }

    @Test func `the owner is known without asking the database once he has been asked for`() async throws {
        try await withServices { bench in
            #expect(bench.services.accounts.knownLocalOwner == nil)
            try await bench.services.prepare()
            #expect(bench.services.accounts.knownLocalOwner?.isStandIn == true)
            _ = try await bench.services.accounts.addUser("ada", role: .owner, password: nil)
            #expect(bench.services.accounts.knownLocalOwner?.username != "owner")
        }
    }

    @Test func `the first owner inherits the stand-in's list, displays, links and tokens`() async throws {
        try await withServices { bench in
            let standIn = try await bench.owner(watching: "bitcoin", "solana")
            try await bench.services.watchlist.choose(.price, for: standIn)
            let (display, link) = try await bench.services.displays.add("Kitchen", for: standIn)
            let token = try await bench.services.accounts.makeToken(for: "owner", scope: .write)
            bench.clock.advance(60)
            let ada = try await bench.services.accounts.addUser("ada", role: .owner, password: nil)
            #expect(ada.userId == standIn && !ada.isStandIn && ada.createdAt == bench.clock.now)
            let list = try await bench.services.watchlist.list(of: ada.userId)
            #expect(Set(list.entries.map(\.item.coinId)) == ["bitcoin", "solana"] && list.sort == .price)
            #expect(bench.services.displays.displays(of: ada.userId).map(\.id) == [display.id])
            #expect(bench.services.displays.display(token: link)?.userId == ada.userId)
            let bearer = try await bench.services.accounts.bearer(of: token)
            #expect(bearer?.user == ada)
            let users = try await bench.services.accounts.users()
            let owner = try await bench.services.accounts.localOwner()
            #expect(users == [ada] && owner == ada)
        }
    }

    @Test func `a second owner inherits nothing, and a member never does`() async throws {
        try await withServices { bench in
            let standIn = try await bench.owner(watching: "bitcoin")
            let member = try await bench.services.accounts.addUser("mia", role: .member, password: nil)
            #expect(member.userId != standIn && member.role == .member)
            let first = try await bench.services.accounts.addUser("ada", role: .owner, password: nil)
            let second = try await bench.services.accounts.addUser("eve", role: .owner, password: nil)
            #expect(first.userId == standIn && second.userId != standIn)
            let list = try await bench.services.watchlist.list(of: second.userId)
            #expect(list.entries.isEmpty)
            let owner = try await bench.services.accounts.localOwner()
            #expect(owner.username == "ada")
        }
    }

    @Test(arguments: ["ada", "ADA", " Ada "])
    func `a name is taken whatever its case`(name: String) async throws {
        try await withServices { bench in
            _ = try await bench.services.accounts.addUser("Ada", role: .owner, password: nil)
            for role in [User.Role.member, .owner] {
                let error = await #expect(throws: RoostError.self) {
                    try await bench.services.accounts.addUser(name, role: role, password: nil)
                }
                guard case .conflict(let field, let why) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(field == "username" && why.hasPrefix("There already is a user named"))
            }
        }
    }

    /// An astronaut is one character of three code points: the schema counts these.
    @Test(arguments: [
        "", "  ", String(repeating: "x", count: 65), "a\nb", "a\u{0}", String(repeating: "👩‍🚀", count: 30),
    ])
    func `a name that is empty, too long or unprintable is refused in words`(name: String) async throws {
        try await withServices { bench in
            await #expect(
                throws: RoostError.invalid(field: "username", why: "A user name has 1 to 64 characters.")
            ) {
                try await bench.services.accounts.addUser(name, role: .member, password: nil)
            }
        }
    }

    @Test func `a password that is too short makes no user`() async throws {
        try await withServices { bench in
            await #expect(throws: RoostError.self) {
                try await bench.services.accounts.addUser("ada", role: .owner, password: "short")
            }
            let users = try await bench.services.accounts.users()
            #expect(users.map(\.isStandIn) == [true])
        }
    }

    @Test func `a password is stored as its hash`() async throws {
        try await withServices { bench in
            _ = try await bench.services.accounts.addUser(
                "ada", role: .owner, password: "correct horse battery")
            let hash = try #require(try bench.sql(String.self, "SELECT password_hash FROM users").first)
            let matches = try Password.matches("correct horse battery", hash: hash)
            #expect(matches && !hash.contains("horse"))
        }
    }

    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("ada.b.lovelace", "AB"), ("", ""), ("柴 犬", "柴犬"),
    ])
    func `a round mark holds two letters at most`(name: String, initials: String) {
        let user = User(userId: 1, username: name, role: .member, createdAt: TestClock.start)
        #expect(user.initials == initials)
    }

    @Test func `a user goes through JSON and back unchanged`() throws {
        let user = User(userId: 7, username: "ada", role: .owner, createdAt: TestClock.start, isStandIn: true)
        #expect(try JSONDecoder().decode(User.self, from: try JSONEncoder().encode(user)) == user)
    }
}
