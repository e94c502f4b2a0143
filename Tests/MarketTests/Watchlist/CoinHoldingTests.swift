import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

@Suite struct CoinHoldingTests {
    private func withOwner(
        _ body: (WatchlistService, UserID, ServicesFixture) async throws -> Void
    ) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            try await body(fixture.services.market.watchlist, owner, fixture)
        }
    }

    /// The field that is refused, or nil if none is.
    private func field(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch {
            guard case .invalid(let field, _) = error as? RoostError else { return nil }
            return field
        }
    }

    @Test func `a note and a category show on every list, and are removed when both are empty`()
        async throws
    {
        try await withOwner { watchlist, owner, _ in
            let list = try await watchlist.addList(name: "Second", for: owner).id
            try await watchlist.add("bitcoin", to: owner, list: list)
            let note = try CoinNote(note: " Cold\r\nstorage \u{202E}", category: "Layer 1")
            #expect(note.note == "Cold\nstorage")
            try await watchlist.setNote(note, of: "bitcoin", for: owner)
            for id in [nil, list] {
                #expect(try await watchlist.list(of: owner, id).entries.first?.note == note)
            }
            #expect(
                try await watchlist.database.read { try watchlist.notes($0, of: owner) } == ["bitcoin": note])
            try await watchlist.setNote(.none, of: "bitcoin", for: owner)
            #expect(try await watchlist.database.read { try watchlist.notes($0, of: owner) }.isEmpty)
            #expect(
                try await watchlist.database.read { try watchlist.note($0, of: owner, coin: "bitcoin") }
                    .isEmpty)
        }
    }

    @Test func `an overlong text is refused at its field`() {
        let long = String(repeating: "x", count: 2_001)
        let refused = [
            field { _ = try CoinNote(note: long) }, field { _ = try CoinNote(category: long) },
            field { _ = try NewWallet(coinId: "bitcoin", address: long) },
            field { _ = try NewWallet(coinId: "bitcoin", address: " ") },
            field { _ = try NewHolding(coinId: "bitcoin", amount: 1, note: long) },
        ]
        #expect(refused == ["note", "category", "address", "address", "note"])
    }

    private static let wrong: [(String, String?, String?, String?, String)] = [
        ("0", nil, nil, nil, "amount"), ("-1", nil, nil, nil, "amount"), ("1e5", nil, nil, nil, "amount"),
        ("1,5", nil, nil, nil, "amount"), ("", nil, nil, nil, "amount"), ("NaN", nil, nil, nil, "amount"),
        ("1234567890123456789", nil, nil, nil, "amount"), ("0.1234567890123456789", nil, nil, nil, "amount"),
        ("1", "-2", "usd", nil, "price"), ("1", "two", "usd", nil, "price"), ("1", "2", nil, nil, "currency"),
        ("1", "2", "US dollar", nil, "currency"), ("1", nil, nil, "2025-02-30", "boughtOn"),
        ("1", nil, nil, "31.3.2025", "boughtOn"), ("1", nil, nil, "2025-3-1", "boughtOn"),
    ]

    @Test(arguments: wrong)
    func `an invalid holding is refused at its field`(
        amount: String, price: String?, currency: String?, day: String?, wrong: String
    ) {
        let refused = field {
            _ = try NewHolding(
                coinId: "bitcoin", amountText: amount, priceText: price, currency: currency, boughtOn: day,
                note: nil)
        }
        #expect(refused == wrong)
    }

    @Test func `a holding is stored to the last digit`() async throws {
        try await withOwner { watchlist, owner, _ in
            let details = try NewHolding(
                coinId: "bitcoin", amountText: " 123456789012345678.123456789012345678 ",
                priceText: "0.000000000000000001", currency: "USD", boughtOn: "2025-03-31", note: "First")
            let added = try await watchlist.addHolding(details, for: owner)
            let stored = try #require(try await watchlist.holdings(of: owner).first)
            #expect(stored == added && stored.details == details)
            #expect(stored.amount.description == "123456789012345678.123456789012345678")
            #expect(stored.price?.description == "0.000000000000000001")
            #expect(stored.currency == "usd" && stored.boughtOn == "2025-03-31" && stored.note == "First")
        }
    }

    @Test func `a missing price clears the currency, and a price of zero means a gift`() throws {
        let unknown = try NewHolding(
            coinId: "bitcoin", amountText: "1", priceText: " ", currency: "usd", boughtOn: "", note: nil)
        #expect(unknown.price == nil && unknown.currency == nil && unknown.boughtOn == nil)
        #expect(try NewHolding(coinId: "bitcoin", amount: 1, price: 0, currency: "usd").price == 0)
    }

    @Test func `a holding can be changed, removed, and restored for a day`() async throws {
        try await withOwner { watchlist, owner, fixture in
            let first = try await watchlist.addHolding(NewHolding(coinId: "bitcoin", amount: 1), for: owner)
            try await watchlist.addHolding(NewHolding(coinId: "solana", amount: 2), for: owner)
            let three = try NewHolding(coinId: "bitcoin", amount: 3)
            try await watchlist.editHolding(first.id, to: three, for: owner)
            #expect(try await watchlist.holdings(of: owner, coin: "bitcoin").map(\.amount) == [3])
            try await watchlist.removeHolding(first.id, of: owner)
            #expect(try await watchlist.holdings(of: owner).map(\.coinId) == ["solana"])
            fixture.clock.advance(86_000)
            #expect(try await watchlist.undoRemoveHolding(first.id, of: owner).amount == 3)
            try await watchlist.removeHolding(first.id, of: owner)
            fixture.clock.advance(86_401)
            let unknownHolding = RoostError.notFound("There is no such holding.")
            await #expect(throws: unknownHolding) {
                try await watchlist.undoRemoveHolding(first.id, of: owner)
            }
            await #expect(throws: unknownHolding) { try await watchlist.removeHolding(first.id, of: owner) }
        }
    }

    @Test func `a coin that CoinGecko has dropped counts as the user's while its holding can be restored`()
        async throws
    {
        try await withOwner { watchlist, owner, fixture in
            try fixture.change(
                "INSERT INTO coin_holdings (user_id, coin_id, amount) VALUES (\(owner), 'dropped', '1')")
            let holding = try #require(try await watchlist.holdings(of: owner).first)
            try await watchlist.removeHolding(holding.id, of: owner)
            try fixture.change("INSERT INTO undo_steps (undo, step) SELECT id, 'damaged' FROM undos")
            try await watchlist.checkCoin("dropped", of: owner)
            fixture.clock.advance(90_000)
            try await fixture.services.undos.removeExpired()
            await #expect(throws: WatchlistError.coinNotFound) {
                try await watchlist.checkCoin("dropped", of: owner)
            }
        }
    }

    @Test func `a wallet can be saved, changed, removed and restored`() async throws {
        try await withOwner { watchlist, owner, _ in
            let wallet = try await watchlist.addWallet(
                NewWallet(coinId: "bitcoin", address: "bc1q…", label: "Cold"), for: owner)
            try await watchlist.editWallet(
                wallet.id, to: NewWallet(coinId: "bitcoin", address: "bc1p…"), for: owner)
            let stored = try await watchlist.wallets(of: owner, coin: "bitcoin")
            #expect(stored.map(\.address) == ["bc1p…"] && stored.first?.label == "")
            #expect(try await watchlist.wallets(of: owner, coin: "solana").isEmpty)
            try await watchlist.removeWallet(wallet.id, of: owner)
            #expect(try await watchlist.wallets(of: owner).isEmpty)
            try await watchlist.undoRemoveWallet(wallet.id, of: owner)
            #expect(try await watchlist.wallets(of: owner) == stored)
        }
    }

    @Test func `an undo does not exceed five hundred wallets`() async throws {
        try await withOwner { watchlist, owner, fixture in
            let wallet = try await watchlist.addWallet(
                NewWallet(coinId: "bitcoin", address: "bc1q…"), for: owner)
            try await watchlist.removeWallet(wallet.id, of: owner)
            func fill(_ count: Int) throws {
                try fixture.change(
                    """
                    WITH RECURSIVE numbers(number) AS (
                        SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(count))
                    INSERT INTO coin_wallets (user_id, coin_id, address, label)
                    SELECT \(owner), 'bitcoin', 'a' || number, '' FROM numbers
                    """)
            }
            try fill(499)
            try await watchlist.undoRemoveWallet(wallet.id, of: owner)
            try await watchlist.removeWallet(wallet.id, of: owner)
            try fill(1)
            let refusal = RoostError.invalid(field: "address", why: "You can have at most 500 wallets.")
            await #expect(throws: refusal) { try await watchlist.undoRemoveWallet(wallet.id, of: owner) }
            #expect(try await watchlist.wallets(of: owner).count == 500)
        }
    }

    @Test func `another user's notes, holdings and wallets do not exist`() async throws {
        try await withOwner { watchlist, owner, fixture in
            let ada = try await fixture.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            let new = try NewHolding(coinId: "bitcoin", amount: 1)
            let newWallet = try NewWallet(coinId: "bitcoin", address: "a")
            let holding = try await watchlist.addHolding(new, for: owner).id
            let wallet = try await watchlist.addWallet(newWallet, for: owner).id
            try await watchlist.setNote(CoinNote(note: "His"), of: "bitcoin", for: owner)
            let requests: [@Sendable () async throws -> Void] = [
                { try await watchlist.editHolding(holding, to: new, for: ada) },
                { try await watchlist.removeHolding(holding, of: ada) },
                { try await watchlist.undoRemoveHolding(holding, of: ada) },
                { try await watchlist.editWallet(wallet, to: newWallet, for: ada) },
                { try await watchlist.removeWallet(wallet, of: ada) },
                { try await watchlist.undoRemoveWallet(wallet, of: ada) },
            ]
            for (number, request) in requests.enumerated() {
                guard case .notFound = await refusal(request) else {
                    Issue.record("\(number)")
                    continue
                }
            }
            #expect(try await watchlist.holdings(of: ada).isEmpty)
            #expect(try await watchlist.wallets(of: ada).isEmpty)
            #expect(try await watchlist.database.read { try watchlist.notes($0, of: ada) }.isEmpty)
            #expect(try await watchlist.holdings(of: owner).count == 1)
        }
    }

    @Test func `an unknown coin cannot have a note or holding, but one that CoinGecko dropped can`()
        async throws
    {
        try await withOwner { watchlist, owner, fixture in
            let note = try CoinNote(note: "x")
            await #expect(throws: WatchlistError.coinNotFound) {
                try await watchlist.setNote(note, of: "nonsense", for: owner)
            }
            await #expect(throws: WatchlistError.coinNotFound) {
                try await watchlist.addHolding(NewHolding(coinId: "nonsense", amount: 1), for: owner)
            }
            #expect(throws: WatchlistError.invalidCoinId) { try NewHolding(coinId: "a\nb", amount: 1) }
            try fixture.change("UPDATE watchlist_items SET coin_id = 'dropped'")
            try await watchlist.setNote(note, of: "dropped", for: owner)
            #expect(
                try await watchlist.database.read { try watchlist.note($0, of: owner, coin: "dropped") }
                    == note)
        }
    }
}
