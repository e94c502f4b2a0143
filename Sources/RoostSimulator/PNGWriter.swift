import CZlib

/// Writes PNG files with eight bits per colour channel (RFC 2083).
package enum PNGWriter {
    /// - Parameter rows: for each row a zero (no filter), then three bytes for each pixel
    package static func file(width: Int, height: Int, rows: [UInt8]) -> [UInt8] {
        let header = big(UInt32(width)) + big(UInt32(height)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", compressed(rows)) + chunk("IEND", [])
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        let room = Int(compressBound(uLong(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            var length = uLongf(room)
            let status = compress2(buffer.baseAddress, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
            precondition(status == Z_OK, "zlib has no memory")
            count = Int(length)
        }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return big(UInt32(content.count)) + body + big(UInt32(crc32(0, body, uInt(body.count))))
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
