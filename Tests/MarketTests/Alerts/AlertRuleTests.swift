import Foundation
import TestSupport
import Testing

@testable import Market

/// An alert fires once for each crossing, whatever happens between two prices.
@Suite struct AlertRuleTests {
    /// A sequence of values, with "-" for an unknown one, and the indices at which the alert fires.
    struct Walk: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: CoinAlert.Kind
        let threshold: String
        let values: String
        let fires: [Int]

        var testDescription: String { name }
    }

    private static let walks = [
        Walk(name: "up", kind: .above, threshold: "100", values: "90 110", fires: [1]),
        Walk(name: "down", kind: .below, threshold: "100", values: "110 90", fires: [1]),
        Walk(name: "equal from below", kind: .above, threshold: "100", values: "99 100", fires: [1]),
        Walk(name: "equal from above", kind: .below, threshold: "100", values: "101 100", fires: [1]),
        Walk(
            name: "one digit short", kind: .above, threshold: "0.00000001",
            values: "0.000000009 0.00000000999 0.00000001", fires: [2]),
        Walk(
            name: "the other way fires nothing", kind: .above, threshold: "100", values: "110 90", fires: []
        ),
        Walk(
            name: "the first price only sets the side", kind: .above, threshold: "100",
            values: "110 120 130",
            fires: []),
        Walk(
            name: "beyond at first, it fires at the next crossing", kind: .above, threshold: "100",
            values: "110 90 110", fires: [2]),
        Walk(
            name: "staying beyond fires once", kind: .above, threshold: "100", values: "90 110 120 100 130",
            fires: [1]),
        Walk(
            name: "trembling at the threshold fires once", kind: .above, threshold: "100",
            values: "90 100 99.9 100.1 99.51 101", fires: [1]),
        Walk(
            name: "back by the margin, it fires again", kind: .above, threshold: "100",
            values: "90 100 99.5 100", fires: [1, 3]),
        Walk(
            name: "the margin of a fall", kind: .below, threshold: "100",
            values: "110 99 100.49 99 100.5 99",
            fires: [1, 5]),
        Walk(
            name: "a gap over the threshold", kind: .above, threshold: "100", values: "1 100000", fires: [1]
        ),
        Walk(
            name: "there and back between two prices", kind: .above, threshold: "100", values: "90 99 98",
            fires: []),
        Walk(name: "no price", kind: .above, threshold: "100", values: "90 - - 110", fires: [3]),
        Walk(name: "no price at first", kind: .above, threshold: "100", values: "- 110 90 110", fires: [3]),
        Walk(
            name: "no price after it fired", kind: .above, threshold: "100", values: "90 110 - 111",
            fires: [1]),
        Walk(name: "a rise", kind: .change, threshold: "5", values: "1 4.99 5", fires: [2]),
        Walk(name: "a fall", kind: .change, threshold: "5", values: "1 -5", fires: [1]),
        Walk(
            name: "a change's margin", kind: .change, threshold: "5", values: "0 6 4.6 6 4.5 6",
            fires: [1, 5]),
        Walk(
            name: "from a rise into a fall", kind: .change, threshold: "5", values: "0 6 -6", fires: [1, 2]),
        Walk(
            name: "a small change's margin is half of it", kind: .change, threshold: "0.4",
            values: "0 0.4 0.3 0.4 0.2 0.4", fires: [1, 5]),
    ]

    @Test(arguments: walks) func `an alert fires once for each crossing`(_ walk: Walk) throws {
        let rule = AlertRule(
            kind: walk.kind, threshold: try #require(Decimal(string: walk.threshold)))
        var state = AlertRule.State.new
        var fired: [Int] = []
        for (index, value) in walk.values.split(separator: " ").enumerated() {
            let step = rule.next(state, value == "-" ? nil : Decimal(string: String(value)))
            if step.fires { fired.append(index) }
            state = step.state
        }
        #expect(fired == walk.fires)
    }

    @Test func `an unarmed alert always has a side, whatever the price does`() {
        var numbers = SeededNumbers(seed: 7)
        for kind in CoinAlert.Kind.allCases {
            let rule = AlertRule(kind: kind, threshold: 10)
            var state = AlertRule.State.new
            for _ in 0..<1_000 {
                let value = Decimal(Int.random(in: -150...150, using: &numbers)) / 10
                state = rule.next(state, Bool.random(using: &numbers) ? value : nil).state
                let isStorable = state.isArmed || state.side != nil
                #expect(isStorable)
            }
        }
    }

    @Test func `an unknown value changes nothing`() {
        let rule = AlertRule(kind: .above, threshold: 10)
        for state in [AlertRule.State.new, .init(side: .above, isArmed: false)] {
            let step = rule.next(state, nil)
            #expect(step.state == state)
            #expect(!step.fires)
        }
    }
}
