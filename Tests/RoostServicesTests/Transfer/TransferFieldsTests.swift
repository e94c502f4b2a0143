import Foundation
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct TransferFieldsTests {
    private func copied<Record: ColumnRecord>(_ record: Record) throws -> Record {
        let line = try TransferLine.json(TransferFields(record))
        let context = TransferContext(now: Date(), isServer: false) { _ in nil }
        return try TransferRow(number: 1, bytes: line, owner: 1, context: context)
            .decode(TransferFields.self).record()
    }

    @Test func `a record is the same after JSON, with all values and with none`() throws {
        let holding = try NewHolding(
            coinId: "bitcoin", amount: Decimal(string: "0.000012345678901234") ?? 1, price: 20_000,
            currency: "usd", boughtOn: "2025-03-31", note: "“first”\nof three")
        #expect(try copied(holding) == holding)
        #expect(try copied(NewHolding(coinId: "a", amount: 1)) == NewHolding(coinId: "a", amount: 1))
        var settings = DisplaySettings(
            pages: [.coins, .headline], todayParts: [.alerts], listId: 7, coins: ["bitcoin", "[odd] id"],
            sort: .price, currency: "eur", theme: .time, dimming: 40, headline: "Hello", redIsUp: true)
        #expect(try copied(settings) == settings)
        settings = DisplaySettings(reloadAt: nil)
        // A missing member keeps the default, which is a time.
        #expect(TransferFields(settings).values["reloadAt"] == .null)
        #expect(try copied(settings) == settings)
    }

    @Test func `times are ISO 8601, and lists are lists`() throws {
        let alert = CoinAlert(
            id: 1, userId: 2, coinId: "bitcoin", symbol: "btc", name: "Bitcoin", kind: .above, threshold: 5,
            currency: "usd", createdAt: Date(timeIntervalSince1970: 1_795_000_000.25))
        let fields = TransferFields(alert, omitting: ["id", "user_id"])
        #expect(fields.text("createdAt") == "2026-11-18T11:06:40.250Z")
        #expect(fields.values["isArmed"] == .bool(true) && fields.values["userId"] == nil)
        let settings = TransferFields(DisplaySettings(coins: ["bitcoin"]))
        #expect(settings.values["coins"] == .list([.text("bitcoin")]))
    }

    @Test(arguments: ["perPage", "redIsUp", "coins", "dimming", "theme"])
    func `a value of another type is refused with the member's name`(name: String) {
        let fields = TransferFields([name: .text("nonsense")])
        #expect(throws: RoostError.file("“\(name)” has an invalid value.")) {
            _ = try fields.record(DisplaySettings.self)
        }
    }
}
