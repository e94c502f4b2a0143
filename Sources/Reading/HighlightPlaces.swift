/// Where highlights stand in the text of an article: by their offsets, or by their words where the text has changed or
/// comes from another program, which writes blanks and line ends otherwise.
struct HighlightPlaces: Sendable {
    struct Place: Sendable, Equatable {
        /// In UTF-16 units of the text content.
        let range: Range<Int>
        let quote, before, after: String
    }

    /// On either side of a highlight, in UTF-16 units.
    private static let contextLength = 32

    /// The text content, and the same with every run of blanks as one, with the place of each unit in the former.
    private let units: [UInt16]
    private let plain: [UInt16]
    private let places: [Int]

    init(units: [UInt16]) {
        self.units = units
        (plain, places) = Self.plain(units)
    }

    /// Of markup as it is kept.
    init(_ text: MarkupText) { self.init(units: text.units) }

    /// Nil where the words do not stand in the text.
    ///
    /// - Parameter start: where they stood, or 0; of several places the nearest is taken
    func find(_ quote: String, near start: Int) -> Place? {
        let exact = Array(quote.utf16)
        let end = start.addingReportingOverflow(exact.count)
        if !exact.isEmpty, start >= 0, !end.overflow, end.partialValue <= units.count,
            units[start..<end.partialValue].elementsEqual(exact)
        {
            return place(start..<end.partialValue)
        }
        let words = Self.trimmed(Self.plain(exact).units)
        guard !words.isEmpty else { return nil }
        var nearest: Range<Int>?
        var rest = 0..<plain.count
        while let found = plain[rest].firstRange(of: words) {
            let range = places[found.lowerBound]..<(places[found.upperBound - 1] + 1)
            // They come in their order: one that is further away than the last is followed by none that is nearer.
            if let known = nearest, abs(known.lowerBound - start) <= abs(range.lowerBound - start) { break }
            nearest = range
            rest = found.upperBound..<plain.count
        }
        return nearest.map(place)
    }

    private func place(_ range: Range<Int>) -> Place {
        let before = units[max(0, range.lowerBound - Self.contextLength)..<range.lowerBound]
        let after = units[range.upperBound..<min(units.count, range.upperBound + Self.contextLength)]
        return Place(
            range: range, quote: String(decoding: units[range], as: UTF16.self),
            before: String(decoding: before, as: UTF16.self), after: String(decoding: after, as: UTF16.self))
    }

    private static func plain(_ units: [UInt16]) -> (units: [UInt16], places: [Int]) {
        var (plain, places): ([UInt16], [Int]) = ([], [])
        plain.reserveCapacity(units.count)
        places.reserveCapacity(units.count)
        for (place, unit) in units.enumerated() {
            let isBlank = [0x20, 0x09, 0x0A, 0x0D, 0xA0].contains(unit)
            if isBlank, plain.last == 0x20 { continue }
            plain.append(isBlank ? 0x20 : unit)
            places.append(place)
        }
        return (plain, places)
    }

    private static func trimmed(_ units: [UInt16]) -> [UInt16] {
        let start = units.first == 0x20 ? 1 : 0
        let end = units.count > start && units.last == 0x20 ? units.count - 1 : units.count
        return Array(units[start..<end])
    }
}
