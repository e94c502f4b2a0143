/// A hash of bytes (FNV-1a), for tables of words. Two words with the same hash are only coloured alike.
struct ByteHash: Hashable {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    init(_ text: some StringProtocol) {
        for byte in text.utf8 { add(byte) }
    }

    @inline(__always) mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    /// Ignores the case of ASCII letters.
    @inline(__always) mutating func addFolded(_ byte: UInt8) {
        let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
        add(isUpper ? byte | 0x20 : byte)
    }
}
