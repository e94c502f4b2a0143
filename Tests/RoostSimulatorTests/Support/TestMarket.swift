import Foundation

@testable import RoostSimulator

/// The simulated CoinGecko at a fixed time, without a network.
struct TestMarket {
    /// 2026-02-17T15:56:31.631Z
    static let moment = 1_771_343_791_631
    /// With all 17,000 coins; tests that use switches make their own.
    static let whole = TestMarket()

    let simulation: CoinGeckoSimulation

    init(seed: UInt64 = 7, step: Int = 20_000, at moment: Int = Self.moment, coins: Int = 17_000) {
        simulation = CoinGeckoSimulation(seed: seed, step: step, clock: .fixed(moment), listedCoins: coins)
    }

    /// - Parameter host: the client's name for it; pictures use the same
    func ask(_ target: String, proKey: String? = nil, host: String? = nil) -> SimulatedResponse {
        simulation.answer(
            SimulatedRequest(target: target, userAgent: "RoostTests/1", proKey: proKey, host: host))
    }

    func markets(_ query: String) throws -> [[String: Any]] {
        try ask("/coins/markets?vs_currency=usd&\(query)").items
    }

    func coin(_ id: String, _ query: String = "sparkline=true") throws -> [String: Any]? {
        let escaped = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? id
        return try markets("\(query)&ids=\(escaped)").first
    }
}

struct UnexpectedJSON: Error {}

extension SimulatedResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as an array of objects, without other elements.
    var items: [[String: Any]] {
        get throws {
            guard let items = try JSONSerialization.jsonObject(with: Data(body)) as? [Any] else {
                throw UnexpectedJSON()
            }
            return items.compactMap { $0 as? [String: Any] }
        }
    }

    var object: [String: Any] {
        get throws {
            guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
                throw UnexpectedJSON()
            }
            return object
        }
    }

    /// Ids of a list or of market items, in order.
    var ids: [String] {
        get throws { try items.compactMap { $0["id"] as? String } }
    }
}

extension [String: Any] {
    func number(_ key: String) -> Double? { (self[key] as? NSNumber)?.doubleValue }

    func text(_ key: String) -> String? { self[key] as? String }

    /// Whether the key exists and is null.
    func isNull(_ key: String) -> Bool { self[key] is NSNull }

    var spark: [Double]? {
        ((self["sparkline_in_7d"] as? [String: Any])?["price"] as? [NSNumber])?.map(\.doubleValue)
    }
}
