import CSPNG

/// Decodes PNG with libspng row by row.
enum PNGPixels {
    /// The first column and the column step of each pass of an interlaced picture (PNG, section 8.2).
    private static let passes = [(0, 8), (4, 8), (0, 4), (2, 4), (0, 2), (1, 2), (0, 1)]

    static func small(_ bytes: [UInt8], fitting side: Int) throws(DamagedImage) -> SmallPixels {
        guard let decoder = spng_ctx_new(0) else { throw DamagedImage() }
        defer { spng_ctx_free(decoder) }
        let limit = UInt32(CheckedImage.maximumSide)
        guard spng_set_image_limits(decoder, limit, limit) == 0,
            // In bytes: each chunk, such as a colour profile, and the cache of all kept chunks.
            spng_set_chunk_limits(decoder, 4 << 20, 16 << 20) == 0
        else { throw DamagedImage() }
        let scaler = bytes.withUnsafeBufferPointer { read($0, decoder, fitting: side) }
        guard let scaler else { throw DamagedImage() }
        return scaler.pixels
    }

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ decoder: OpaquePointer, fitting side: Int
    ) -> PixelScaler? {
        var header = spng_ihdr()
        guard spng_set_png_buffer(decoder, bytes.baseAddress, bytes.count) == 0,
            spng_get_ihdr(decoder, &header) == 0,
            spng_decode_image(
                decoder, nil, 0, Int32(SPNG_FMT_RGBA8.rawValue),
                Int32(SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue)) == 0
        else { return nil }
        let (width, height) = (Int(header.width), Int(header.height))
        var scaler = PixelScaler(
            width: width, height: height, target: SmallPixels.size(of: width, height, fitting: side))
        var row = [UInt8](repeating: 0, count: width * 4)
        while true {
            var info = spng_row_info()
            guard spng_get_row_info(decoder, &info) == 0 else { return nil }
            let result = spng_decode_row(decoder, &row, row.count)
            guard result == 0 || result == Int32(SPNG_EOI.rawValue) else { return nil }
            let (start, step) = header.interlace_method == 0 ? (0, 1) : passes[Int(info.pass)]
            row.withUnsafeBufferPointer { scaler.add($0, y: Int(info.row_num), from: start, every: step) }
            if result != 0 { return scaler }
        }
    }
}
