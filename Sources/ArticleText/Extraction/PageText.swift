package enum PageText {
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    @inline(__always)
    package static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// True for letters, digits, underscores and all bytes of non-ASCII characters.
    @inline(__always)
    package static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
    }

    /// Collapses white space, including no-break spaces, and trims both ends.
    static func oneLine(_ bytes: some Collection<UInt8>) -> String {
        var line: [UInt8] = []
        line.reserveCapacity(bytes.count)
        append(bytes, to: &line, after: 0)
        if line.last == 0x20 { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// Appends text with collapsed white space, without white space at the beginning.
    ///
    /// - Parameter start: the beginning of the text that is being extended
    @inline(__always)
    static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8], after start: Int) {
        var isPendingMark = false
        for byte in bytes {
            var isBlank = isSpace(byte)
            if isPendingMark {
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

    /// Searches for a word, ignoring the case of ASCII letters. The word must be in lower case.
    static func contains(_ bytes: some BidirectionalCollection<UInt8>, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        let start = word.utf8Start
        var index = bytes.startIndex
        var left = bytes.count - count
        while left >= 0 {
            var next = index
            var matched = 0
            while matched < count, lower(bytes[next]) == start[matched] {
                next = bytes.index(after: next)
                matched += 1
            }
            if matched == count { return true }
            index = bytes.index(after: index)
            left -= 1
        }
        return false
    }
}
