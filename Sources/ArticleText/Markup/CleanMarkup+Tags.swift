import Glibc

/// One tag of the cleaner's markup, from "<" to ">".
package struct MarkupTag {
    package let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter start: of ASCII, with what ends the name, such as "<a "
    package func starts(with start: StaticString) -> Bool { stands(start, at: 0) }

    /// The place of an attribute and of its value; nil for none. The cleaner writes each attribute with a value in double quotes
    /// and escapes what is in it.
    ///
    /// - Parameter opening: such as ` src="`
    package func attribute(_ opening: StaticString) -> (whole: Range<Int>, value: Range<Int>)? {
        var place = 0
        while let start = bytes.place(of: " ", from: place), let quote = bytes.place(of: "\"", from: start),
            let end = bytes.place(of: "\"", from: quote + 1)
        {
            if stands(opening, at: start) { return (start..<(end + 1), (quote + 1)..<end) }
            place = end + 1
        }
        return nil
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func stands(_ part: StaticString, at place: Int) -> Bool {
        guard place + part.utf8CodeUnitCount <= bytes.count, let base = bytes.baseAddress else {
            return false
        }
        return memcmp(base + place, part.utf8Start, part.utf8CodeUnitCount) == 0
    }
}

extension CleanMarkup {
    /// The same with other markup in the place of some tags. It takes a fraction of a nanosecond for each byte between them.
    ///
    /// The cleaner escapes every "<" and ">" of texts and values, so that each tag ends at the next ">".
    ///
    /// - Parameter replacement: nil for a tag that stays
    package func replacingTags(_ replacement: (MarkupTag) -> [UInt8]?) -> CleanMarkup {
        var html = html
        let result = html.withUTF8 { bytes -> String? in
            var result: [UInt8] = []
            var (copied, place) = (0, 0)
            while let start = bytes.place(of: "<", from: place), let end = bytes.place(of: ">", from: start) {
                place = end + 1
                let tag = MarkupTag(bytes: UnsafeBufferPointer(rebasing: bytes[start...end]))
                guard let other = replacement(tag) else { continue }
                if result.isEmpty { result.reserveCapacity(bytes.count + bytes.count / 8) }
                result += bytes[copied..<start]
                result += other
                copied = place
            }
            guard copied > 0 else { return nil }
            result += bytes[copied...]
            return String(decoding: result, as: UTF8.self)
        }
        return result.map(CleanMarkup.init(cleaned:)) ?? self
    }

    /// The same, with code and tables that are too wide in reach of the keyboard, to be scrolled.
    package var scrollable: CleanMarkup {
        replacingTags { tag in
            if tag.starts(with: "<pre>") { return Array("<pre tabindex=\"0\">".utf8) }
            return tag.starts(with: "<table>") ? Array("<table tabindex=\"0\">".utf8) : nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Parameter byte: of ASCII
    fileprivate func place(of byte: Unicode.Scalar, from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte.value), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
