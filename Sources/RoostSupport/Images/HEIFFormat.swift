/// Pictures that Roost cannot decode but many browsers can show: HEIC (ISO/IEC 23008-12) and AVIF.
package enum HEIFFormat {
    /// In bytes. Real files name fewer than ten brands.
    private static let maximumBox = 256
    private static let avif: Set<String> = ["avif", "avis"]
    private static let heic: Set<String> = ["heic", "heix", "heim", "heis"]

    /// Returns "image/avif" or "image/heic" by the brands in the `ftyp` box at the beginning (ISO/IEC 14496-12, section
    /// 4.3), or nil for other files.
    package static func mediaType(of bytes: [UInt8]) -> String? {
        guard bytes.count >= 16, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard (16...maximumBox).contains(size), size % 4 == 0, size <= bytes.count else { return nil }
        // The major brand, then after the version the compatible ones.
        let brands = ([8] + Array(stride(from: 16, to: size, by: 4))).map {
            String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self)
        }
        if brands.contains(where: avif.contains) { return "image/avif" }
        return brands.contains(where: heic.contains) ? "image/heic" : nil
    }
}
