package import ArticleText

/// The text content of cleaned markup, in UTF-16 units, which browsers and highlights use.
package struct MarkupText: Sendable {
    package let units: [UInt16]

    package init(_ markup: CleanMarkup) { units = Array(markup.textContent.utf16) }

    /// Returns the passage's current range: the one with the most similar surroundings, or else the nearest. Nil if the
    /// passage is gone.
    package func range(of highlight: Highlight) -> Range<Int>? {
        let quote = Array(highlight.quote.utf16)
        guard !quote.isEmpty, quote.count <= units.count else { return nil }
        let (before, after) = (Array(highlight.before.utf16), Array(highlight.after.utf16))
        if matches(quote, at: highlight.start, between: before, after) {
            return highlight.start..<(highlight.start + quote.count)
        }
        var best: (score: Int, distance: Int, offset: Int)?
        for offset in Self.offsets(of: quote, in: units, atMost: 10_000) {
            let end = offset + quote.count
            let score =
                Self.commonCount(units[..<offset].reversed(), before.reversed())
                + Self.commonCount(units[end...], after)
            let distance = abs(offset - max(0, highlight.start))
            if let best, (best.score, -best.distance) >= (score, -distance) { continue }
            best = (score, distance, offset)
        }
        return best.map { $0.offset..<($0.offset + quote.count) }
    }

    /// Whether the passage is still where it was, with the same surroundings; no other match can be better.
    private func matches(
        _ quote: [UInt16], at offset: Int, between before: [UInt16], _ after: [UInt16]
    ) -> Bool {
        guard offset >= before.count, offset <= units.count - quote.count - after.count else { return false }
        return units[(offset - before.count)...].starts(with: before + quote + after)
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

    /// Returns the first match of a copied passage, ignoring white space, or nil.
    package func range(quoting quote: String) -> Range<Int>? {
        func isBlank(_ unit: UInt16) -> Bool { Unicode.Scalar(unit)?.properties.isWhitespace ?? false }
        let pattern = quote.utf16.filter { !isBlank($0) }
        let indexes = units.indices.filter { !isBlank(units[$0]) }
        guard !pattern.isEmpty, pattern.count <= indexes.count,
            let first = Self.offsets(of: Array(pattern), in: indexes.map { units[$0] }, atMost: 1).first
        else { return nil }
        return indexes[first]..<(indexes[first + pattern.count - 1] + 1)
    }

    /// Knuth-Morris-Pratt search, which takes linear time for any text.
    private static func offsets(of quote: [UInt16], in units: [UInt16], atMost limit: Int) -> [Int] {
        var overlaps = [Int](repeating: 0, count: quote.count)
        var length = 0
        for index in quote.indices.dropFirst() {
            while length > 0, quote[index] != quote[length] { length = overlaps[length - 1] }
            if quote[index] == quote[length] { length += 1 }
            overlaps[index] = length
        }
        var offsets: [Int] = []
        length = 0
        for (index, unit) in units.enumerated() {
            while length > 0, length == quote.count || unit != quote[length] { length = overlaps[length - 1] }
            if unit == quote[length] { length += 1 }
            if length == quote.count { offsets.append(index - length + 1) }
            if offsets.count == limit { break }
        }
        return offsets
    }
}
