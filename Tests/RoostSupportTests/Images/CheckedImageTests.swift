import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite struct CheckedImageTests {
    /// Returns the reason for the refusal, or nil when the picture is accepted.
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
    private static let sizes = "A picture can be 16 to 4,096 pixels wide and high."

    private func contains(_ text: String, in bytes: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    @Test(arguments: [
        (Pictures.notedPNG, "image/png"), (Pictures.progressiveJPEG, "image/jpeg"),
        (Pictures.notedGIF, "image/gif"), (Pictures.movingGIF, "image/gif"),
        (Pictures.notedWebP, "image/webp"), (Pictures.plainWebP, "image/webp"),
        (Pictures.losslessWebP, "image/webp"), (Pictures.movingWebP, "image/webp"),
    ])
    func `a picture's type and size come from its content`(bytes: [UInt8], mediaType: String) throws {
        let image = try CheckedImage(bytes)
        #expect(image.mediaType == mediaType && image.width == 20 && image.height == 18)
    }

    @Test(arguments: [
        Pictures.progressiveJPEG, Pictures.movingGIF, Pictures.plainWebP, Pictures.losslessWebP,
    ])
    func `a picture without metadata stays unchanged`(bytes: [UInt8]) throws {
        #expect(try CheckedImage(bytes).bytes == bytes)
    }

    @Test(arguments: [
        Pictures.notedPNG, Pictures.notedJPEG, Pictures.notedGIF, Pictures.notedWebP, Pictures.movingWebP,
    ])
    func `location, camera, comments and trailing data are removed`(bytes: [UInt8]) throws {
        #expect(contains("SECRET", in: bytes))
        let cleaned = try CheckedImage(bytes + Array("SECRET behind the end".utf8)).bytes
        #expect(!contains("SECRET", in: cleaned) && cleaned.count < bytes.count)
        #expect(try CheckedImage(cleaned).bytes == cleaned)
    }

    /// Two frames of 20 x 18 pixels.
    private static let movingPNG = """
        iVBORw0KGgoAAAANSUhEUgAAABQAAAASCAIAAADUsmlHAAAACGFjVEwAAAACAAAAAPONk3AAAAAaZmNUTAAAAAAAAAAUAAAA\
        EgAAAAAAAAAAAAEAAgAALLsi7gAAABlJREFUeNpjOKGhQTZiGNU8qnlU86hmEAIAf42J0CX1F68AAAAaZmNUTAAAAAEAAAAU\
        AAAAEgAAAAAAAAAAAAEAAgAAt8jIOgAAAB1mZEFUAAAAAnjaY9DQOEE2YhjVPKp5VPOoZhACAL1vidC2raiQAAAAAElFTkSu\
        QmCC
        """

    @Test func `an animated PNG keeps its frames, which count like those of other animations`() throws {
        let bytes = Array(try #require(Data(base64Encoded: Self.movingPNG)))
        let image = try CheckedImage(bytes)
        #expect(image.bytes == bytes)
        #expect(image.frameCount == 2)
        // A frame beside the picture is refused.
        var moved = bytes
        let control = try #require(Data(bytes).range(of: Data("fcTL".utf8)))
        moved[control.upperBound + 15] = 1
        #expect(why(moved) == Self.damaged)
    }

    @Test func `a rotated photo keeps its orientation and no other metadata`() throws {
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

    @Test func `little-endian metadata rotates a photo too, and invalid metadata does not`() throws {
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
    func `a file that is not a picture is refused, whatever its name`(text: String) {
        #expect(
            why(Array(text.utf8)) == "Unsupported image format. Use a PNG, JPEG, GIF or WebP."
        )
    }

    @Test func `more than a megabyte is refused`() {
        let full = Pictures.notedPNG + [UInt8](repeating: 0, count: (1 << 20) - Pictures.notedPNG.count)
        #expect(why(full) == nil)
        #expect(why(full + [0]) == "A picture can have at most 1 MB.")
    }

    @Test(arguments: Pictures.all)
    func `a truncated picture is refused`(bytes: [UInt8]) {
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

    @Test(arguments: [(16, 16), (4_096, 500), (500, 4_096)])
    func `16 and 4,096 pixels are accepted`(width: Int, height: Int) throws {
        var gif = Pictures.notedGIF
        (gif[6], gif[7], gif[8], gif[9]) = (
            UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8)
        )
        // A frame may not be larger than the picture.
        let frame = try #require(gif.lastIndex(of: 0x2C))
        (gif[frame + 5], gif[frame + 7]) = (16, 16)
        #expect(why(gif) == nil)
        gif[frame + 6] = 0x20
        #expect(why(gif) == Self.damaged)
    }

    // MARK: Pixels per byte

    private static let file = CheckedImage.Limits(
        field: "file", maximumBytes: 10 << 20, sides: 1...CheckedImage.maximumSide)
    private static let disproportion =
        "This picture has more than 500 pixels for each byte of its file. Save it in a smaller size."
    private static let tooMany = "A picture can have at most 250 million pixels in all frames together."

    private func fileRefusal(_ bytes: [UInt8]) -> String? {
        do {
            _ = try CheckedImage(bytes, within: Self.file)
            return nil
        } catch { return error.message }
    }

    /// A PNG of this size in a file of this many bytes.
    private static func png(_ width: Int, _ height: Int, bytes count: Int) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            big(data.count) + Array(name.utf8) + data + [0, 0, 0, 0]
        }
        let size = big(width) + big(height)
        let head = Array(Pictures.notedPNG.prefix(8)) + chunk("IHDR", size + [8, 2, 0, 0, 0])
        let end = chunk("IEND", [])
        let data = [UInt8](repeating: 7, count: count - head.count - end.count - 12)
        return head + chunk("IDAT", data) + end
    }

    /// A GIF with frames of these sizes and this many bytes of data.
    private static func gif(
        _ width: Int, _ height: Int, frames: [(width: Int, height: Int)], bytes count: Int = 0
    ) -> [UInt8] {
        func little(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
        let blocks = count / 256
        let filler: [UInt8] = [255] + [UInt8](repeating: 7, count: 255)
        let data = (0..<blocks).flatMap { _ in filler }
        var gif = Array("GIF89a".utf8) + little(width) + little(height) + [0, 0, 0]
        for (index, frame) in frames.enumerated() {
            gif += [0x2C, 0, 0, 0, 0] + little(frame.width) + little(frame.height) + [0, 2]
            if index == 0 { gif += data }
            gif += [1, 0x4C, 0]
        }
        return gif + [0x3B]
    }

    @Test(arguments: [
        (png(10_000, 10_000, bytes: 94_000), disproportion),
        (png(10_000, 10_000, bytes: 199_999), disproportion),
        (png(1_921, 1_080, bytes: 4_000), disproportion),
        (png(16_384, 16_384, bytes: 2_000_000), tooMany),
        (gif(16_000, 6_000, frames: [(1, 1)]), disproportion),
        (gif(1_000, 1_000, frames: Array(repeating: (1_000, 1_000), count: 10)), disproportion),
        (gif(5_000, 5_000, frames: Array(repeating: (1, 1), count: 11), bytes: 600_000), tooMany),
        (gif(500, 500, frames: Array(repeating: (500, 500), count: 1_001), bytes: 600_000), tooMany),
    ])
    func `a picture that would use too much memory is refused, however small its file`(
        bytes: [UInt8], why: String
    ) {
        #expect(fileRefusal(bytes) == why)
    }

    @Test(arguments: [
        // Photos of 50 and 200 megapixels.
        png(8_192, 6_144, bytes: 1_000_000), png(16_320, 12_240, bytes: 400_000),
        png(10_000, 10_000, bytes: 200_000),
        // Screenshots and plain areas.
        png(3_840, 2_160, bytes: 17_000), png(1_920, 1_080, bytes: 100),
        gif(1_000, 1_000, frames: [(1_000, 1_000)]),
        // Each frame except the first changes a small part.
        gif(800, 600, frames: [(800, 600)] + Array(repeating: (40, 40), count: 200), bytes: 2_000),
        gif(500, 500, frames: Array(repeating: (500, 500), count: 1_000), bytes: 600_000),
        Pictures.losslessWebP, LargePictures.losslessWebP,
    ])
    func `photos, screenshots, plain areas and animations are accepted`(bytes: [UInt8]) {
        #expect(fileRefusal(bytes) == nil)
    }

    @Test func `metadata in a file does not count towards its bytes per pixel`() {
        let picture = Self.gif(4_000, 4_000, frames: [(1, 1)])
        var comment: [UInt8] = [0x21, 0xFE]
        for _ in 0..<200 { comment += [255] + [UInt8](repeating: 65, count: 255) }
        comment.append(0)
        #expect(fileRefusal(picture.dropLast() + comment + [0x3B]) == Self.disproportion)
    }

    @Test func `the frames of a WebP are added up`() throws {
        var bytes = Pictures.movingWebP
        let frame = try #require(Data(bytes).range(of: Data("ANMF".utf8))?.lowerBound)
        let size = 8 + Int(bytes[frame + 4]) + Int(bytes[frame + 5]) << 8
        let one = Array(bytes[frame..<(frame + size)])
        bytes.insert(contentsOf: (0..<98).flatMap { _ in one }, at: frame)
        let length = bytes.count - 8
        bytes.replaceSubrange(4..<8, with: [0, 8, 16, 24].map { UInt8(length >> $0 & 0xFF) })
        #expect(try CheckedImage(bytes, within: Self.file).frameCount == 100)
    }

    @Test func `contradicting sizes are refused`() throws {
        var webp = Pictures.notedWebP
        webp[24] = 99
        #expect(why(webp) == Self.damaged)
        let jpeg = Pictures.progressiveJPEG
        let frame = try #require(Data(jpeg).range(of: Data([0xFF, 0xC2]))?.lowerBound)
        let twice = jpeg[..<frame] + jpeg[frame..<(frame + 19)] + jpeg[frame...]
        #expect(why(Array(twice)) == Self.damaged)
    }
}
