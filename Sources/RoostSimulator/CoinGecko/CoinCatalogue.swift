/// All coins of the simulated market: about 65 that everybody knows, 37 odd ones, and a generated tail.
final class CoinCatalogue: Sendable {
    /// A coin's place is its `key`.
    let coins: [SimulatedCoin]
    private let places: [String: Int]
    /// `id symbol name` in lower case, a coin each, for `/search`.
    private let needles: [[UInt8]]

    /// - Parameter listed: how many coins `/coins/list` names; three newcomers come on top.
    init(seed: UInt64, listed: Int) {
        var coins = WellKnownCoins.coins()
        coins += EdgeCaseCoins.coins(from: coins.count)
        let missing = listed - coins.count { !$0.traits.contains(.newcomer) }
        if missing > 0 {
            let generator = GeneratedCoins(dice: SeededRandom(seed: seed), after: coins)
            coins += generator.coins(missing, from: coins.count)
        }
        self.coins = coins
        places = Dictionary(uniqueKeysWithValues: coins.map { ($0.id, $0.key) })
        needles = coins.map { Array("\($0.id)\n\($0.symbol)\n\($0.name)".lowercased().utf8) }
    }

    subscript(id: String) -> SimulatedCoin? {
        places[id].map { coins[$0] }
    }

    /// Coins whose id, symbol or name contains the text, letter case aside.
    func containing(_ text: String) -> [SimulatedCoin] {
        let wanted = Array(text.lowercased().utf8)
        return coins.filter { needles[$0.key].contains(slice: wanted) }
    }
}

extension [UInt8] {
    func contains(slice: [UInt8]) -> Bool {
        guard let head = slice.first else { return true }
        guard count >= slice.count else { return false }
        return withUnsafeBufferPointer { bytes in
            slice.withUnsafeBufferPointer { wanted in
                (0...(bytes.count - wanted.count)).contains { start in
                    bytes[start] == head && wanted.indices.allSatisfy { bytes[start + $0] == wanted[$0] }
                }
            }
        }
    }
}
