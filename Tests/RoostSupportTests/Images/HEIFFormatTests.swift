import TestSupport
import Testing

@testable import RoostSupport

@Suite struct HEIFFormatTests {
    static let heic = Pictures.brands("heic", "mif1", "heic")

    @Test(arguments: [
        (HEIFFormatTests.heic, "image/heic"), (Pictures.brands("mif1", "miaf", "heix"), "image/heic"),
        (Pictures.brands("avif", "mif1", "miaf"), "image/avif"),
        (Pictures.brands("mif1", "avif"), "image/avif"), (Pictures.brands("avis"), "image/avif"),
    ])
    func `the brands say which kind of picture it is`(bytes: [UInt8], type: String) {
        #expect(HEIFFormat.mediaType(of: bytes) == type)
    }

    @Test(
        arguments: [
            [], Array("ftyp".utf8), Pictures.brands("mp42", "isom"), Pictures.brands("mif1"),
            Pictures.brands("msf1", "hevc"), Array(HEIFFormatTests.heic.prefix(19)),
            [0] + HEIFFormatTests.heic, Pictures.plainWebP,
            // A box that is too short, too long or not of whole brands.
            [0, 0, 0, 8] + HEIFFormatTests.heic.dropFirst(4),
            [0xFF, 0xFF, 0xFF, 0xFF] + HEIFFormatTests.heic.dropFirst(4),
            [0, 0, 0, 21] + HEIFFormatTests.heic.dropFirst(4),
            [0, 0, 0, 1] + HEIFFormatTests.heic.dropFirst(4),
        ] as [[UInt8]])
    func `other files have no type`(bytes: [UInt8]) {
        #expect(HEIFFormat.mediaType(of: bytes) == nil)
    }

    @Test func `a brand beyond the box does not count`() {
        #expect(HEIFFormat.mediaType(of: Pictures.brands("mp42", "isom") + Array("heic".utf8)) == nil)
    }
}
