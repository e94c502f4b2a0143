import Glibc

/// A tag in sanitized markup, from "<" to ">".
package struct MarkupTag {
    package let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter start: ASCII, including the byte after the name, such as "<a "
    package func starts(with start: StaticString) -> Bool { matches(start, at: 0) }

    /// Returns the ranges of an attribute and of its value, or nil. The sanitizer writes every value in double quotes
    /// and escapes it.
    ///
    /// - Parameter opening: such as ` src="`
    package func attribute(_ opening: StaticString) -> (whole: Range<Int>, value: Range<Int>)? {
        var index = 0
        while let start = bytes.firstIndex(of: " ", from: index),
            let quote = bytes.firstIndex(of: "\"", from: start),
            let end = bytes.firstIndex(of: "\"", from: quote + 1)
        {
            if matches(opening, at: start) { return (start..<(end + 1), (quote + 1)..<end) }
            index = end + 1
        }
        return nil
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func matches(_ part: StaticString, at index: Int) -> Bool {
        guard index + part.utf8CodeUnitCount <= bytes.count, let base = bytes.baseAddress else {
            return false
        }
        return memcmp(base + index, part.utf8Start, part.utf8CodeUnitCount) == 0
    }
}

extension CleanMarkup {
    /// Replaces some tags. Takes a fraction of a nanosecond for each byte between them.
    ///
    /// The sanitizer escapes "<" and ">" in texts and values, so each tag ends at the next ">".
    ///
    /// - Parameter replacement: returns nil for tags that stay
    package func replacingTags(_ replacement: (MarkupTag) -> [UInt8]?) -> CleanMarkup {
        var html = html
        let result = html.withUTF8 { bytes -> String? in
            var result: [UInt8] = []
            var (copied, index) = (0, 0)
            while let start = bytes.firstIndex(of: "<", from: index),
                let end = bytes.firstIndex(of: ">", from: start)
            {
                index = end + 1
                let tag = MarkupTag(bytes: UnsafeBufferPointer(rebasing: bytes[start...end]))
                guard let newTag = replacement(tag) else { continue }
                if result.isEmpty { result.reserveCapacity(bytes.count + bytes.count / 8) }
                result += bytes[copied..<start]
                result += newTag
                copied = index
            }
            guard copied > 0 else { return nil }
            result += bytes[copied...]
            return String(decoding: result, as: UTF8.self)
        }
        return result.map(CleanMarkup.init(cleaned:)) ?? self
    }

    /// Makes code and tables focusable, so that wide ones can be scrolled with the keyboard.
    package var scrollable: CleanMarkup {
        replacingTags { tag in
            if tag.starts(with: "<pre>") { return Array("<pre tabindex=\"0\">".utf8) }
            return tag.starts(with: "<table>") ? Array("<table tabindex=\"0\">".utf8) : nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func firstIndex(of byte: Unicode.Scalar, from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte.value), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
