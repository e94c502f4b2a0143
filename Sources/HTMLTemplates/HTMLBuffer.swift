/// A growing buffer of HTML in UTF-8.
///
/// Generated code writes into it. Text is escaped byte by byte. HTML is accepted only as a `StaticString`, which only
/// source code can contain, or as `TrustedHTML`.
///
/// A page consists of some ten thousand short pieces. The buffer owns its memory, because an array would check for
/// unique ownership at each of them.
public struct HTMLBuffer: ~Copyable {
    @usableFromInline var memory: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0

    /// - Parameter capacity: in bytes; the buffer grows as needed
    public init(capacity: Int = 0) {
        self.capacity = max(capacity, 64)
        memory = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit { memory.deallocate() }

    /// The bytes so far, with some spare capacity, because links may be inserted into a page's head.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count + 2_048) { bytes, initialized in
            UnsafeMutableRawBufferPointer(bytes).copyMemory(
                from: UnsafeRawBufferPointer(start: memory, count: count))
            initialized = count
        }
    }

    /// Appends HTML of the template itself.
    @inlinable @inline(__always)
    public mutating func literal(_ html: StaticString) {
        append(UnsafeBufferPointer(start: html.utf8Start, count: html.utf8CodeUnitCount))
    }

    /// Appends escaped text: `{{name}}`.
    @inlinable
    public mutating func text(_ text: some HTMLText) {
        text.write(into: &self)
    }

    @inlinable
    public mutating func text(_ text: (some HTMLText)?) {
        text?.write(into: &self)
    }

    /// Appends "true" or "false", for attributes such as `aria-pressed`.
    public mutating func text(_ flag: Bool) {
        if flag { literal("true") } else { literal("false") }
    }

    /// Appends trusted HTML: `{{{name}}}`.
    public mutating func raw(_ html: some TrustedHTML) {
        var html = html.html
        html.withUTF8 { append($0) }
    }

    public mutating func raw(_ html: (some TrustedHTML)?) {
        if let html { raw(html) }
    }

    /// Appends text with `& < > " '` as entities, safe between tags and in quoted attributes.
    ///
    /// Works on bytes, not characters: a quotation mark with a combining accent is a different Character in Swift, but
    /// still ends the attribute in a browser.
    public mutating func escape(_ text: String) {
        // Avoids the retain and release of `withUTF8`. Every native Swift string has contiguous bytes.
        guard text.utf8.withContiguousStorageIfAvailable({ escape($0) }) == nil else { return }
        escape(text[...])
    }

    public mutating func escape(_ text: Substring) {
        var text = text
        text.withUTF8 { escape($0) }
    }

    public mutating func number(_ number: Int64) {
        reserve(20)  // 19 digits and a sign
        if number < 0 { write(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits = 1
        var limit: UInt64 = 10
        while digits < 19, rest >= limit {
            digits += 1
            limit *= 10
        }
        count += digits
        for position in 1...digits {
            let (tens, unit) = rest.quotientAndRemainder(dividingBy: 10)
            memory.storeBytes(
                of: UInt8(ascii: "0") + UInt8(unit), toByteOffset: count - position, as: UInt8.self)
            rest = tens
        }
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        if Self.isPlain(UnsafeRawBufferPointer(text)) { return append(text) }
        for byte in text { escape(byte) }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): literal("&amp;")
        case UInt8(ascii: "<"): literal("&lt;")
        case UInt8(ascii: ">"): literal("&gt;")
        case UInt8(ascii: "\""): literal("&quot;")
        case UInt8(ascii: "'"): literal("&#39;")
        default:
            reserve(1)
            write(byte)
        }
    }

    /// Returns true if the text has none of the five characters. Checks eight bytes at a time; the last eight may
    /// overlap.
    private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        let count = text.count
        guard count >= 8 else {
            var word: UInt64 = 0
            if count >= 4 {
                word = UInt64(text.loadUnaligned(fromByteOffset: 0, as: UInt32.self)) << 32
                word |= UInt64(text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            } else if count > 0 {
                word = UInt64(text[0]) << 16 | UInt64(text[count / 2]) << 8 | UInt64(text[count - 1])
            }
            return specials(word) == 0
        }
        var found = specials(text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
        var offset = 0
        while offset + 8 < count {
            found |= specials(text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        return found == 0
    }

    /// Returns a nonzero value if any of the eight bytes is one of the five characters. `&` and `'` differ only in one
    /// bit, and so do `<` and `>`.
    private static func specials(_ word: UInt64) -> UInt64 {
        hasByte(0x22, word) | hasByte(0x26, word & 0xFEFE_FEFE_FEFE_FEFE)
            | hasByte(0x3C, word & 0xFDFD_FDFD_FDFD_FDFD)
    }

    /// Returns a nonzero value if any byte of the word equals this one.
    private static func hasByte(_ byte: UInt64, _ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (ones &* byte)
        return (difference &- ones) & ~difference & (ones << 7)
    }

    // MARK: Memory

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }  // nil for an empty buffer
        reserve(bytes.count)
        (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    /// The caller must have reserved the space.
    private mutating func write(_ byte: UInt8) {
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}
