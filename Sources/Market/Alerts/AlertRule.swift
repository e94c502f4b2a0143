import Foundation

/// When an alert fires: a pure function of where it stands and the next figure.
///
/// It fires when the figure reaches the threshold, once: after that it is armed again when the figure has come back
/// across by the margin, so that a price that trembles at the threshold sends one text.
struct AlertRule: Sendable {
    /// What is stored of an alert between two prices.
    package struct State: Equatable, Sendable {
        /// Nil: no price since it was armed.
        package let side: CoinAlert.Side?
        package let isArmed: Bool

        /// Of an alert that was just made, changed or armed by hand.
        package static let new = State(side: nil, isArmed: true)

        package init(side: CoinAlert.Side?, isArmed: Bool) {
            self.side = side
            self.isArmed = isArmed
        }
    }

    package struct Step: Equatable, Sendable {
        package let state: State
        let fires: Bool
    }

    /// How far a price comes back before the alert is armed again, as a share of the threshold: 0.5 %.
    static let priceMargin = Decimal(5) / 1_000
    /// The same for a change, in percentage points; half the threshold where that is less.
    static let changeMargin = Decimal(5) / 10

    package let kind: CoinAlert.Kind
    /// Above 0.
    package let threshold: Decimal

    package init(kind: CoinAlert.Kind, threshold: Decimal) {
        self.kind = kind
        self.threshold = threshold
    }

    /// What the next figure does.
    ///
    /// The first one after arming only sets the side: beyond the threshold, the alert waits for the way back.
    ///
    /// - Parameter figure: the price, or the change in percent; nil where it is unknown or old: nothing is done
    package func next(_ state: State, _ figure: Decimal?) -> Step {
        guard let figure else { return Step(state: state, fires: false) }
        let side = side(of: figure)
        if isBeyond(side) {
            let isCrossing = state.side != nil && state.side != side
            return Step(state: State(side: side, isArmed: false), fires: isCrossing)
        }
        guard state.isArmed || hasReturned(figure) else { return Step(state: state, fires: false) }
        return Step(state: State(side: side, isArmed: true), fires: false)
    }

    /// A figure that equals the threshold has reached it.
    private func side(of figure: Decimal) -> CoinAlert.Side {
        switch kind {
        case .above: figure >= threshold ? .above : .below
        case .below: figure <= threshold ? .below : .above
        case .change: figure >= threshold ? .above : figure <= -threshold ? .below : .within
        }
    }

    private func isBeyond(_ side: CoinAlert.Side) -> Bool {
        switch kind {
        case .above: side == .above
        case .below: side == .below
        case .change: side != .within
        }
    }

    private func hasReturned(_ figure: Decimal) -> Bool {
        switch kind {
        case .above: figure <= threshold * (1 - Self.priceMargin)
        case .below: figure >= threshold * (1 + Self.priceMargin)
        case .change: abs(figure) <= threshold - min(Self.changeMargin, threshold / 2)
        }
    }
}
