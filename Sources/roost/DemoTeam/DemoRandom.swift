import RoostSimulator

/// The numbers of a seed one after another, the same in every run.
struct DemoRandom: RandomNumberGenerator, Sendable {
    private let numbers: SeededRandom
    private var place: UInt64 = 0

    init(seed: UInt64) {
        numbers = SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 {
        place += 1
        return numbers.roll(place)
    }
}
