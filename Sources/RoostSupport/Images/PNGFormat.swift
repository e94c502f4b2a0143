/// PNG (W3C, third edition). Keeps only the chunks that the picture, its colours and its animation need.
enum PNGFormat: ImageFormat {
    static let mediaType = "image/png"

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Text, time, EXIF and previews are removed.
    private static let retainedChunks: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT",
    ]
    /// Kept together with `acTL`, which must come before the first picture data (section 11.3.4).
    private static let animationChunks: Set<String> = ["acTL", "fcTL", "fdAT"]
    /// Bit depths by colour type (section 11.2.1).
    private static let depths: [Int: Set<Int>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    static func matches(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

    static func clean(_ bytes: [UInt8]) throws(DamagedImage) -> CleanedImage {
        var reader = ByteReader(bytes)
        var image = CleanedImage(bytes: Array(try reader.take(signature.count)))
        var seen: Set<String> = []
        var frames = 0
        while !seen.contains("IEND") {
            let start = reader.rest
            let length = try reader.big(4)
            let type = String(decoding: try reader.take(4), as: UTF8.self)
            let data = try reader.take(length)
            _ = try reader.take(4)
            guard (type == "IHDR") == seen.isEmpty else { throw DamagedImage() }
            if type == "IHDR" { try readHeader(data, into: &image) }
            // An unknown chunk with a capital first letter is needed to show the picture.
            let isAnimation =
                animationChunks.contains(type)
                && (seen.contains("acTL") || type == "acTL" && !seen.contains("IDAT"))
            if isAnimation, type == "fcTL" {
                try readFrame(data, in: &image)
                frames += 1
            }
            guard retainedChunks.contains(type) || type.utf8.first.map({ $0 & 0x20 != 0 }) == true else {
                throw DamagedImage()
            }
            if retainedChunks.contains(type) || isAnimation { image.bytes += start.prefix(length + 12) }
            seen.insert(type)
        }
        guard seen.contains("IDAT") else { throw DamagedImage() }
        image.frameCount = max(1, frames)
        return image
    }

    /// The size and place of a frame, which must be within the picture.
    private static func readFrame(_ data: ArraySlice<UInt8>, in image: inout CleanedImage)
        throws(DamagedImage)
    {
        guard data.count == 26 else { throw DamagedImage() }
        var reader = ByteReader(data)
        _ = try reader.big(4)
        let (width, height) = (try reader.big(4), try reader.big(4))
        let (left, top) = (try reader.big(4), try reader.big(4))
        guard width > 0, height > 0, left + width <= image.width, top + height <= image.height else {
            throw DamagedImage()
        }
        image.framePixels += width * height
    }

    private static func readHeader(_ data: ArraySlice<UInt8>, into image: inout CleanedImage)
        throws(DamagedImage)
    {
        guard data.count == 13 else { throw DamagedImage() }
        var reader = ByteReader(data)
        (image.width, image.height) = (try reader.big(4), try reader.big(4))
        let (depth, color) = (try reader.big(1), try reader.big(1))
        guard depths[color]?.contains(depth) == true, try reader.big(2) == 0, try reader.byte() <= 1 else {
            throw DamagedImage()
        }
    }
}
