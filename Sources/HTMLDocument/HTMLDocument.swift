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

        package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    package struct Attribute: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    /// Why a document was not read, or not to its end.
    package enum ParseError: Error, Equatable, Sendable {
        /// More than `maximumBytes`.
        case tooLong
        /// Its nesting or its tags would take libxml2 time that grows with the square of its length.
        case tooTangled
    }

    /// The version of libxml2 that this was built with: "2.9.14".
    package static let libraryVersion = LIBXML_DOTTED_VERSION
    /// In UTF-8.
    package static let maximumBytes = 2 << 20
    /// Of one tag. libxml2 2.9 compares each with all before it.
    package static let maximumAttributes = 500

    /// Reads the document and shows it piece by piece, until `visit` answers false.
    ///
    /// What comes before the body has its pieces too: `html`, `head` and `body` are put in where they are
    /// missing.
    ///
    /// - Parameter html: in UTF-8, whatever it says of itself; other bytes and NUL become U+FFFD
    package static func walk(_ html: some Collection<UInt8>, _ visit: (Piece) -> Bool) throws(ParseError) {
        guard html.count <= maximumBytes else { throw .tooLong }
        let bytes = readable(html)
        guard TagScan.fits(bytes, maximumAttributes: maximumAttributes) else { throw .tooTangled }
        let isTangled = withoutActuallyEscaping(visit) { visit in
            HTMLWalk(visit).read(bytes)
        }
        if isTangled { throw .tooTangled }
    }

    /// Valid UTF-8 without NUL: libxml2 takes one for the end, and guesses another encoding after a wrong
    /// byte.
    private static func readable(_ html: some Collection<UInt8>) -> [UInt8] {
        let text = String(decoding: html, as: UTF8.self)
        let mark: [UInt8] = [0xEF, 0xBF, 0xBD]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == 0 { bytes += mark } else { bytes.append(byte) }
        }
        return bytes
    }
}
