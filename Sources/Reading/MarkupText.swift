package import ArticleText

/// The text content of cleaned markup, as a browser has it: in UTF-16 units, which highlights are counted in.
package struct MarkupText: Sendable {
    package let units: [UInt16]

    package init(_ markup: CleanMarkup) { units = Array(markup.textContent.utf16) }

    /// Where the passage stands now: of several places the one whose surroundings are most like those that it had, and
    /// of those the nearest. Nil where it stands nowhere.
    package func place(of highlight: Highlight) -> Range<Int>? {
        let quote = Array(highlight.quote.utf16)
        guard !quote.isEmpty, quote.count <= units.count else { return nil }
        let (before, after) = (Array(highlight.before.utf16), Array(highlight.after.utf16))
        if stands(quote, at: highlight.start, between: before, after) {
            return highlight.start..<(highlight.start + quote.count)
        }
        var best: (score: Int, distance: Int, place: Int)?
        for place in Self.places(of: quote, in: units, atMost: 10_000) {
            let end = place + quote.count
            let score =
                Self.commonCount(units[..<place].reversed(), before.reversed())
                + Self.commonCount(units[end...], after)
            let distance = abs(place - highlight.start)
            if let best, (best.score, -best.distance) >= (score, -distance) { continue }
            best = (score, distance, place)
        }
        return best.map { $0.place..<($0.place + quote.count) }
    }

    /// Whether the passage is still where it was, with all that stood beside it: no place is better.
    private func stands(
        _ quote: [UInt16], at place: Int, between before: [UInt16], _ after: [UInt16]
    ) -> Bool {
        guard place >= before.count, place <= units.count - quote.count - after.count else { return false }
        return units[(place - before.count)...].starts(with: before + quote + after)
    }

    private static func commonCount(
        _ left: some Sequence<UInt16>, _ right: some Sequence<UInt16>
    ) -> Int {
        var count = 0
        for (one, other) in zip(left, right) {
            guard one == other else { break }
            count += 1
        }
        return count
    }

    /// Where a passage that was copied stands first; white space may differ. Nil: nowhere.
    package func place(quoting quote: String) -> Range<Int>? {
        func isBlank(_ unit: UInt16) -> Bool { Unicode.Scalar(unit)?.properties.isWhitespace ?? false }
        let wanted = quote.utf16.filter { !isBlank($0) }
        let kept = units.indices.filter { !isBlank(units[$0]) }
        guard !wanted.isEmpty, wanted.count <= kept.count,
            let first = Self.places(of: Array(wanted), in: kept.map { units[$0] }, atMost: 1).first
        else { return nil }
        return kept[first]..<(kept[first + wanted.count - 1] + 1)
    }

    /// By Knuth, Morris and Pratt's method: no unit is read again and again, whatever the text is made of.
    private static func places(of quote: [UInt16], in units: [UInt16], atMost limit: Int) -> [Int] {
        var overlaps = [Int](repeating: 0, count: quote.count)
        var length = 0
        for place in quote.indices.dropFirst() {
            while length > 0, quote[place] != quote[length] { length = overlaps[length - 1] }
            if quote[place] == quote[length] { length += 1 }
            overlaps[place] = length
        }
        var places: [Int] = []
        length = 0
        for (place, unit) in units.enumerated() {
            while length > 0, length == quote.count || unit != quote[length] { length = overlaps[length - 1] }
            if unit == quote[length] { length += 1 }
            if length == quote.count { places.append(place - length + 1) }
            if places.count == limit { break }
        }
        return places
    }
}
