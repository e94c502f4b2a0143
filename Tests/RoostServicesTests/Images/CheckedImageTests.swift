import Foundation
import RoostServices
import Testing

@Suite struct CheckedImageTests {
    /// The words of the refusal, nil when the picture is taken.
    private func why(_ bytes: [UInt8]) -> String? {
        do {
            _ = try CheckedImage(bytes)
            return nil
        } catch {
            guard case .invalid("avatar", let why) = error else { return "\(error)" }
            return why
        }
    }

    private static let damaged =
        "This picture is damaged or incomplete. Save it again, or choose another one."
    private static let sizes = "A picture is 16 to 4,096 pixels wide and high."

    private func contains(_ text: String, in bytes: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    @Test(arguments: [
        (Pictures.notedPNG, "image/png"), (Pictures.progressiveJPEG, "image/jpeg"),
        (Pictures.notedGIF, "image/gif"), (Pictures.movingGIF, "image/gif"),
        (Pictures.notedWebP, "image/webp"), (Pictures.plainWebP, "image/webp"),
        (Pictures.losslessWebP, "image/webp"), (Pictures.movingWebP, "image/webp"),
    ])
    func `a picture is known by its content, with its size`(bytes: [UInt8], mediaType: String) throws {
        let image = try CheckedImage(bytes)
        #expect(image.mediaType == mediaType && image.width == 20 && image.height == 18)
    }

    @Test(arguments: [
        Pictures.progressiveJPEG, Pictures.movingGIF, Pictures.plainWebP, Pictures.losslessWebP,
    ])
    func `a picture without notes stays as it is`(bytes: [UInt8]) throws {
        #expect(try CheckedImage(bytes).bytes == bytes)
    }

    @Test(arguments: [
        Pictures.notedPNG, Pictures.notedJPEG, Pictures.notedGIF, Pictures.notedWebP, Pictures.movingWebP,
    ])
    func `place, camera, comments and what hangs behind a picture go`(bytes: [UInt8]) throws {
        #expect(contains("SECRET", in: bytes))
        let cleaned = try CheckedImage(bytes + Array("SECRET behind the end".utf8)).bytes
        #expect(!contains("SECRET", in: cleaned) && cleaned.count < bytes.count)
        #expect(try CheckedImage(cleaned).bytes == cleaned)
    }

    @Test func `a photograph that lies on its side is still turned, and nothing else is said of it`() throws {
        let image = try CheckedImage(Pictures.notedJPEG)
        #expect(image.width == 18 && image.height == 20)
        let exif = try #require(Data(image.bytes).range(of: Data("Exif\0\0".utf8)))
        let segment = Array(image.bytes[(exif.lowerBound - 2)..<(exif.upperBound + 26)])
        #expect(segment[0...1] == [0, 34])
        #expect(
            segment.suffix(26) == [
                0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
            ])
    }

    @Test func `a little-endian note turns a photograph too, and a senseless one does not`() throws {
        func withNote(_ note: [UInt8]) -> [UInt8] {
            let segment = Array("Exif\0\0".utf8) + note
            return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
                + Pictures.progressiveJPEG.dropFirst(2)
        }
        func entry(_ value: UInt8, type: UInt8 = 3) -> [UInt8] {
            Array("II".utf8) + [
                42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, type, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0,
            ]
        }
        #expect(try CheckedImage(withNote(entry(8))).width == 18)
        #expect(try CheckedImage(withNote(entry(3))).width == 20)
        for senseless in [entry(0), entry(9), entry(8, type: 4), Array(entry(8).prefix(18)), [], [0xFF]] {
            let image = try CheckedImage(withNote(senseless))
            #expect(image.width == 20 && !contains("Exif", in: image.bytes))
        }
    }

    @Test(arguments: [
        "", "x", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html><script>alert(1)</script>", "GIF88a",
        "RIFF    WAVE",
        "%PDF-1.7", "BM",
    ])
    func `what is no picture is refused, whatever it is called`(text: String) {
        #expect(
            why(Array(text.utf8)) == "Unsupported image format. Use a PNG, JPEG, GIF or WebP."
        )
    }

    @Test func `more than a megabyte is refused`() {
        let full = Pictures.notedPNG + [UInt8](repeating: 0, count: (1 << 20) - Pictures.notedPNG.count)
        #expect(why(full) == nil)
        #expect(why(full + [0]) == "A picture has at most 1 MB.")
    }

    @Test(arguments: Pictures.all)
    func `a picture that ends too early is refused`(bytes: [UInt8]) {
        for count in 12..<bytes.count { #expect(why(Array(bytes.prefix(count))) != nil, "\(count)") }
    }

    @Test(arguments: [
        (15, 20), (20, 15), (4_097, 20), (20, 4_097), (0, 20), (0xFFFF_FFFF, 1), (1 << 31, 1 << 31),
    ])
    func `a picture that is too small or too large is refused`(width: Int, height: Int) {
        var png = Pictures.notedPNG
        for (place, number) in [(16, width), (20, height)] {
            for byte in 0..<4 { png[place + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
        }
        #expect(why(png) == Self.sizes)
    }

    @Test(arguments: [(16, 16), (4_096, 4_096)])
    func `sixteen and 4,096 pixels are in order`(width: Int, height: Int) throws {
        var gif = Pictures.notedGIF
        (gif[6], gif[7], gif[8], gif[9]) = (
            UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8)
        )
        // The frame inside may not be larger.
        let frame = try #require(gif.lastIndex(of: 0x2C))
        (gif[frame + 5], gif[frame + 7]) = (16, 16)
        #expect(why(gif) == nil)
        gif[frame + 6] = 0x20
        #expect(why(gif) == Self.damaged)
    }

    @Test func `sizes that contradict each other are refused`() throws {
        var webp = Pictures.notedWebP
        webp[24] = 99
        #expect(why(webp) == Self.damaged)
        let jpeg = Pictures.progressiveJPEG
        let frame = try #require(Data(jpeg).range(of: Data([0xFF, 0xC2]))?.lowerBound)
        let twice = jpeg[..<frame] + jpeg[frame..<(frame + 19)] + jpeg[frame...]
        #expect(why(Array(twice)) == Self.damaged)
    }
}
