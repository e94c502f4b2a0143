import CLibXML2

/// Parses HTML with libxml2 as a stream and repairs errors.
///
/// It builds no tree and loads nothing, so memory and stack do not grow with the nesting of elements.
package enum HTMLDocument {
    /// Every start is followed by its end, properly nested; also for `<br>`.
    package enum Event: Equatable, Sendable {
        case start(Element)
        /// Not empty, with entities decoded. A text may be split into several events. Contents of scripts and styles
        /// are text, too.
        case text(String)
        case end(String)
    }

    package struct Element: Equatable, Sendable {
        /// ASCII letters are lower case. May contain other characters, such as "g-emoji" or "svg:a".
        package let name: String
        /// In order, without duplicates, with entities decoded. A missing value is "".
        package let attributes: [Attribute]

        package init(name: String, attributes: [Attribute]) {
            self.name = name
            self.attributes = attributes
        }

        package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    package struct Attribute: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum ParseError: Error, Equatable, Sendable {
        case tooLong
        /// Its nesting or tags would take libxml2 quadratic time.
        case tooComplex
    }

    package struct Limits: Sendable {
        /// In UTF-8.
        package let bytes: Int
        /// For each tag. libxml2 2.9 compares each attribute with all before it.
        package let attributes: Int

        package init(bytes: Int, attributes: Int) {
            self.bytes = bytes
            self.attributes = attributes
        }

        package static let text = Limits(bytes: 2 << 20, attributes: 500)
        /// For a web page: 5 MB, which may grow when converted to UTF-8.
        package static let page = Limits(bytes: 8 << 20, attributes: 2_000)
    }

    package static let maximumBytes = Limits.text.bytes
    package static let maximumAttributes = Limits.text.attributes

    /// Parses the document and calls `visit` with each event until it returns false.
    ///
    /// Missing `html`, `head` and `body` elements are added.
    ///
    /// - Parameter html: decoded as UTF-8, whatever it declares; invalid bytes and NUL become U+FFFD
    package static func walk(
        _ html: some Collection<UInt8>, limits: Limits = .text, _ visit: (Event) -> Bool
    ) throws(ParseError) {
        var failure: ParseError?
        withoutActuallyEscaping(visit) { visit in
            do throws(ParseError) {
                try walk(html, limits: limits, showing: EventVisitor(visit))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Passes bytes instead of strings, so that nothing is copied that the visitor does not use.
    package static func walk(
        _ html: some Collection<UInt8>, limits: Limits, showing visitor: any HTMLVisitor
    ) throws(ParseError) {
        guard html.count <= limits.bytes else { throw .tooLong }
        var bytes = readable(html)
        guard TagScan.enforceLimit(in: &bytes, maximumAttributes: limits.attributes) else {
            throw .tooComplex
        }
        if HTMLWalk(visitor).read(bytes) { throw .tooComplex }
    }

    /// Returns valid UTF-8 without NUL: libxml2 stops at a NUL, and guesses another encoding after an invalid byte.
    private static func readable(_ html: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(String(decoding: html, as: UTF8.self).utf8)
        guard bytes.contains(0) else { return bytes }
        return bytes.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
    }
}
