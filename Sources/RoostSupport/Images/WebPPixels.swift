import CWebP

enum WebPPixels {
    /// For lossless or transparent pictures, which must be in memory as a whole: 4 bytes for each pixel.
    private static let maximumBufferedPixels = 60_000_000
    /// From 0 to 100; libwebp's default is 75.
    private static let quality: Float = 80

    static func small(_ bytes: [UInt8], fitting side: Int) throws(DamagedImage) -> SmallPixels {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0,
            WebPGetFeatures(bytes, bytes.count, &config.input) == VP8_STATUS_OK
        else { throw DamagedImage() }
        if config.input.has_animation != 0 {
            guard let frame = try WebPFormat.firstFrame(bytes) else { throw DamagedImage() }
            return try small(frame, fitting: side)
        }
        let (width, height) = (Int(config.input.width), Int(config.input.height))
        let isBuffered = config.input.format == 2 || config.input.has_alpha != 0
        guard !isBuffered || width * height <= maximumBufferedPixels else { throw DamagedImage() }
        let target = SmallPixels.size(of: width, height, fitting: side)
        config.options.use_scaling = 1
        (config.options.scaled_width, config.options.scaled_height) = (
            Int32(target.width), Int32(target.height)
        )
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        var rgba = [UInt8](repeating: 0, count: target.width * target.height * 4)
        let status = rgba.withUnsafeMutableBufferPointer { rgba in
            config.output.u.RGBA.rgba = rgba.baseAddress
            config.output.u.RGBA.stride = Int32(target.width * 4)
            config.output.u.RGBA.size = rgba.count
            return WebPDecode(bytes, bytes.count, &config)
        }
        guard status == VP8_STATUS_OK else { throw DamagedImage() }
        return SmallPixels(width: target.width, height: target.height, rgba: rgba)
    }

    static func file(of pixels: SmallPixels) throws(DamagedImage) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let count = WebPEncodeRGBA(
            pixels.rgba, Int32(pixels.width), Int32(pixels.height), Int32(pixels.width * 4), quality, &output)
        defer { WebPFree(output) }
        guard count > 0, let output else { throw DamagedImage() }
        return Array(UnsafeBufferPointer(start: output, count: count))
    }
}
