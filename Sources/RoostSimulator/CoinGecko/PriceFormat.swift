/// The number of digits in a price: the `precision` parameter.
enum PriceFormat: Equatable {
    /// Six significant digits, whole numbers from 20,000 on: `67291`, `19617.3`, `0.088747`, `1.248e-05`.
    case standard
    case full
    case fractionDigits(Int)

    init(parameter: String?) {
        switch parameter {
        case "full": self = .full
        case let text?: self = Int(text).map { .fractionDigits(min(max($0, 0), 18)) } ?? .standard
        case nil: self = .standard
        }
    }

    func text(_ value: Double) -> String {
        switch self {
        case .full: Self.plain(value)
        case .fractionDigits(let digits): Self.plain(SignificantDigits.round(value, fractionDigits: digits))
        case .standard:
            Self.plain(abs(value) >= 20_000 ? value.rounded() : SignificantDigits.round(value, to: 6))
        }
    }

    /// Whole prices from 1,000 on have no `.0`, lower ones do, as recorded.
    private static func plain(_ value: Double) -> String {
        guard abs(value) >= 1000, abs(value) < 1e15, value == value.rounded() else {
            return value.description
        }
        return String(Int(value))
    }
}
