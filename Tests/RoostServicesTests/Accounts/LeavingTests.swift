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
    /// Tables with a row of this user, and how many in each.
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

    /// One of everything that a user can have.
    private func furnish(_ user: User, _ fixture: ServicesFixture) async throws -> (
        link: String, token: String
    ) {
        let services = fixture.services
        await fixture.loadCoins()
        for coin in ["bitcoin", "solana"] { try await services.watchlist.add(coin, to: user.userId) }
        try await services.watchlist.remove("solana", from: user.userId)
        try await services.watchlist.setChoices(WatchlistChoices(density: .compact), for: user.userId)
        try await services.watchlist.setNote(CoinNote(note: "Mine"), of: "bitcoin", for: user.userId)
        try await services.watchlist.addHolding(NewHolding(coinId: "bitcoin", amount: 2), for: user.userId)
        try await services.watchlist.addWallet(
            NewWallet(coinId: "bitcoin", address: "bc1q"), for: user.userId)
        try await services.accounts.setAvatar(Pictures.plainWebP, of: user.userId)
        try await services.upstreamTokens.store("ghp_x", as: "github", of: user.userId)
        _ = try await services.resets.makeLink(for: user.userId, by: nil)
        try await furnishChat(user.userId, services)
        return (
            try await services.displays.add("Wall", for: user.userId).token,
            try await services.tokens.make(.init(name: "hers", scope: .write), for: user).token
        )
    }

    /// Somebody to write to, a message with a reaction, and a draft.
    private func furnishChat(_ user: UserID, _ services: Services) async throws {
        let other = try #require(try await services.chat.people(for: user).first)
        let conversation = try await services.chat.start(
            with: [other.userId], groupName: nil, id: nil, by: user
        ).conversation
        let sent = try await services.chat.send(
            NewMessage(id: UUID().uuidString, text: "Hello"), to: conversation.id, by: .user(user))
        try await services.chat.react("👍", on: sent.message.seq, by: user, isOn: true)
        try await services.chat.saveDraft("Half a", in: conversation.id, by: user)
    }

    @Test func `who leaves takes all that is his along, and what he left open is dead at once`() async throws
    {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace", email: "grace@example.org")
            let begun = try await fixture.signIn("grace")
            let made = try await furnish(grace, fixture)
            let kept = try await furnish(ada, fixture)
            let tables = try rows(of: grace.userId, fixture)
            #expect(tables.count == 16, "\(tables)")
            try await fixture.services.accounts.leave(grace, password: Cast.password, from: Cast.desk)
            #expect(try rows(of: grace.userId, fixture).isEmpty)
            #expect(try fixture.sql(Int.self, "SELECT id FROM users") == [Int(ada.userId)])
            // Hers are gone, and the other's are there.
            #expect(try fixture.sql(String.self, "SELECT coin_id FROM watchlist_items") == ["bitcoin"])
            #expect(try fixture.sql(String.self, "SELECT coin_id FROM watchlist_removed") == ["solana"])
            #expect(!fixture.isSignedIn(begun))
            #expect(fixture.services.tokens.bearer(of: made.token) == nil)
            #expect(try await fixture.services.displays.display(.link(made.link)) == nil)
            #expect(try await fixture.services.displays.displays(of: grace.userId).isEmpty)
            #expect(try await fixture.services.accounts.user(grace.userId) == nil)
            #expect(fixture.services.tokens.bearer(of: kept.token) != nil)
            #expect(try await fixture.services.displays.display(.link(kept.link)) != nil)
            #expect(try await fixture.newest() == "userRemoved grace> 192.168.1.7 ")
            let problems = try await fixture.services.problems()
            #expect(problems.isEmpty)
        }
    }

    @Test func `name and address of one who has left are free, and nothing of his comes back`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace", email: "grace@example.org")
            _ = try await furnish(grace, fixture)
            try await fixture.services.accounts.leave(grace, password: Cast.password, from: Cast.desk)
            let again = try await fixture.add("grace", email: "grace@example.org")
            #expect(again.userId != grace.userId)
            let coins = try await fixture.services.watchlist.coinIds(of: again.userId)
            #expect(coins.isEmpty)
        }
    }

    /// A foreign key, with what becomes of the rows when what they refer to goes: "CASCADE", "SET NULL".
    private struct Reference {
        let table: String
        let parent: String
        let action: String
    }

    /// All tables, and the references of those that refer to users, directly or through others.
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

    @Test func `what a deletion is said to delete is each table that refers to users, and no other`()
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
            #expect(data.allSatisfy { !$0.words.isEmpty && !$0.tables.isEmpty })
        }
    }

    @Test func `leaving asks for the password`() async throws {
        try await withAccounts { fixture in
            try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            for password in ["", "wrong", Cast.otherPassword] {
                let error = await refusal {
                    try await fixture.services.accounts.leave(grace, password: password, from: Cast.desk)
                }
                #expect(error == .invalid(field: "password", why: "This is not your password."))
            }
            #expect(try await fixture.services.accounts.user(grace.userId) == grace)
        }
    }

    @Test func `the last owner neither leaves nor is demoted nor removed`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let accounts = fixture.services.accounts
            #expect(try await accounts.isLastOwner(ada))
            #expect(try await !accounts.isLastOwner(grace))
            let errors = [
                await refusal { try await accounts.leave(ada, password: Cast.password, from: Cast.desk) },
                await refusal { try await accounts.remove(ada.userId, by: grace, from: Cast.desk) },
                await refusal {
                    try await accounts.setRole(.member, of: ada.userId, by: ada, from: Cast.desk)
                },
            ]
            for error in errors {
                #expect(error?.isConflict == true)
                #expect(error?.message.hasPrefix("The last owner stays owner") == true)
            }
            #expect(try await accounts.users == [ada, grace])
            try await accounts.setRole(.owner, of: grace.userId, by: ada, from: Cast.desk)
            #expect(try await !accounts.isLastOwner(ada))
            try await accounts.leave(ada, password: Cast.password, from: Cast.desk)
            let users = try await accounts.users
            #expect(users.map(\.username) == ["grace"] && users.first?.role == .owner)
        }
    }

    @Test func `nobody removes himself without showing the password`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            try await fixture.add("eve", .owner)
            let error = await refusal {
                try await fixture.services.accounts.remove(ada.userId, by: ada, from: Cast.desk)
            }
            #expect(error?.isConflict == true && error?.message.contains("your password") == true)
            #expect(try await fixture.services.accounts.user(ada.userId) == ada)
        }
    }

    @Test func `of two owners who leave at once one stays`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let eve = try await fixture.add("eve", .owner)
            async let first = refusal {
                try await fixture.services.accounts.leave(ada, password: Cast.password, from: Cast.desk)
            }
            async let second = refusal {
                try await fixture.services.accounts.setRole(.member, of: eve.userId, by: ada, from: Cast.desk)
            }
            let errors = await [first, second]
            #expect(errors.count { $0 == nil } == 1)
            let users = try await fixture.services.accounts.users
            #expect(users.count { $0.role == .owner } == 1)
        }
    }

    @Test func `roles are given and taken by owners, and say so at once`() async throws {
        try await withAccounts { fixture in
            let ada = try await fixture.add("ada", .owner)
            let grace = try await fixture.add("grace")
            let begun = try await fixture.signIn("grace")
            let accounts = fixture.services.accounts
            try await accounts.setRole(.owner, of: grace.userId, by: ada, from: Cast.desk)
            #expect(try await fixture.newest() == "roleChanged ada>grace 192.168.1.7 owner")
            let found = fixture.services.sessions.find(secret: begun.secret, from: "192.168.1.7")
            #expect(found?.user.role == .owner)
            // The same once more is no news.
            try await accounts.setRole(.owner, of: grace.userId, by: ada, from: Cast.desk)
            #expect(try await fixture.logged().count { $0 == .roleChanged } == 1)
            try await accounts.setRole(.member, of: ada.userId, by: nil, from: .commandLine)
            #expect(try await fixture.newest() == "roleChanged command line>ada command line member")
        }
    }

    @Test func `nobody who is not here is removed or given a role, nor is the stand-in`() async throws {
        try await withAccounts { fixture in
            let standIn = try #require(fixture.services.accounts.firstOwner)
            for id in [standIn.userId, 99] {
                let removed = await refusal {
                    try await fixture.services.accounts.remove(id, by: nil, from: .commandLine)
                }
                let changed = await refusal {
                    try await fixture.services.accounts.setRole(.member, of: id, by: nil, from: .commandLine)
                }
                #expect(removed?.isNotFound == true && changed?.isNotFound == true)
            }
            #expect(try await fixture.services.accounts.users == [standIn])
        }
    }
}
