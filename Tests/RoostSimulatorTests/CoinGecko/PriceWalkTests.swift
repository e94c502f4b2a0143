import Testing

@testable import RoostSimulator

@Suite struct PriceWalkTests {
    private let dice = SeededRandom(seed: 42)

    private func factors(_ key: Int, volatility: Double = 1, steps: Range<Int>, step: Int = 20_000)
        -> [Double]
    {
        let walk = PriceWalk(seed: 5, step: step)
        let coin = SimulatedCoin(
            key: key, id: "x", symbol: "x", name: "X", price: 1, supply: 1, volatility: volatility)
        return steps.map { walk.factor(of: coin, at: $0) }
    }

    @Test func `a walk stays between a third of the base price and double the base price`() {
        for key in 0..<20 {
            let factors = factors(key, volatility: 1.5, steps: 0..<2000, step: 86_400_000)
            #expect(factors.allSatisfy { (0.37...1.63).contains($0) })
        }
    }

    @Test func `a pegged coin hardly moves`() {
        let factors = factors(3, volatility: 0.01, steps: 0..<5000, step: 3_600_000)
        #expect(factors.allSatisfy { (0.995...1.005).contains($0) })
    }

    @Test func `coins move independently of each other`() {
        let (one, other) = (factors(1, steps: 0..<200), factors(2, steps: 0..<200))
        let same = zip(one, other).count { $0 == $1 }
        #expect(same == 0)
    }

    @Test func `no step equals the one before, and over months prices rise and fall`() {
        let near = factors(1, steps: 88_000_000..<88_000_500)
        #expect(zip(near, near.dropFirst()).allSatisfy { $0 != $1 })
        let far = (0..<10).flatMap { factors($0, steps: 0..<400, step: 86_400_000) }
        #expect(far.contains { $0 > 1.05 })
        #expect(far.contains { $0 < 0.95 })
    }

    @Test func `waves join without a jump at a knot`() {
        // 3 hours are 540 steps of 20 s: the walk passes many knots here.
        let factors = factors(9, steps: 1_000_000..<1_004_000)
        let largest = zip(factors, factors.dropFirst()).map { abs($1 - $0) }.max() ?? 1
        #expect(largest < 0.004)
    }

    @Test func `a step of zero or less counts as a millisecond`() {
        #expect(PriceWalk(seed: 1, step: 0).number(at: 1234) == 1234)
        #expect(PriceWalk(seed: 1, step: -5).number(at: 1234) == 1234)
        #expect(PriceWalk(seed: 1, step: 20_000).number(at: 59_999) == 2)
    }

    @Test func `the random numbers are evenly spread and repeatable`() {
        let throwsOfDice = (0..<20_000).map { dice.unit(1, UInt64($0)) }
        #expect(throwsOfDice.allSatisfy { (0..<1).contains($0) })
        let mean = throwsOfDice.reduce(0, +) / 20_000
        #expect(abs(mean - 0.5) < 0.02)
        #expect(throwsOfDice == (0..<20_000).map { SeededRandom(seed: 42).unit(1, UInt64($0)) })
        let faces = Dictionary(grouping: (0..<6000).map { dice.index(2, UInt64($0), below: 6) }) { $0 }
        #expect(faces.keys.sorted() == Array(0..<6))
        #expect(faces.values.allSatisfy { (800...1200).contains($0.count) })
        #expect((0..<1000).allSatisfy { (-1..<1).contains(dice.signed(UInt64($0))) })
    }
}
