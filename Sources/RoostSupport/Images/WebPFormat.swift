/// WebP (RFC 9649): chunks in a RIFF file. EXIF, XMP and unknown chunks are removed.
enum WebPFormat: ImageFormat {
    static let mediaType = "image/webp"

    private static let allowedChunks: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ICCP", "ANIM", "ANMF"]
    private static let allowedInFrame: Set<String> = ["VP8 ", "VP8L", "ALPH"]
    private static let metadataFlags: UInt8 = 0b1100

    private struct Chunk {
        let type: String
        var data: [UInt8]
    }

    static func matches(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
    }

    static func clean(_ bytes: [UInt8]) throws(DamagedImage) -> CleanedImage {
        var reader = ByteReader(bytes)
        _ = try reader.take(4)
        var body = ByteReader(try reader.take(try reader.little(4)))
        _ = try body.take(4)
        var chunks = try chunks(&body, allowed: allowedChunks)
        guard let first = chunks.first else { throw DamagedImage() }
        var image = CleanedImage()
        (image.width, image.height) = try size(of: first)
        if first.type == "VP8X" {
            chunks[0].data[0] &= ~metadataFlags
            for index in chunks.indices.dropFirst() {
                chunks[index] = try checked(chunks[index], width: image.width, height: image.height)
            }
        } else {
            chunks = [first]
        }
        guard chunks.contains(where: { ["VP8 ", "VP8L", "ANMF"].contains($0.type) }) else {
            throw DamagedImage()
        }
        let frames = chunks.filter { $0.type == "ANMF" }
        image.frameCount = max(1, frames.count)
        for frame in frames { image.framePixels += try pixels(ofFrame: frame) }
        let written = Array("WEBP".utf8) + write(chunks)
        image.bytes = Array("RIFF".utf8) + little(written.count) + written
        return image
    }

    private static func chunks(
        _ reader: inout ByteReader, allowed: Set<String>
    ) throws(DamagedImage) -> [Chunk] {
        var chunks: [Chunk] = []
        while !reader.isAtEnd {
            let type = String(decoding: try reader.take(4), as: UTF8.self)
            let data = try reader.take(try reader.little(4))
            if !data.count.isMultiple(of: 2), !reader.isAtEnd { _ = try reader.byte() }
            if allowed.contains(type) { chunks.append(Chunk(type: type, data: Array(data))) }
        }
        return chunks
    }

    /// Throws unless the picture has the full size, or the frame of an animation fits into it. Cleans the frame.
    private static func checked(_ chunk: Chunk, width: Int, height: Int) throws(DamagedImage) -> Chunk {
        switch chunk.type {
        case "VP8 ", "VP8L":
            guard try size(of: chunk) == (width, height) else { throw DamagedImage() }
            return chunk
        case "ANMF":
            var reader = ByteReader(chunk.data[...])
            let header = try reader.take(16)
            var numbers = ByteReader(header)
            let (left, top) = (try numbers.little(3) * 2, try numbers.little(3) * 2)
            let (wide, high) = (try numbers.little(3) + 1, try numbers.little(3) + 1)
            guard left + wide <= width, top + high <= height else { throw DamagedImage() }
            let parts = try chunks(&reader, allowed: allowedInFrame)
            for part in parts where part.type != "ALPH" {
                guard try size(of: part) == (wide, high) else { throw DamagedImage() }
            }
            return Chunk(type: chunk.type, data: header + write(parts))
        case "VP8X": throw DamagedImage()
        default: return chunk
        }
    }

    private static func pixels(ofFrame chunk: Chunk) throws(DamagedImage) -> Int {
        var reader = ByteReader(chunk.data)
        _ = try reader.take(6)
        let (width, height) = (try reader.little(3) + 1, try reader.little(3) + 1)
        return width * height
    }

    private static func size(of chunk: Chunk) throws(DamagedImage) -> (Int, Int) {
        var reader = ByteReader(chunk.data)
        switch chunk.type {
        case "VP8X":
            guard chunk.data.count == 10 else { throw DamagedImage() }
            _ = try reader.take(4)
            return (try reader.little(3) + 1, try reader.little(3) + 1)
        case "VP8 ":
            // The bit is zero in a key frame (RFC 6386, section 9.1).
            guard try reader.little(3) & 1 == 0 else { throw DamagedImage() }
            try reader.expect([0x9D, 0x01, 0x2A])
            return (try reader.little(2) & 0x3FFF, try reader.little(2) & 0x3FFF)
        case "VP8L":
            try reader.expect([0x2F])
            let bits = try reader.little(4)
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        default: throw DamagedImage()
        }
    }

    /// Returns the first frame of a cleaned animation as a file, or nil if it covers only a part of the picture.
    static func firstFrame(_ bytes: [UInt8]) throws(DamagedImage) -> [UInt8]? {
        var reader = ByteReader(bytes)
        _ = try reader.take(12)
        let all = try chunks(&reader, allowed: allowedChunks)
        guard let header = all.first, let frame = all.first(where: { $0.type == "ANMF" }) else {
            throw DamagedImage()
        }
        let (width, height) = try size(of: header)
        guard try pixels(ofFrame: frame) == width * height else { return nil }
        var rest = ByteReader(frame.data.dropFirst(16))
        let parts = try chunks(&rest, allowed: allowedInFrame)
        var extended = header
        extended.data[0] = parts.contains { $0.type != "VP8 " } ? 0b1_0000 : 0
        let written = Array("WEBP".utf8) + write([extended] + parts)
        return Array("RIFF".utf8) + little(written.count) + written
    }

    private static func write(_ chunks: [Chunk]) -> [UInt8] {
        chunks.flatMap { chunk in
            let padding = [UInt8](repeating: 0, count: chunk.data.count % 2)
            return Array(chunk.type.utf8) + little(chunk.data.count) + chunk.data + padding
        }
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
