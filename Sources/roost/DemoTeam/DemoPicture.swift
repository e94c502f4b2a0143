/// Pictures that the demo's team sends, as PNG (W3C, third edition), drawn here so that no file is needed.
package enum DemoPicture {
    /// Bars that get lower from left to right.
    package static func chart(width: Int = 480, height: Int = 270) -> [UInt8] {
        let bars = 12
        return png(width: width, height: height) { x, y in
            let bar = x * bars / width, within = x * bars % width
            let top = height / 8 + (height * 3 / 4) * bar * bar / (bars * bars)
            guard y >= top, y < height - 12, within > width / 6 else { return (246, 246, 248) }
            return bar < 4 ? (214, 96, 77) : (67, 147, 195)
        }
    }

    /// A cogwheel, for the photo of a group.
    package static func cogwheel(side: Int = 128) -> [UInt8] {
        png(width: side, height: side) { x, y in
            let (across, down) = (2 * x - side, 2 * y - side)
            let distance = across * across + down * down
            // A tooth where the pixel is nearer to one of the axes or diagonals than to what is between them.
            let isTooth =
                abs(across) < side / 6 || abs(down) < side / 6 || abs(abs(across) - abs(down)) < side / 4
            let outer = isTooth ? side * side * 4 / 5 : side * side * 1 / 2
            guard distance < outer, distance > side * side / 12 else { return (38, 70, 83) }
            return (233, 196, 106)
        }
    }

    /// Eight bits a colour, uncompressed.
    private static func png(
        width: Int, height: Int, color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)
    ) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let (red, green, blue) = color(x, y)
                rows += [red, green, blue]
            }
        }
        let header = big(UInt32(width)) + big(UInt32(height)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(UInt32(data.count)) + body + big(checksum(body))
    }

    /// RFC 1950 around blocks that are only stored (RFC 1951, section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let length = UInt16(block.count), inverse = ~length
            result.append(start + block.count == bytes.count ? 1 : 0)
            result += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(inverse & 0xFF), UInt8(inverse >> 8)]
            result += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + big(high << 16 | low)
    }

    private static let remainders: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    /// CRC-32, as PNG's annex D has it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { remainders[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }
}
