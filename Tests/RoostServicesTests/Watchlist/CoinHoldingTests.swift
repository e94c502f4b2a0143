import Foundation
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

/// Notes, holdings and wallets of a user's coins.
@Suite struct CoinHoldingTests {
    private func withOwner(
        _ body: (WatchlistService, UserID, ServicesFixture) async throws -> Void
    ) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            try await body(fixture.services.watchlist, owner, fixture)
        }
    }

    /// The field that is refused; nil where nothing is.
    private func field(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch {
            guard case .invalid(let field, _) = error as? RoostError else { return nil }
            return field
        }
    }

    @Test func `a note and a category stand at the coin on every list, and go when both are empty`()
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
            #expect(try await watchlist.notes(of: owner) == ["bitcoin": note])
            try await watchlist.setNote(.none, of: "bitcoin", for: owner)
            #expect(try await watchlist.notes(of: owner).isEmpty)
            #expect(try await watchlist.note(of: owner, coin: "bitcoin").isEmpty)
        }
    }

    @Test func `what is too long is refused by its field`() {
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
    func `a holding that cannot be is refused by its field`(
        amount: String, price: String?, currency: String?, day: String?, wrong: String
    ) {
        let refused = field {
            _ = try NewHolding(
                coinId: "bitcoin", amountText: amount, priceText: price, currency: currency, boughtOn: day,
                note: nil)
        }
        #expect(refused == wrong)
    }

    @Test func `a holding is kept to the last digit`() async throws {
        try await withOwner { watchlist, owner, _ in
            let details = try NewHolding(
                coinId: "bitcoin", amountText: " 123456789012345678.123456789012345678 ",
                priceText: "0.000000000000000001", currency: "USD", boughtOn: "2025-03-31", note: "First")
            let added = try await watchlist.addHolding(details, for: owner)
            let kept = try #require(try await watchlist.holdings(of: owner).first)
            #expect(kept == added && kept.details == details)
            #expect(kept.amount.description == "123456789012345678.123456789012345678")
            #expect(kept.price?.description == "0.000000000000000001")
            #expect(kept.currency == "usd" && kept.boughtOn == "2025-03-31" && kept.note == "First")
        }
    }

    @Test func `a price that is not noted takes its currency along, and one of nothing is a gift`() throws {
        let unknown = try NewHolding(
            coinId: "bitcoin", amountText: "1", priceText: " ", currency: "usd", boughtOn: "", note: nil)
        #expect(unknown.price == nil && unknown.currency == nil && unknown.boughtOn == nil)
        #expect(try NewHolding(coinId: "bitcoin", amount: 1, price: 0, currency: "usd").price == 0)
    }

    @Test func `a holding is changed, removed, and comes back for a day`() async throws {
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
            let gone = RoostError.notFound("This holding is not there.")
            await #expect(throws: gone) { try await watchlist.undoRemoveHolding(first.id, of: owner) }
            await #expect(throws: gone) { try await watchlist.removeHolding(first.id, of: owner) }
        }
    }

    @Test func `a wallet is kept, changed, removed, and comes back`() async throws {
        try await withOwner { watchlist, owner, _ in
            let wallet = try await watchlist.addWallet(
                NewWallet(coinId: "bitcoin", address: "bc1q…", label: "Cold"), for: owner)
            try await watchlist.editWallet(
                wallet.id, to: NewWallet(coinId: "bitcoin", address: "bc1p…"), for: owner)
            let kept = try await watchlist.wallets(of: owner, coin: "bitcoin")
            #expect(kept.map(\.address) == ["bc1p…"] && kept.first?.label == "")
            #expect(try await watchlist.wallets(of: owner, coin: "solana").isEmpty)
            try await watchlist.removeWallet(wallet.id, of: owner)
            #expect(try await watchlist.wallets(of: owner).isEmpty)
            try await watchlist.undoRemoveWallet(wallet.id, of: owner)
            #expect(try await watchlist.wallets(of: owner) == kept)
        }
    }

    @Test func `an undo does not go past five hundred wallets`() async throws {
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
            let refusal = RoostError.invalid(field: "address", why: "There can be 500 wallets at most.")
            await #expect(throws: refusal) { try await watchlist.undoRemoveWallet(wallet.id, of: owner) }
            #expect(try await watchlist.wallets(of: owner).count == 500)
        }
    }

    @Test func `what is another's is not there`() async throws {
        try await withOwner { watchlist, owner, fixture in
            let ada = try await fixture.services.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            let new = try NewHolding(coinId: "bitcoin", amount: 1)
            let place = try NewWallet(coinId: "bitcoin", address: "a")
            let holding = try await watchlist.addHolding(new, for: owner).id
            let wallet = try await watchlist.addWallet(place, for: owner).id
            try await watchlist.setNote(CoinNote(note: "His"), of: "bitcoin", for: owner)
            let acts: [@Sendable () async throws -> Void] = [
                { try await watchlist.editHolding(holding, to: new, for: ada) },
                { try await watchlist.removeHolding(holding, of: ada) },
                { try await watchlist.undoRemoveHolding(holding, of: ada) },
                { try await watchlist.editWallet(wallet, to: place, for: ada) },
                { try await watchlist.removeWallet(wallet, of: ada) },
                { try await watchlist.undoRemoveWallet(wallet, of: ada) },
            ]
            for (number, act) in acts.enumerated() {
                guard case .notFound = await refusal(act) else {
                    Issue.record("\(number)")
                    continue
                }
            }
            #expect(try await watchlist.holdings(of: ada).isEmpty)
            #expect(try await watchlist.wallets(of: ada).isEmpty)
            #expect(try await watchlist.notes(of: ada).isEmpty)
            #expect(try await watchlist.holdings(of: owner).count == 1)
        }
    }

    @Test func `nothing is noted of an unknown coin, but of one that CoinGecko dropped`()
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
            #expect(try await watchlist.note(of: owner, coin: "dropped") == note)
        }
    }
}
