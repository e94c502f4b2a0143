/// Finds highlights in an article's text by offset, or by quotation if the text has changed. White space is ignored
/// then, because other programs write it differently.
struct HighlightLocator: Sendable {
    struct Match: Sendable, Equatable {
        /// In UTF-16 units of the text content.
        let range: Range<Int>
        let quote, before, after: String
    }

    /// On each side of a highlight, in UTF-16 units.
    private static let contextLength = 32

    /// The text content; the same with collapsed white space; and for each unit of that its index in `units`.
    private let units: [UInt16]
    private let plain: [UInt16]
    private let indexes: [Int]

    init(units: [UInt16]) {
        self.units = units
        (plain, indexes) = Self.plain(units)
    }

    init(_ text: MarkupText) { self.init(units: text.units) }

    /// Returns nil if the quotation isn't in the text.
    ///
    /// - Parameter start: the previous offset, or 0; the nearest match wins
    func find(_ quote: String, near start: Int) -> Match? {
        let exact = Array(quote.utf16)
        let end = start.addingReportingOverflow(exact.count)
        if !exact.isEmpty, start >= 0, !end.overflow, end.partialValue <= units.count,
            units[start..<end.partialValue].elementsEqual(exact)
        {
            return match(start..<end.partialValue)
        }
        let pattern = Self.trimmed(Self.plain(exact).units)
        guard !pattern.isEmpty else { return nil }
        var nearest: Range<Int>?
        var rest = 0..<plain.count
        while let found = plain[rest].firstRange(of: pattern) {
            let range = indexes[found.lowerBound]..<(indexes[found.upperBound - 1] + 1)
            // Matches come in order, so once the distance grows no nearer one follows.
            if let previous = nearest,
                abs(previous.lowerBound - start) <= abs(range.lowerBound - start)
            {
                break
            }
            nearest = range
            rest = found.upperBound..<plain.count
        }
        return nearest.map(match)
    }

    private func match(_ range: Range<Int>) -> Match {
        let before = units[max(0, range.lowerBound - Self.contextLength)..<range.lowerBound]
        let after = units[range.upperBound..<min(units.count, range.upperBound + Self.contextLength)]
        return Match(
            range: range, quote: String(decoding: units[range], as: UTF16.self),
            before: String(decoding: before, as: UTF16.self), after: String(decoding: after, as: UTF16.self))
    }

    private static func plain(_ units: [UInt16]) -> (units: [UInt16], indexes: [Int]) {
        var (plain, indexes): ([UInt16], [Int]) = ([], [])
        plain.reserveCapacity(units.count)
        indexes.reserveCapacity(units.count)
        for (index, unit) in units.enumerated() {
            let isBlank = [0x20, 0x09, 0x0A, 0x0D, 0xA0].contains(unit)
            if isBlank, plain.last == 0x20 { continue }
            plain.append(isBlank ? 0x20 : unit)
            indexes.append(index)
        }
        return (plain, indexes)
    }

    private static func trimmed(_ units: [UInt16]) -> [UInt16] {
        let start = units.first == 0x20 ? 1 : 0
        let end = units.count > start && units.last == 0x20 ? units.count - 1 : units.count
        return Array(units[start..<end])
    }
}
