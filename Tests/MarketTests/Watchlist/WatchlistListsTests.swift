import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

@Suite struct WatchlistListsTests {
    private static let unknown = RoostError.notFound("There is no such list.")

    /// The owner has bitcoin and solana on the first list, and another list "Staking".
    private func withTwo(
        _ body: (WatchlistService, UserID, Watchlist, ServicesFixture) async throws -> Void
    ) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            let staking = try await fixture.services.market.watchlist.addList(name: "  Staking ", for: owner)
            try await body(fixture.services.market.watchlist, owner, staking, fixture)
        }
    }

    private func ids(_ watchlist: WatchlistService, _ user: UserID, _ list: WatchlistID? = nil) async throws
        -> [String]
    {
        try await watchlist.list(of: user, list, sort: .mine).entries.map(\.item.coinId)
    }

    @Test func `a new user has one list in their own order`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            let lists = try await fixture.services.market.watchlist.lists(of: owner)
            #expect(lists.map(\.name) == ["Watchlist"])
            #expect(lists.first?.sort == .mine && lists.first?.showsTotals == false)
        }
    }

    @Test func `a coin may be on several lists, and is removed only from the named one`() async throws {
        try await withTwo { watchlist, owner, staking, _ in
            #expect(staking.name == "Staking" && staking.position == 1)
            try await watchlist.add("solana", to: owner, list: staking.id)
            try await watchlist.add("ethereum", to: owner, list: staking.id)
            #expect(try await ids(watchlist, owner) == ["bitcoin", "solana"])
            #expect(try await ids(watchlist, owner, staking.id) == ["solana", "ethereum"])
            let first = try #require(try await watchlist.lists(of: owner).first?.id)
            #expect(
                try await watchlist.database.read { try watchlist.lists($0, of: owner, holding: "solana") }
                    == [first, staking.id])
            try await watchlist.remove("solana", from: owner, list: staking.id)
            #expect(try await ids(watchlist, owner) == ["bitcoin", "solana"])
            #expect(try await ids(watchlist, owner, staking.id) == ["ethereum"])
            try await watchlist.undoRemove("solana", for: owner, list: staking.id)
            #expect(try await ids(watchlist, owner, staking.id) == ["solana", "ethereum"])
            await #expect(throws: WatchlistError.coinNotFound) {
                try await watchlist.undoRemove("solana", for: owner)
            }
        }
    }

    @Test func `each list has its own order, in either direction`() async throws {
        try await withTwo { watchlist, owner, staking, _ in
            for coin in ["bitcoin", "ethereum", "solana"] {
                try await watchlist.add(coin, to: owner, list: staking.id)
            }
            let backwards = WatchlistOrder(.name, isReversed: true)
            try await watchlist.choose(backwards, for: owner, list: staking.id)
            let list = try await watchlist.list(of: owner, staking.id)
            #expect(list.sort == backwards && list.list.sort == backwards)
            #expect(list.entries.map(\.item.coinId) == ["solana", "ethereum", "bitcoin"])
            #expect(try await watchlist.list(of: owner).sort == .mine)
            try await watchlist.move("solana", .up, for: owner, list: staking.id)
            let moved = try await watchlist.list(of: owner, staking.id)
            #expect(moved.sort == .mine)
            #expect(moved.entries.map(\.item.coinId) == ["bitcoin", "solana", "ethereum"])
            try await watchlist.reorder(["ethereum"], for: owner, list: staking.id)
            #expect(try await ids(watchlist, owner, staking.id) == ["ethereum", "bitcoin", "solana"])
            #expect(try await ids(watchlist, owner) == ["bitcoin", "solana"])
        }
    }

    @Test func `lists can be renamed and reordered`() async throws {
        try await withTwo { watchlist, owner, staking, _ in
            let third = try await watchlist.addList(name: "Third", for: owner)
            try await watchlist.renameList(staking.id, to: "Stakes", for: owner)
            try await watchlist.moveList(third.id, .up, for: owner)
            #expect(try await watchlist.lists(of: owner).map(\.name) == ["Watchlist", "Third", "Stakes"])
            try await watchlist.moveList(third.id, .up, for: owner)
            try await watchlist.moveList(third.id, .up, for: owner)
            #expect(try await watchlist.lists(of: owner).map(\.name) == ["Third", "Watchlist", "Stakes"])
            #expect(try await watchlist.list(of: owner).list.name == "Third")
            #expect(try await watchlist.lists(of: owner).map(\.position) == [0, 1, 2])
        }
    }

    @Test(arguments: ["", "  \n ", String(repeating: "x", count: 65)])
    func `a list's name has at most 64 characters`(name: String) async throws {
        try await withTwo { watchlist, owner, staking, _ in
            for refused in [
                await refusal { try await watchlist.addList(name: name, for: owner) },
                await refusal { try await watchlist.renameList(staking.id, to: name, for: owner) },
            ] {
                guard case .invalid("name", _) = refused else {
                    Issue.record("\(String(describing: refused))")
                    continue
                }
            }
        }
    }

    @Test func `two lists cannot have the same name`() async throws {
        try await withTwo { watchlist, owner, staking, _ in
            let conflict = RoostError.conflict(field: "name", why: "You already have a list with this name.")
            await #expect(throws: conflict) { try await watchlist.addList(name: "staking", for: owner) }
            await #expect(throws: conflict) {
                try await watchlist.renameList(staking.id, to: "watchlist", for: owner)
            }
            // A list may keep its own name.
            let renamed = try await watchlist.renameList(staking.id, to: "STAKING", for: owner)
            #expect(renamed.name == "STAKING")
        }
    }

    @Test func `a removed list is gone with its coins, and can be restored with them for a day`() async throws
    {
        try await withTwo { watchlist, owner, staking, fixture in
            try await watchlist.add("ethereum", to: owner, list: staking.id)
            try await watchlist.removeList(staking.id, of: owner)
            #expect(try await watchlist.lists(of: owner).map(\.name) == ["Watchlist"])
            await #expect(throws: Self.unknown) { try await watchlist.list(of: owner, staking.id) }
            fixture.clock.advance(86_000)
            let restored = try await watchlist.undoRemoveList(staking.id, of: owner)
            #expect(restored.name == "Staking")
            #expect(try await ids(watchlist, owner, staking.id) == ["ethereum"])
            await #expect(throws: Self.unknown) {
                try await watchlist.undoRemoveList(staking.id, of: owner)
            }
            try await watchlist.removeList(staking.id, of: owner)
            fixture.clock.advance(86_401)
            await #expect(throws: Self.unknown) {
                try await watchlist.undoRemoveList(staking.id, of: owner)
            }
        }
    }

    @Test func `the last list cannot be removed`() async throws {
        try await withTwo { watchlist, owner, staking, _ in
            let first = try #require(try await watchlist.lists(of: owner).first)
            try await watchlist.removeList(first.id, of: owner)
            let refused = await refusal { try await watchlist.removeList(staking.id, of: owner) }
            #expect(refused?.isConflict == true)
            #expect(try await watchlist.lists(of: owner).map(\.id) == [staking.id])
        }
    }

    @Test func `another user's list does not exist for any operation`() async throws {
        try await withTwo { watchlist, owner, staking, fixture in
            let ada = try await fixture.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            let id = staking.id
            let requests: [@Sendable () async throws -> Void] = [
                { _ = try await watchlist.list(of: ada, id) },
                { _ = try await watchlist.coinIds(of: ada, list: id) },
                { try await watchlist.add("bitcoin", to: ada, list: id) },
                { try await watchlist.remove("bitcoin", from: ada, list: id) },
                { try await watchlist.undoRemove("bitcoin", for: ada, list: id) },
                { try await watchlist.reorder([], for: ada, list: id) },
                { try await watchlist.move("bitcoin", .up, for: ada, list: id) },
                { try await watchlist.choose(.price, for: ada, list: id) },
                { try await watchlist.renameList(id, to: "Mine", for: ada) },
                { try await watchlist.moveList(id, .up, for: ada) },
                { try await watchlist.showTotals(true, of: id, for: ada) },
                { try await watchlist.removeList(id, of: ada) },
                { try await watchlist.undoRemoveList(id, of: ada) },
                { _ = try await fixture.services.market.watchlistFiles.export(.list, of: ada, list: id) },
            ]
            for (number, request) in requests.enumerated() {
                #expect(await refusal(request) == Self.unknown, "\(number)")
            }
            #expect(try await watchlist.lists(of: owner).last == staking)
        }
    }

    @Test func `a user has at most 50 lists`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            for number in 2...50 {
                try await fixture.services.market.watchlist.addList(name: "List \(number)", for: owner)
            }
            let refused = await refusal {
                try await fixture.services.market.watchlist.addList(name: "One more", for: owner)
            }
            #expect(refused == .invalid(field: "name", why: "You can have at most 50 lists."))
        }
    }

    @Test func `all lists and holdings together have at most 1,000 coins`() async throws {
        try await withServices { fixture in
            let items = (0...1_000).map { #"{"id":"c\#($0)","symbol":"s","name":"n"}"# }
                .joined(separator: ",")
            fixture.upstream.turn { $0.path == "/coins/list" ? .init(body: "[\(items)]") : .init(body: "[]") }
            let owner = try await fixture.owner()
            let (watchlist, files) = (
                fixture.services.market.watchlist, fixture.services.market.watchlistFiles
            )
            let second = try await watchlist.addList(name: "Second", for: owner).id
            func file(_ range: Range<Int>) -> [UInt8] {
                Array(range.map { "c\($0)" }.joined(separator: "\n").utf8)
            }
            #expect(try await files.read(file(0..<500), as: .list, for: owner).added == 500)
            let added = try await files.read(file(500..<999), as: .list, for: owner, list: second).added
            #expect(added == 499)
            try await watchlist.addHolding(NewHolding(coinId: "c999", amount: 1), for: owner)
            let full = RoostError.invalid(
                field: "coinId", why: "Your lists and holdings together can have at most 1000 coins.")
            await #expect(throws: full) { try await watchlist.add("c1000", to: owner, list: second) }
            await #expect(throws: full) {
                try await watchlist.addHolding(NewHolding(coinId: "c1000", amount: 1), for: owner)
            }
            // A coin on two lists counts once.
            try await watchlist.add("c0", to: owner, list: second)
        }
    }

    @Test func `preferences belong to the user and survive a restart`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let owner = try await first.owner(watching: "bitcoin")
            #expect(
                try await first.services.database.read {
                    try first.services.market.watchlist.preferences($0, of: owner)
                } == WatchlistPreferences())
            let choices = WatchlistPreferences.with {
                $0.columns = [.holdings, .change7d, .holdings]
                $0.density = .compact
                $0.redIsUp = true
                $0.currency = "EUR"
            }
            try await first.services.market.watchlist.setPreferences(choices, of: owner)
            try first.end()
            let second = try ServicesFixture(in: folder)
            let stored = try await second.services.database.read {
                try second.services.market.watchlist.preferences($0, of: owner)
            }
            #expect(stored.columns == [.holdings, .change7d] && stored.density == .compact)
            #expect(stored.redIsUp && stored.currency == "eur")
            #expect(try await second.services.market.watchlist.list(of: owner).preferences == stored)
            try second.end()
        }
    }

    @Test func `a repeated column of imported preferences is shown once`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            let stored = WatchlistPreferences.with { $0.columns = [.volume, .change7d, .volume, .volume] }
            try await fixture.services.database.write { try $0.setPreferences(stored, of: owner) }
            let watchlist = fixture.services.market.watchlist
            let columns = try await fixture.services.database.read {
                try watchlist.preferences($0, of: owner)
            }.columns
            #expect(columns == [.volume, .change7d])
            #expect(try await watchlist.list(of: owner).preferences.columns == columns)
        }
    }

    @Test func `a list can be set to show no columns`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            try await fixture.services.market.watchlist.setPreferences(
                WatchlistPreferences.with { $0.columns = [] }, of: owner)
            #expect(
                try await fixture.services.database.read {
                    try fixture.services.market.watchlist.preferences($0, of: owner)
                }.columns.isEmpty)
        }
    }

    @Test func `a currency unknown to CoinGecko is refused`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            let refused = await refusal {
                try await fixture.services.market.watchlist.setPreferences(
                    WatchlistPreferences.with { $0.currency = "zzz" }, of: owner)
            }
            #expect(
                refused
                    == .invalid(field: "currency", why: "CoinGecko has no prices in this currency."))
        }
    }

    /// The coins of the last request in this currency.
    private func requestedCoins(_ fixture: ServicesFixture, in currency: String) -> Set<String>? {
        let last = fixture.upstream.requests(to: "/coins/markets").last {
            $0.query["vs_currency"] == currency
        }
        return last.map { Set(($0.query["ids"] ?? "").split(separator: ",").map(String.init)) }
    }

    @Test func `coins, including holdings, are requested in the currencies of those who watch them`()
        async throws
    {
        try await withTwo { watchlist, owner, staking, fixture in
            let ada = try await fixture.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            try await watchlist.setPreferences(WatchlistPreferences.with { $0.currency = "eur" }, of: ada)
            try await watchlist.add("ethereum", to: ada)
            try await watchlist.addHolding(NewHolding(coinId: "solana", amount: 1), for: ada)
            let removed = try await watchlist.addList(name: "Removed", for: owner).id
            try await watchlist.add("ethereum", to: owner, list: removed)
            try await watchlist.removeList(removed, of: owner)
            #expect(try await watchlist.list(of: ada).currency == "eur")
            // Twice each: coins that were requested only by name are forgotten by then.
            for currency in ["usd", "usd", "eur", "eur"] {
                fixture.clock.advance(100)
                await fixture.prices.refresh(in: currency)
            }
            #expect(requestedCoins(fixture, in: "eur") == ["ethereum", "solana"])
            #expect(requestedCoins(fixture, in: "usd") == ["bitcoin", "solana"])
            #expect(try await watchlist.list(of: ada).entries.first?.currentPrice != nil)
        }
    }

    @Test func `a display may show a list in a currency other than its owner's`() async throws {
        try await withTwo { watchlist, owner, _, fixture in
            let list = try await watchlist.list(of: owner, currency: "GBP")
            #expect(list.currency == "gbp" && list.prices.currency == "gbp")
            await fixture.prices.refresh(in: "gbp")
            #expect(requestedCoins(fixture, in: "gbp") == ["bitcoin", "solana"])
            #expect(try await watchlist.list(of: owner).currency == "usd")
        }
    }

    @Test func `changes to lists are published only to their owner`() async throws {
        try await withTwo { watchlist, owner, staking, fixture in
            let feed = fixture.services.feed
            let changes: [@Sendable () async throws -> Void] = [
                { try await watchlist.addList(name: "Third", for: owner) },
                { try await watchlist.renameList(staking.id, to: "Stakes", for: owner) },
                { try await watchlist.moveList(staking.id, .up, for: owner) },
                { try await watchlist.showTotals(true, of: staking.id, for: owner) },
                { try await watchlist.removeList(staking.id, of: owner) },
                { try await watchlist.undoRemoveList(staking.id, of: owner) },
                {
                    try await watchlist.setPreferences(
                        WatchlistPreferences.with { $0.redIsUp = true }, of: owner)
                },
                { try await watchlist.setNote(CoinNote(note: "x"), of: "bitcoin", for: owner) },
                { try await watchlist.addHolding(NewHolding(coinId: "bitcoin", amount: 1), for: owner) },
                { try await watchlist.addWallet(NewWallet(coinId: "bitcoin", address: "a"), for: owner) },
            ]
            for (number, change) in changes.enumerated() {
                let before = feed.version(of: [Topic.watchlist(owner)])
                try await change()
                #expect(feed.version(of: [Topic.watchlist(owner)]) > before, "\(number)")
            }
            #expect(feed.version(of: [Topic.watchlist(owner + 1)]) == 0)
        }
    }
}
