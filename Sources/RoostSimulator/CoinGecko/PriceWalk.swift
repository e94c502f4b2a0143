/// Computes a price at a step as a sum of smooth noises with periods from 200 days to one step.
///
/// A pure function of seed, coin and step, so that prices for now and for earlier times are consistent.
struct PriceWalk: Sendable {
    let dice: SeededRandom
    /// Milliseconds.
    let step: Int
    private let waves: [Wave]

    private struct Wave {
        /// Steps between two knots.
        let length: Int
        /// Fraction of the base price.
        let height: Double
    }

    /// The heights add up to 0.414. At the highest volatility (1.5) a price keeps at least a third of its
    /// base.
    init(seed: UInt64, step: Int) {
        self.step = max(1, step)
        dice = SeededRandom(seed: seed ^ 0x5EED_0FA1_1CE5)
        let slow = [(200 * Timestamp.day, 0.22), (30 * Timestamp.day, 0.1), (7 * Timestamp.day, 0.05)]
        let quick = [(Timestamp.day, 0.03), (3 * Timestamp.hour, 0.01)]
        let pace = self.step
        waves =
            (slow + quick).map { Wave(length: max(1, $0.0 / pace), height: $0.1) }
            + [Wave(length: 20, height: 0.003), Wave(length: 1, height: 0.001)]
    }

    func number(at milliseconds: Int) -> Int {
        milliseconds / step
    }

    /// Returns the factor for the base price: 0.37 ... 1.63.
    func factor(of coin: SimulatedCoin, at number: Int) -> Double {
        var sum = 0.0
        for (index, wave) in waves.enumerated() {
            let knot = number / wave.length
            let salt = UInt64(coin.key) << 3 | UInt64(index)
            let from = dice.signed(salt, UInt64(truncatingIfNeeded: knot))
            guard wave.length > 1 else {
                sum += wave.height * from
                continue
            }
            let to = dice.signed(salt, UInt64(truncatingIfNeeded: knot + 1))
            let part = Double(number % wave.length) / Double(wave.length)
            sum += wave.height * (from + (to - from) * part * part * (3 - 2 * part))
        }
        return 1 + sum * coin.volatility
    }
}
