/// Uniform random values computed from a seed and one or two integers (SplitMix64's finaliser). The same
/// input gives the same value on every machine.
package struct SeededRandom: Sendable {
    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    package func roll(_ first: UInt64, _ second: UInt64 = 0) -> UInt64 {
        Self.mix(Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15 &* (first &+ 1)) ^ (second &* 0xD6E8_FEB8_6659_FD93))
    }

    /// 0 ..< 1
    func unit(_ first: UInt64, _ second: UInt64 = 0) -> Double {
        Double(roll(first, second) >> 11) * 0x1p-53
    }

    /// -1 ..< 1
    func signed(_ first: UInt64, _ second: UInt64 = 0) -> Double {
        unit(first, second) * 2 - 1
    }

    func index(_ first: UInt64, _ second: UInt64 = 0, below count: Int) -> Int {
        Int(roll(first, second) % UInt64(count))
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
