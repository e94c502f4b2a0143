/// Rounds to significant digits with basic arithmetic only, so that all machines get the same result.
enum SignificantDigits {
    static func round(_ value: Double, to digits: Int) -> Double {
        guard value != 0, value.isFinite else { return value }
        var exponent = 0
        var size = abs(value)
        while size >= 10 {
            size /= 10
            exponent += 1
        }
        while size < 1 {
            size *= 10
            exponent -= 1
        }
        let fractionDigits = digits - 1 - exponent
        return fractionDigits >= 0
            ? (value * power(fractionDigits)).rounded() / power(fractionDigits)
            : (value / power(-fractionDigits)).rounded() * power(-fractionDigits)
    }

    static func round(_ value: Double, fractionDigits: Int) -> Double {
        (value * power(fractionDigits)).rounded() / power(fractionDigits)
    }

    private static func power(_ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent {
            result *= 10
        }
        return result
    }
}
