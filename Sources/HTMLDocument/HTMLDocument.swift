import CLibXML2

/// Parses HTML with libxml2 as a stream and repairs errors.
///
/// It builds no tree and loads nothing, so memory and stack do not grow with the nesting of elements.
public enum HTMLDocument {
    /// Every start is followed by its end, properly nested; also for `<br>`.
    public enum Event: Equatable, Sendable {
        /// A start tag, written or implied.
        case start(Element)
        /// Not empty, with entities decoded. A text may be split into several events. Contents of scripts and styles
        /// are text, too.
        case text(String)
        /// The end of the innermost open element, with its name.
        case end(String)
    }

    /// A start tag.
    public struct Element: Equatable, Sendable {
        /// ASCII letters are lower case. May contain other characters, such as "g-emoji" or "svg:a".
        public let name: String
        /// In order, without duplicates, with entities decoded. A missing value is "".
        public let attributes: [Attribute]

        public init(name: String, attributes: [Attribute]) {
            self.name = name
            self.attributes = attributes
        }

        /// The value of an attribute, or nil; a name in HTML is in lower case.
        public subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    /// An attribute of a start tag.
    public struct Attribute: Equatable, Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Why a document is refused, wholly or from some point on.
    public enum ParseError: Error, Equatable, Sendable {
        /// It has more bytes than the limit.
        case tooLong
        /// Its nesting or tags would take libxml2 quadratic time.
        case tooComplex
    }

    /// What a document may cost.
    public struct Limits: Sendable {
        /// In UTF-8.
        public let bytes: Int
        /// For each tag. libxml2 2.9 compares each attribute with all before it.
        public let attributes: Int

        public init(bytes: Int, attributes: Int) {
            self.bytes = bytes
            self.attributes = attributes
        }

        /// For a part of a page: 2 MB.
        public static let text = Limits(bytes: 2 << 20, attributes: 500)
        /// For a web page: 5 MB, which may grow when converted to UTF-8.
        public static let page = Limits(bytes: 8 << 20, attributes: 2_000)
    }

    package static let maximumBytes = Limits.text.bytes
    package static let maximumAttributes = Limits.text.attributes

    /// Parses the document and calls `visit` with each event until it returns false.
    ///
    /// Missing `html`, `head` and `body` elements are added.
    ///
    /// - Parameter html: decoded as UTF-8, whatever it declares; invalid bytes and NUL become U+FFFD
    public static func walk(
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
    public static func walk(
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
