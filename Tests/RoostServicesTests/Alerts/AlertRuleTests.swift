import Foundation
import TestSupport
import Testing

@testable import Market

/// When an alert fires: once for each crossing, whatever lies between two prices.
@Suite struct AlertRuleTests {
    /// A walk of figures, "-" where none is known, and the places at which the alert fires.
    struct Walk: Sendable, CustomTestStringConvertible {
        let words: String
        let kind: CoinAlert.Kind
        let threshold: String
        let figures: String
        let fires: [Int]

        var testDescription: String { words }
    }

    private static let walks = [
        Walk(words: "up", kind: .above, threshold: "100", figures: "90 110", fires: [1]),
        Walk(words: "down", kind: .below, threshold: "100", figures: "110 90", fires: [1]),
        Walk(words: "equal from below", kind: .above, threshold: "100", figures: "99 100", fires: [1]),
        Walk(words: "equal from above", kind: .below, threshold: "100", figures: "101 100", fires: [1]),
        Walk(
            words: "one digit short", kind: .above, threshold: "0.00000001",
            figures: "0.000000009 0.00000000999 0.00000001", fires: [2]),
        Walk(
            words: "the other way fires nothing", kind: .above, threshold: "100", figures: "110 90", fires: []
        ),
        Walk(
            words: "the first price only sets the side", kind: .above, threshold: "100",
            figures: "110 120 130",
            fires: []),
        Walk(
            words: "beyond at first, it fires at the next crossing", kind: .above, threshold: "100",
            figures: "110 90 110", fires: [2]),
        Walk(
            words: "staying beyond fires once", kind: .above, threshold: "100", figures: "90 110 120 100 130",
            fires: [1]),
        Walk(
            words: "trembling at the threshold fires once", kind: .above, threshold: "100",
            figures: "90 100 99.9 100.1 99.51 101", fires: [1]),
        Walk(
            words: "back by the margin, it fires again", kind: .above, threshold: "100",
            figures: "90 100 99.5 100", fires: [1, 3]),
        Walk(
            words: "the margin of a fall", kind: .below, threshold: "100",
            figures: "110 99 100.49 99 100.5 99",
            fires: [1, 5]),
        Walk(
            words: "a gap over the threshold", kind: .above, threshold: "100", figures: "1 100000", fires: [1]
        ),
        Walk(
            words: "there and back between two prices", kind: .above, threshold: "100", figures: "90 99 98",
            fires: []),
        Walk(words: "no price", kind: .above, threshold: "100", figures: "90 - - 110", fires: [3]),
        Walk(words: "no price at first", kind: .above, threshold: "100", figures: "- 110 90 110", fires: [3]),
        Walk(
            words: "no price after it fired", kind: .above, threshold: "100", figures: "90 110 - 111",
            fires: [1]),
        Walk(words: "a rise", kind: .change, threshold: "5", figures: "1 4.99 5", fires: [2]),
        Walk(words: "a fall", kind: .change, threshold: "5", figures: "1 -5", fires: [1]),
        Walk(
            words: "a change's margin", kind: .change, threshold: "5", figures: "0 6 4.6 6 4.5 6",
            fires: [1, 5]),
        Walk(
            words: "from a rise into a fall", kind: .change, threshold: "5", figures: "0 6 -6", fires: [1, 2]),
        Walk(
            words: "a small change's margin is half of it", kind: .change, threshold: "0.4",
            figures: "0 0.4 0.3 0.4 0.2 0.4", fires: [1, 5]),
    ]

    @Test(arguments: walks) func `it fires once for each crossing`(_ walk: Walk) throws {
        let rule = AlertRule(
            kind: walk.kind, threshold: try #require(Decimal(string: walk.threshold)))
        var state = AlertRule.State.new
        var fired: [Int] = []
        for (place, figure) in walk.figures.split(separator: " ").enumerated() {
            let step = rule.next(state, figure == "-" ? nil : Decimal(string: String(figure)))
            if step.fires { fired.append(place) }
            state = step.state
        }
        #expect(fired == walk.fires)
    }

    @Test func `what is not armed has a side, whatever the price does`() {
        var numbers = SeededNumbers(seed: 7)
        for kind in CoinAlert.Kind.allCases {
            let rule = AlertRule(kind: kind, threshold: 10)
            var state = AlertRule.State.new
            for _ in 0..<1_000 {
                let figure = Decimal(Int.random(in: -150...150, using: &numbers)) / 10
                state = rule.next(state, Bool.random(using: &numbers) ? figure : nil).state
                let isStorable = state.isArmed || state.side != nil
                #expect(isStorable)
            }
        }
    }

    @Test func `an unknown figure changes nothing`() {
        let rule = AlertRule(kind: .above, threshold: 10)
        for state in [AlertRule.State.new, .init(side: .above, isArmed: false)] {
            let step = rule.next(state, nil)
            #expect(step.state == state)
            #expect(!step.fires)
        }
    }
}
