import HTMLDocument

/// Why nothing was extracted from a page.
package enum ExtractionError: Error, Equatable, Sendable {
    case tooLong
    /// Its tags would take a time that grows with the square of their number.
    case tooTangled

    package var message: String {
        switch self {
        case .tooLong: "The page is longer than \(HTMLDocument.Limits.page.bytes >> 20) MB."
        case .tooTangled: "The page's tags are made to take forever to read."
        }
    }
}
