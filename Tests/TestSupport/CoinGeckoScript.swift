package import Foundation
import Synchronization

/// A small CoinGecko: four coins with prices that a test sets, in the real format.
package final class CoinGeckoScript: Sendable {
    package struct Listed: Sendable {
        package let id: String
        package let symbol: String
        package let name: String
    }

    package static let coins = [
        Listed(id: "bitcoin", symbol: "btc", name: "Bitcoin"),
        Listed(id: "ethereum", symbol: "eth", name: "Ethereum"),
        Listed(id: "solana", symbol: "sol", name: "Solana"),
        Listed(id: "boringdao-[old]", symbol: "bor", name: "BoringDAO [OLD]"),
    ]

    private let prices = Mutex<[String: String]>(
        ["bitcoin": "64250.5", "ethereum": "3120.25", "solana": "1.2e-08", "boringdao-[old]": "0.5"])
    private let time: @Sendable () -> Date
    package let etag = "W/\"list-1\""

    package init(time: @escaping @Sendable () -> Date) {
        self.time = time
    }

    /// Sets the price as JSON writes it; nil delists the coin.
    package func set(_ id: String, to price: String?) { prices.withLock { $0[id] = price } }

    package func answer(_ request: ScriptedUpstream.Request) -> ScriptedUpstream.Response {
        switch request.path {
        case "/coins/markets": .init(body: markets(request.query["ids"]))
        case "/coins/list": list(request)
        case "/search": .init(body: #"{"coins":[]}"#)
        default: .init(status: 404, body: #"{"error":"coin not found"}"#)
        }
    }

    private func list(_ request: ScriptedUpstream.Request) -> ScriptedUpstream.Response {
        if request.headers["if-none-match"] == etag { return .init(status: 304) }
        let items = Self.coins.map { #"{"id":"\#($0.id)","symbol":"\#($0.symbol)","name":"\#($0.name)"}"# }
        return .init(headers: ["ETag: \(etag)"], body: "[\(items.joined(separator: ","))]")
    }

    /// Items in the order of their ids, ranked in the order of `coins`.
    private func markets(_ ids: String?) -> String {
        let prices = prices.withLock { $0 }
        let wanted = ids.map { $0.split(separator: ",").compactMap { $0.removingPercentEncoding } }
        let items = (wanted ?? prices.keys.sorted()).compactMap { id in
            prices[id].map { Self.item(id, price: $0, at: time()) }
        }
        return "[\(items.joined(separator: ","))]"
    }

    package static func item(_ id: String, price: String, at time: Date, change: String = "1.5") -> String {
        let coin = coins.first { $0.id == id } ?? Listed(id: id, symbol: id, name: id)
        let rank = coins.firstIndex { $0.id == id }.map { "\($0 + 1)" } ?? "null"
        return """
            {"id":"\(id)","symbol":"\(coin.symbol)","name":"\(coin.name)","current_price":\(price),
            "market_cap_rank":\(rank),"price_change_24h":999.0,"price_change_percentage_24h":\(change),
            "last_updated":"\(time.ISO8601Format())","sparkline_in_7d":{"price":[1,2,3]}}
            """
    }
}
