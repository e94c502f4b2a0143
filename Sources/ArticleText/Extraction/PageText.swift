/// Text of a page, as bytes in UTF-8.
package enum PageText {
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    @inline(__always)
    package static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// A letter, a figure, an underscore, or part of a sign beyond ASCII.
    @inline(__always)
    package static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
    }

    /// White space is one blank, and none at the ends; no-break spaces are blanks.
    static func oneLine(_ bytes: some Collection<UInt8>) -> String {
        var line: [UInt8] = []
        line.reserveCapacity(bytes.count)
        append(bytes, to: &line, after: 0)
        if line.last == 0x20 { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// Appends a text in which any white space is one blank; none follows another, or stands where the text begins.
    ///
    /// - Parameter start: where the text begins that this one goes on with
    @inline(__always)
    static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8], after start: Int) {
        var isPendingMark = false
        for byte in bytes {
            var isBlank = isSpace(byte)
            if isPendingMark {
                // U+00A0 is C2 A0.
                isPendingMark = false
                if byte == 0xA0 { isBlank = true } else { text.append(0xC2) }
            }
            if isBlank {
                if text.count > start, let last = text.last, last != 0x20, last != 0x0A { text.append(0x20) }
            } else if byte == 0xC2 {
                isPendingMark = true
            } else {
                text.append(byte)
            }
        }
    }

    /// Whether the word, in small ASCII letters, stands anywhere in the bytes, in letters of either size.
    static func contains(_ bytes: some BidirectionalCollection<UInt8>, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        let start = word.utf8Start
        var place = bytes.startIndex
        var left = bytes.count - count
        while left >= 0 {
            var next = place
            var matched = 0
            while matched < count, lower(bytes[next]) == start[matched] {
                next = bytes.index(after: next)
                matched += 1
            }
            if matched == count { return true }
            place = bytes.index(after: place)
            left -= 1
        }
        return false
    }
}
