/// All coins of the simulated market: about 65 well-known ones, 37 edge cases, and generated ones.
final class CoinCatalogue: Sendable {
    /// Indexed by `SimulatedCoin.key`.
    let coins: [SimulatedCoin]
    private let indexByID: [String: Int]
    /// `id symbol name` in lower case for each coin, for `/search`.
    private let searchTexts: [[UInt8]]

    /// - Parameter listed: the number of coins in `/coins/list`; three newcomers are added to it.
    init(seed: UInt64, listed: Int) {
        var coins = WellKnownCoins.coins()
        coins += EdgeCaseCoins.coins(from: coins.count)
        let missing = listed - coins.count { !$0.traits.contains(.newcomer) }
        if missing > 0 {
            let generator = GeneratedCoins(dice: SeededRandom(seed: seed), after: coins)
            coins += generator.coins(missing, from: coins.count)
        }
        self.coins = coins
        indexByID = Dictionary(uniqueKeysWithValues: coins.map { ($0.id, $0.key) })
        searchTexts = coins.map { Array("\($0.id)\n\($0.symbol)\n\($0.name)".lowercased().utf8) }
    }

    subscript(id: String) -> SimulatedCoin? {
        indexByID[id].map { coins[$0] }
    }

    func containing(_ text: String) -> [SimulatedCoin] {
        let needle = Array(text.lowercased().utf8)
        return coins.filter { searchTexts[$0.key].contains(slice: needle) }
    }
}

extension [UInt8] {
    func contains(slice: [UInt8]) -> Bool {
        guard let head = slice.first else { return true }
        guard count >= slice.count else { return false }
        return withUnsafeBufferPointer { bytes in
            slice.withUnsafeBufferPointer { needle in
                (0...(bytes.count - needle.count)).contains { start in
                    bytes[start] == head && needle.indices.allSatisfy { bytes[start + $0] == needle[$0] }
                }
            }
        }
    }
}
