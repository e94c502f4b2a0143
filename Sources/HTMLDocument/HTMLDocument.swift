import CLibXML2

/// HTML as people write it, read by libxml2 from beginning to end; what is broken in it is mended.
///
/// No tree is built and nothing is loaded: what memory and stack it takes does not grow with how deep
/// elements nest.
package enum HTMLDocument {
    /// What stands next. Every start is followed by its end, in their order; `<br>` has one too.
    package enum Piece: Equatable, Sendable {
        case start(Element)
        /// Not empty, its entities resolved; one text may come in several pieces. What a script or a style
        /// holds comes as text as well.
        case text(String)
        case end(String)
    }

    package struct Element: Equatable, Sendable {
        /// ASCII letters are small; other signs than letters may stand in it: "g-emoji", "svg:a".
        package let name: String
        /// In their order, their entities resolved, none twice; a name without a value has "".
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

    /// Why a document was not read, or not to its end.
    package enum ParseError: Error, Equatable, Sendable {
        /// More than the limit.
        case tooLong
        /// Its nesting or its tags would take libxml2 time that grows with the square of its length.
        case tooTangled
    }

    /// The version of libxml2 that this was built with: "2.9.14".
    static let libraryVersion = LIBXML_DOTTED_VERSION
    /// What a document may have before it is refused.
    package struct Limits: Sendable {
        /// In UTF-8.
        package let bytes: Int
        /// Of one tag. libxml2 2.9 compares each with all before it.
        package let attributes: Int

        package init(bytes: Int, attributes: Int) {
            self.bytes = bytes
            self.attributes = attributes
        }

        /// For a text within a page of ours.
        package static let text = Limits(bytes: 2 << 20, attributes: 500)
        /// For a page as it lies on the web: 5 MB that may have grown as they became UTF-8.
        package static let page = Limits(bytes: 8 << 20, attributes: 2_000)
    }

    package static let maximumBytes = Limits.text.bytes
    package static let maximumAttributes = Limits.text.attributes

    /// Reads the document and shows it piece by piece, until `visit` answers false.
    ///
    /// What comes before the body has its pieces too: `html`, `head` and `body` are put in where they are
    /// missing.
    ///
    /// - Parameter html: in UTF-8, whatever it says of itself; other bytes and NUL become U+FFFD
    package static func walk(
        _ html: some Collection<UInt8>, limits: Limits = .text, _ visit: (Piece) -> Bool
    ) throws(ParseError) {
        var failure: ParseError?
        withoutActuallyEscaping(visit) { visit in
            do throws(ParseError) {
                try walk(html, limits: limits, showing: PieceVisitor(visit))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// The same, with bytes instead of texts: nothing is copied for what the visitor does not look at.
    package static func walk(
        _ html: some Collection<UInt8>, limits: Limits, showing visitor: any HTMLVisitor
    ) throws(ParseError) {
        guard html.count <= limits.bytes else { throw .tooLong }
        var bytes = readable(html)
        guard TagScan.tame(&bytes, maximumAttributes: limits.attributes) else { throw .tooTangled }
        if HTMLWalk(visitor).read(bytes) { throw .tooTangled }
    }

    /// Valid UTF-8 without NUL: libxml2 takes one for the end, and guesses another encoding after a wrong
    /// byte.
    private static func readable(_ html: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(String(decoding: html, as: UTF8.self).utf8)
        guard bytes.contains(0) else { return bytes }
        return bytes.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
    }
}
