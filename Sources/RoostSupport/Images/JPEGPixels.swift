import CTurboJPEG

/// Decodes JPEG with libjpeg-turbo, which makes it up to eight times smaller on the way: a photo of 200 million pixels takes
/// 13 MB.
enum JPEGPixels {
    /// Of a JPEG whose parts come one after the other (progressive), which is in memory as a whole: 3 to 6 bytes a pixel.
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
        // A warning says that a part is damaged; the rest is there.
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

    /// The size after the strongest reduction (1/8 to 8/8) that leaves at least the target's size.
    private static func scale(
        _ width: Int, _ height: Int, _ target: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        for eighths in 1..<8 {
            let scaled = (width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
            if scaled.width >= target.width, scaled.height >= target.height { return scaled }
        }
        return (width, height)
    }

    /// Adobe writes four inks inverted: 255 is no ink.
    private static func mixInks(_ pixels: inout [UInt8]) {
        for place in stride(from: 0, to: pixels.count, by: 4) {
            let black = Int(pixels[place + 3])
            for ink in 0..<3 { pixels[place + ink] = UInt8(Int(pixels[place + ink]) * black / 255) }
            pixels[place + 3] = 255
        }
    }

    /// What the segments up to the first scan say.
    private struct Header {
        var orientation: UInt8 = 1
        /// All scans must be read before the first row is known.
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
