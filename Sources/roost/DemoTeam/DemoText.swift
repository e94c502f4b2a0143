import Foundation
import Reading

/// Where a passage stands in an article, as a browser counts.
enum DemoText {
    /// Nil where the text has no such passage.
    static func highlight(_ quote: String, in text: String, note: String) -> NewHighlight? {
        guard let found = text.range(of: quote) else { return nil }
        let start = text.utf16.distance(from: text.startIndex, to: found.lowerBound)
        return NewHighlight(
            start: start, end: start + quote.utf16.count, quote: quote,
            before: String(text[..<found.lowerBound].suffix(32)),
            after: String(text[found.upperBound...].prefix(32)), note: note)
    }
}
