import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import Chat
@testable import Market
@testable import RoostServices
@testable import RoostSupport

@Suite struct LeavingTests {
    /// The tables with rows of this user, and the number of rows in each.
    private func rows(of user: UserID, _ fixture: ServicesFixture) throws -> [String: Int] {
        let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
        return try file.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%user_id%'")
            var counts: [String: Int] = [:]
            for table in tables {
                let count = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM \(table) WHERE user_id = ?", arguments: [user])
                if let count, count > 0 { counts[table] = count }
            }
            return counts
        }
    }

    /// Creates one of everything that a user can have.
    private func furnish(_ user: User, _ fixture: ServicesFixture) async throws -> (
        link: String, token: String
    ) {
        let services = fixture.services
        await fixture.loadCoins()
        for coin in ["bitcoin", "solana"] { try await services.market.watchlist.add(coin, to: user.userId) }
        try await services.market.watchlist.remove("solana", from: user.userId)
        try await services.market.watchlist.setPreferences(
            WatchlistPreferences.with { $0.density = .compact }, of: user.userId)
        try await services.market.watchlist.setNote(CoinNote(note: "Mine"), of: "bitcoin", for: user.userId)
        try await services.market.watchlist.addHolding(
            NewHolding(coinId: "bitcoin", amount: 2), for: user.userId)
        try await services.market.watchlist.addWallet(
            NewWallet(coinId: "bitcoin", address: "bc1q"), for: user.userId)
        try await services.identity.accounts.setAvatar(Pictures.plainWebP, of: user.userId)
        try fixture.change("INSERT INTO sealed_secrets VALUES (\(user.userId), 'x', zeroblob(40), 1)")
        _ = try await services.identity.resets.makeLink(for: user.userId, by: nil)
        try await furnishChat(user.userId, services)
        return (
            try await services.market.displays.add("Wall", for: user.userId).token,
            try await services.identity.tokens.make(.init(name: "hers", scope: .write), for: user).token
        )
    }

    /// Creates another person, a message with a reaction, and a draft.
    private func furnishChat(_ user: UserID, _ services: Services) async throws {
        let other = try #require(
            try await services.database.read { try services.chat.conversations.people($0, for: user) }.first)
        let conversation = try await services.chat.conversations.start(
            with: [other.userId], groupName: nil, id: nil, by: user
        ).conversation
        let sent = try await services.chat.conversations.send(
            NewMessage(id: UUID().uuidString, text: "Hello"), to: conversation.id, by: .user(user))
        try await services.chat.conversations.react("👍", on: sent.message.seq, by: user, isOn: true)
        try await services.chat.conversations.saveDraft("Half a", in: conversation.id, by: user)
    }

    @Test func `a user who leaves loses all their data, and their sessions, tokens and links stop working`()
        async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace", email: "grace@example.org")
            let newSession = try await fixture.signIn("grace")
            let graceItems = try await furnish(grace, fixture)
            let adaItems = try await furnish(ada, fixture)
            let tables = try rows(of: grace.userId, fixture)
            #expect(tables.count == 17, "\(tables)")
            try await fixture.services.identity.accounts.leave(
                grace, password: Cast.password, from: Cast.desk)
            #expect(try rows(of: grace.userId, fixture).isEmpty)
            #expect(try fixture.sql(Int.self, "SELECT id FROM users") == [Int(ada.userId)])
            // Grace's rows are gone, and Ada's are still there.
            #expect(try fixture.sql(String.self, "SELECT coin_id FROM watchlist_items") == ["bitcoin"])
            #expect(try fixture.sql(UserID.self, "SELECT user_id FROM undos") == [ada.userId])
            #expect(try fixture.sql(Int.self, "SELECT count(*) FROM undo_steps") == [1])
            #expect(!fixture.isSignedIn(newSession))
            #expect(fixture.services.identity.tokens.bearer(of: graceItems.token) == nil)
            #expect(try await fixture.services.market.displays.display(.link(graceItems.link)) == nil)
            #expect(try await fixture.services.market.displays.displays(of: grace.userId).isEmpty)
            #expect(try await fixture.services.identity.accounts.user(grace.userId) == nil)
            #expect(fixture.services.identity.tokens.bearer(of: adaItems.token) != nil)
            #expect(try await fixture.services.market.displays.display(.link(adaItems.link)) != nil)
            #expect(try await fixture.newest() == "userRemoved grace> 192.168.1.7 ")
            let problems = try await fixture.services.problems()
            #expect(problems.isEmpty)
        }
    }

    @Test func `a leaver's name and address are free, and a new user with them gets no old data`()
        async throws
    {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace", email: "grace@example.org")
            _ = try await furnish(grace, fixture)
            try await fixture.services.identity.accounts.leave(
                grace, password: Cast.password, from: Cast.desk)
            let again = try await fixture.add("grace", email: "grace@example.org")
            #expect(again.userId != grace.userId)
            let coins = try await fixture.services.market.watchlist.coinIds(of: again.userId)
            #expect(coins.isEmpty)
        }
    }

    /// A foreign key and its ON DELETE action, "CASCADE" or "SET NULL".
    private struct Reference {
        let table: String
        let parent: String
        let action: String
    }

    /// Returns all tables, and the foreign keys that refer to users, directly or through other tables.
    private func schema(_ fixture: ServicesFixture) throws -> (tables: Set<String>, references: [Reference]) {
        let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
        return try file.read { database in
            let tables = try String.fetchSet(
                database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            let all = try Row.fetchAll(
                database,
                sql: """
                    SELECT child.name AS name, reference."table" AS parent, reference.on_delete AS action
                    FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS reference
                    WHERE child.type = 'table'
                    """
            ).map { Reference(table: $0["name"], parent: $0["parent"], action: $0["action"]) }
            var reached: Set<String> = ["users"]
            var size = 0
            while reached.count > size {
                size = reached.count
                reached.formUnion(all.filter { reached.contains($0.parent) }.map(\.table))
            }
            return (tables, all.filter { reached.contains($0.parent) })
        }
    }

    @Test func `the listed user data is exactly the tables that refer to users`()
        async throws
    {
        try await withAccounts { fixture in
            let (tables, references) = try schema(fixture)
            let data = fixture.services.userData
            let named = data.flatMap(\.tables)
            #expect(Set(named).count == named.count, "a table is named twice")
            let unknown = Set(named).subtracting(tables)
            #expect(unknown.isEmpty, "there is no such table")
            let unnamed = Set(references.map(\.table)).subtracting(named)
            #expect(unnamed.isEmpty, "name these in their feature's `userData`")
            let deleted = data.filter(\.isDeleted).reduce(into: Set<String>()) { $0.formUnion($1.tables) }
            let cascading = references.filter { $0.action == "CASCADE" && deleted.contains($0.parent) }
            #expect(Set(cascading.map(\.table)).union(["users"]) == deleted)
            #expect(data.allSatisfy { !$0.text.isEmpty && !$0.tables.isEmpty })
        }
    }

    @Test func `leaving requires the password`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            for password in ["", "wrong", Cast.otherPassword] {
                let error = await refusal {
                    try await fixture.services.identity.accounts.leave(
                        grace, password: password, from: Cast.desk)
                }
                #expect(error == .invalid(field: "password", why: "Wrong password."))
            }
            #expect(try await fixture.services.identity.accounts.user(grace.userId) == grace)
        }
    }

    @Test func `the last owner can neither leave nor be demoted or removed`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let accounts = fixture.services.identity.accounts
            #expect(try await accounts.database.read { try accounts.isLastOwner($0, ada) })
            #expect(try await !accounts.database.read { try accounts.isLastOwner($0, grace) })
            let errors = [
                await refusal { try await accounts.leave(ada, password: Cast.password, from: Cast.desk) },
                await refusal { try await accounts.remove(ada.userId, by: grace, from: Cast.desk) },
                await refusal {
                    try await accounts.setRole(.member, of: ada.userId, by: ada, from: Cast.desk)
                },
            ]
            for error in errors {
                #expect(error?.isConflict == true)
                #expect(error?.message.hasPrefix("Roost needs an owner") == true)
            }
            #expect(try await accounts.users == [ada, grace])
            try await accounts.setRole(.owner, of: grace.userId, by: ada, from: Cast.desk)
            #expect(try await !accounts.database.read { try accounts.isLastOwner($0, ada) })
            try await accounts.leave(ada, password: Cast.password, from: Cast.desk)
            let users = try await accounts.users
            #expect(users.map(\.username) == ["grace"] && users.first?.role == .owner)
        }
    }

    @Test func `a user cannot remove themselves without their password`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.add("eve", .owner)
            let error = await refusal {
                try await fixture.services.identity.accounts.remove(ada.userId, by: ada, from: Cast.desk)
            }
            #expect(error?.isConflict == true && error?.message.contains("on the Security page") == true)
            #expect(try await fixture.services.identity.accounts.user(ada.userId) == ada)
        }
    }

    @Test func `when two owners leave at once, one of them stays`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let eve = try await fixture.add("eve", .owner)
            async let first = refusal {
                try await fixture.services.identity.accounts.leave(
                    ada, password: Cast.password, from: Cast.desk)
            }
            async let second = refusal {
                try await fixture.services.identity.accounts.setRole(
                    .member, of: eve.userId, by: ada, from: Cast.desk)
            }
            let errors = await [first, second]
            #expect(errors.count { $0 == nil } == 1)
            let users = try await fixture.services.identity.accounts.users
            #expect(users.count { $0.role == .owner } == 1)
        }
    }

    @Test func `owners grant and revoke roles, which publishes a change at once`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let newSession = try await fixture.signIn("grace")
            let accounts = fixture.services.identity.accounts
            try await accounts.setRole(.owner, of: grace.userId, by: ada, from: Cast.desk)
            #expect(try await fixture.newest() == "roleChanged ada>grace 192.168.1.7 owner")
            let found = fixture.services.identity.sessions.find(
                secret: newSession.secret, from: "192.168.1.7")
            #expect(found?.user.role == .owner)
            // Setting the same role again is not logged.
            try await accounts.setRole(.owner, of: grace.userId, by: ada, from: Cast.desk)
            #expect(try await fixture.logged().count { $0 == .roleChanged } == 1)
            try await accounts.setRole(.member, of: ada.userId, by: nil, from: .commandLine)
            #expect(try await fixture.newest() == "roleChanged command line>ada command line member")
        }
    }

    @Test func `unknown users and the placeholder can be neither removed nor given a role`() async throws {
        try await withAccounts { fixture in
            let placeholder = try #require(fixture.services.identity.accounts.firstOwner)
            for id in [placeholder.userId, 99] {
                let removed = await refusal {
                    try await fixture.services.identity.accounts.remove(id, by: nil, from: .commandLine)
                }
                let changed = await refusal {
                    try await fixture.services.identity.accounts.setRole(
                        .member, of: id, by: nil, from: .commandLine)
                }
                #expect(removed?.isNotFound == true && changed?.isNotFound == true)
            }
            #expect(try await fixture.services.identity.accounts.users == [placeholder])
        }
    }
}
