import CTurboJPEG

/// Decodes JPEG with libjpeg-turbo, which scales it down by up to eight while decoding: a photo of 200 million pixels
/// takes 13 MB.
enum JPEGPixels {
    /// For JPEGs that must be in memory as a whole, such as progressive ones: 3 to 6 bytes for each pixel.
    private static let maximumBufferedPixels = 64_000_000

    static func small(_ bytes: [UInt8], fitting side: Int) throws(DamagedImage) -> SmallPixels {
        let header = try Header(bytes)
        guard let decoder = tjInitDecompress() else { throw DamagedImage() }
        defer { tjDestroy(decoder) }
        var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &colors) == 0,
            width > 0, height > 0,
            !header.isBuffered || Int(width) * Int(height) <= maximumBufferedPixels
        else { throw DamagedImage() }
        let target = SmallPixels.size(of: Int(width), Int(height), fitting: side)
        let scaled = scale(Int(width), Int(height), target)
        let isCMYK = colors == Int32(TJCS_CMYK.rawValue) || colors == Int32(TJCS_YCCK.rawValue)
        var pixels = [UInt8](repeating: 0, count: scaled.width * scaled.height * 4)
        let result = tjDecompress2(
            decoder, bytes, UInt(bytes.count), &pixels, Int32(scaled.width), 0, Int32(scaled.height),
            Int32(isCMYK ? TJPF_CMYK.rawValue : TJPF_RGBA.rawValue), TJFLAG_LIMITSCANS)
        // A warning means that part of the file is damaged; the rest was decoded.
        guard result == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
            throw DamagedImage()
        }
        if isCMYK { mixInks(&pixels) }
        var scaler = PixelScaler(width: scaled.width, height: scaled.height, target: target)
        pixels.withUnsafeBufferPointer { pixels in
            for y in 0..<scaled.height {
                let start = y * scaled.width * 4
                scaler.add(
                    UnsafeBufferPointer(rebasing: pixels[start..<(start + scaled.width * 4)]), y: y)
            }
        }
        return scaler.pixels.turned(header.orientation)
    }

    /// The smallest reduction (1/8 to 8/8) that is at least as large as the target.
    private static func scale(
        _ width: Int, _ height: Int, _ target: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        for eighths in 1..<8 {
            let scaled = (width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
            if scaled.width >= target.width, scaled.height >= target.height { return scaled }
        }
        return (width, height)
    }

    /// Converts CMYK to RGB. Adobe writes inverted inks: 255 means no ink.
    private static func mixInks(_ pixels: inout [UInt8]) {
        for offset in stride(from: 0, to: pixels.count, by: 4) {
            let black = Int(pixels[offset + 3])
            for ink in 0..<3 { pixels[offset + ink] = UInt8(Int(pixels[offset + ink]) * black / 255) }
            pixels[offset + 3] = 255
        }
    }

    private struct Header {
        var orientation: UInt8 = 1
        /// True if all scans must be read before the first row is complete.
        var isBuffered = false

        init(_ bytes: [UInt8]) throws(DamagedImage) {
            var reader = ByteReader(bytes)
            _ = try reader.take(2)
            var components: UInt8 = 0
            while true {
                try reader.expect([0xFF])
                let marker = try reader.byte()
                let data = try reader.take(try reader.big(2) - 2)
                switch marker {
                case 0xE1: orientation = EXIFOrientation.find(in: data) ?? orientation
                case 0xC0...0xC2:
                    isBuffered = marker == 0xC2
                    components = data.dropFirst(5).first ?? 0
                case 0xDA:
                    if data.first != components { isBuffered = true }
                    return
                default: break
                }
            }
        }
    }
}
