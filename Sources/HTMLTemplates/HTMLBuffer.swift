/// HTML while it is written: bytes of UTF-8.
///
/// Templates write into it by the methods that the template compiler calls. Text is escaped byte by byte; what is
/// already HTML comes in as a `StaticString`, which only a program's source can hold, or as `TrustedHTML`.
///
/// A page is some ten thousand short pieces, so it owns its memory: an array would ask at each of them whether it is
/// its only owner.
public struct HTMLBuffer: ~Copyable {
    @usableFromInline var memory: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    /// Up to here the memory is written.
    @usableFromInline var count = 0

    /// - Parameter capacity: bytes to make room for at once; more are taken as they are needed
    public init(capacity: Int = 0) {
        self.capacity = max(capacity, 64)
        memory = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit { memory.deallocate() }

    /// What was written so far, with room for a little more: a page may get links put into its head.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count + 2_048) { bytes, initialized in
            UnsafeMutableRawBufferPointer(bytes).copyMemory(
                from: UnsafeRawBufferPointer(start: memory, count: count))
            initialized = count
        }
    }

    /// Adds what the template itself says, as it stands.
    @inlinable @inline(__always)
    public mutating func literal(_ html: StaticString) {
        append(UnsafeBufferPointer(start: html.utf8Start, count: html.utf8CodeUnitCount))
    }

    /// Adds a text, escaped: `{{name}}`.
    @inlinable
    public mutating func text(_ text: some HTMLText) {
        text.write(into: &self)
    }

    /// Adds a text, escaped, or nothing.
    @inlinable
    public mutating func text(_ text: (some HTMLText)?) {
        text?.write(into: &self)
    }

    /// Adds "true" or "false", as attributes such as `aria-pressed` want it.
    public mutating func text(_ flag: Bool) {
        if flag { literal("true") } else { literal("false") }
    }

    /// Adds HTML that was made elsewhere: `{{{name}}}`.
    public mutating func raw(_ html: some TrustedHTML) {
        var html = html.html
        html.withUTF8 { append($0) }
    }

    /// Adds HTML that was made elsewhere, or nothing.
    public mutating func raw(_ html: (some TrustedHTML)?) {
        if let html { raw(html) }
    }

    /// Adds text with `& < > " '` as entities, so that it may stand between tags and in a quoted attribute.
    ///
    /// It looks at bytes, not at characters: to Swift a quotation mark with a combining accent is another character
    /// than a quotation mark, but to a browser it ends the attribute all the same.
    public mutating func escape(_ text: String) {
        // Without taking part in owning the string, as `withUTF8` would; every string of Swift's own has such bytes.
        guard text.utf8.withContiguousStorageIfAvailable({ escape($0) }) == nil else { return }
        escape(text[...])
    }

    /// Adds text with `& < > " '` as entities.
    public mutating func escape(_ text: Substring) {
        var text = text
        text.withUTF8 { escape($0) }
    }

    /// Adds a number in decimal digits.
    public mutating func number(_ number: Int64) {
        reserve(20)  // the digits of 2^63 and a sign
        if number < 0 { write(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits = 1
        var limit: UInt64 = 10
        while digits < 19, rest >= limit {
            digits += 1
            limit *= 10
        }
        count += digits
        for place in 1...digits {
            let (tens, unit) = rest.quotientAndRemainder(dividingBy: 10)
            memory.storeBytes(
                of: UInt8(ascii: "0") + UInt8(unit), toByteOffset: count - place, as: UInt8.self)
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

    /// Whether the text has none of the five. Eight bytes are looked at together, and at the end some of them again.
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
        var place = 0
        while place + 8 < count {
            found |= specials(text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        return found == 0
    }

    /// Not 0 where one of the eight bytes is one of the five. `&` and `'` differ in one bit alone, as do `<` and `>`.
    private static func specials(_ word: UInt64) -> UInt64 {
        hasByte(0x22, word) | hasByte(0x26, word & 0xFEFE_FEFE_FEFE_FEFE)
            | hasByte(0x3C, word & 0xFDFD_FDFD_FDFD_FDFD)
    }

    /// Not 0 where a byte of the word is this one: taking 1 from each byte borrows from the highest bit only where it
    /// was 0.
    private static func hasByte(_ byte: UInt64, _ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (ones &* byte)
        return (difference &- ones) & ~difference & (ones << 7)
    }

    // MARK: Memory

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }  // an empty text may have none
        reserve(bytes.count)
        (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    /// There is room for it.
    private mutating func write(_ byte: UInt8) {
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Makes room for so many bytes more.
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
