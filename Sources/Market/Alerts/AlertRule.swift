import Foundation

/// An alert fires once when the value reaches the threshold. It is armed again once the value has come back by the
/// margin, so that a price wavering at the threshold sends one message.
struct AlertRule: Sendable {
    package struct State: Equatable, Sendable {
        /// Nil if there was no price since it was armed.
        package let side: CoinAlert.Side?
        package let isArmed: Bool

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

    /// How far a price must come back to arm the alert again, as a share of the threshold: 0.5 %.
    static let priceMargin = Decimal(5) / 1_000
    /// The same for a change, in percentage points; at most half the threshold.
    static let changeMargin = Decimal(5) / 10

    package let kind: CoinAlert.Kind
    package let threshold: Decimal

    /// The first value after arming only sets the side. If it is beyond the threshold already, the alert waits until
    /// the value has come back. An unknown or old value (nil) changes nothing.
    package func next(_ state: State, _ value: Decimal?) -> Step {
        guard let value else { return Step(state: state, fires: false) }
        let side = side(of: value)
        if isPastThreshold(side) {
            let isCrossing = state.side != nil && state.side != side
            return Step(state: State(side: side, isArmed: false), fires: isCrossing)
        }
        guard state.isArmed || hasReturned(value) else { return Step(state: state, fires: false) }
        return Step(state: State(side: side, isArmed: true), fires: false)
    }

    /// A value equal to the threshold has reached it.
    private func side(of value: Decimal) -> CoinAlert.Side {
        switch kind {
        case .above: value >= threshold ? .above : .below
        case .below: value <= threshold ? .below : .above
        case .change: value >= threshold ? .above : value <= -threshold ? .below : .within
        }
    }

    private func isPastThreshold(_ side: CoinAlert.Side) -> Bool {
        switch kind {
        case .above: side == .above
        case .below: side == .below
        case .change: side != .within
        }
    }

    /// The value that arms the alert again; for a change, in either direction.
    var rearmThreshold: Decimal {
        switch kind {
        case .above: threshold * (1 - Self.priceMargin)
        case .below: threshold * (1 + Self.priceMargin)
        case .change: threshold - min(Self.changeMargin, threshold / 2)
        }
    }

    private func hasReturned(_ value: Decimal) -> Bool {
        switch kind {
        case .above: value <= rearmThreshold
        case .below: value >= rearmThreshold
        case .change: abs(value) <= rearmThreshold
        }
    }
}
