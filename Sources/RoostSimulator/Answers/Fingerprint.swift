/// 32 hexadecimal digits computed from the bytes (two FNV-1a sums). Looks like CoinGecko's ETag; not
/// collision-resistant.
enum Fingerprint {
    static func text(_ bytes: [UInt8]) -> String {
        var first: UInt64 = 0xCBF2_9CE4_8422_2325
        var second: UInt64 = 0x8422_2325_CBF2_9CE4
        bytes.withUnsafeBufferPointer { buffer in
            for byte in buffer {
                first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                second = (second &+ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            }
        }
        return padded(first) + padded(second)
    }

    private static func padded(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
