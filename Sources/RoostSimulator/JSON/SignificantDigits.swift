/// Rounding to a count of significant digits with multiplication only, so that every machine agrees.
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
        let places = digits - 1 - exponent
        return places >= 0
            ? (value * power(places)).rounded() / power(places)
            : (value / power(-places)).rounded() * power(-places)
    }

    /// Rounded to a count of decimal places.
    static func round(_ value: Double, places: Int) -> Double {
        (value * power(places)).rounded() / power(places)
    }

    private static func power(_ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent {
            result *= 10
        }
        return result
    }
}
