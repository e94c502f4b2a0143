import TestSupport
import Testing

@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct ThumbnailTests {
    private typealias Color = (red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8)

    private static let limits = CheckedImage.Limits(
        field: "file", maximumBytes: 10 << 20, sides: 1...CheckedImage.maximumSide)

    private func thumbnail(
        _ bytes: [UInt8], _ size: ThumbnailMaker.Size = .message
    ) async throws -> SmallPixels? {
        let image = try CheckedImage(bytes, within: Self.limits)
        guard let small = try await ThumbnailMaker().thumbnail(of: image, size, key: "1") else { return nil }
        #expect(small.mediaType == "image/webp")
        let pixels = try ThumbnailMaker.pixels(of: small, .page)
        #expect(pixels.width == small.width && pixels.height == small.height)
        return pixels
    }

    /// The colours in the middle of each quarter, from the upper left: "R" for red, "-" for transparent.
    private func quarters(_ pixels: SmallPixels) -> String {
        var text = ""
        for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)] {
            let place = ((y * pixels.height / 4) * pixels.width + x * pixels.width / 4) * 4
            text += letter(Array(pixels.rgba[place..<(place + 4)]))
        }
        return text
    }

    private func letter(_ rgba: [UInt8]) -> String {
        if rgba[3] < 30 { return "-" }
        return switch rgba.prefix(3).map({ $0 > 200 ? 1 : $0 < 60 ? 0 : 2 }) {
        case [1, 0, 0]: "R"
        case [0, 1, 0]: "G"
        case [0, 0, 1]: "B"
        case [1, 1, 1]: "W"
        default: "?"
        }
    }

    @Test(arguments: [
        LargePictures.progressiveJPEG, LargePictures.inkJPEG, LargePictures.png, LargePictures.interlacedPNG,
        LargePictures.webP, LargePictures.losslessWebP, LargePictures.movingWebP, LargePictures.gif,
        LargePictures.interlacedGIF,
    ])
    func `a thumbnail keeps the picture's proportions`(bytes: [UInt8]) async throws {
        let pixels = try #require(try await thumbnail(bytes))
        #expect(pixels.width == 640 && pixels.height == 480)
        #expect(quarters(pixels) == "RGBW")
        let small = try #require(try await thumbnail(bytes, .small))
        #expect(small.width == 192 && small.height == 144)
        #expect(quarters(small) == "RGBW")
    }

    @Test func `a rotated photo has an upright thumbnail`() async throws {
        let pixels = try #require(try await thumbnail(LargePictures.turnedJPEG))
        #expect(pixels.width == 480 && pixels.height == 640)
        #expect(quarters(pixels) == "BRWG")
    }

    @Test(arguments: [
        (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"),
        (8, "GWRB"),
    ])
    func `each of the eight orientations is corrected`(orientation: Int, shown: String) async throws {
        var bytes = LargePictures.turnedJPEG
        let note = try #require(bytes.firstRange(of: [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]))
        bytes[note.upperBound - 1] = UInt8(orientation)
        let pixels = try #require(try await thumbnail(bytes))
        #expect(quarters(pixels) == shown)
    }

    @Test(arguments: [
        LargePictures.transparentPNG, LargePictures.transparentWebP, LargePictures.transparentGIF,
    ])
    func `transparent areas stay transparent`(bytes: [UInt8]) async throws {
        let pixels = try #require(try await thumbnail(bytes))
        #expect(quarters(pixels) == "R-BW")
    }

    @Test(arguments: [(2_000, 3), (3, 2_000), (1, 700), (641, 640)])
    func `a picture of any proportions fits`(width: Int, height: Int) async throws {
        let gif: [UInt8] =
            Array("GIF89a".utf8)
            + [UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8), 0x80, 0, 0]
            + [255, 0, 0, 0, 255, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        let pixels = try #require(try await thumbnail(gif))
        #expect(max(pixels.width, pixels.height) == 640 && min(pixels.width, pixels.height) >= 1)
    }

    @Test(arguments: [
        LargePictures.turnedJPEG, LargePictures.progressiveJPEG, LargePictures.png,
        LargePictures.interlacedPNG,
        LargePictures.webP, LargePictures.losslessWebP, LargePictures.transparentWebP,
        LargePictures.movingWebP, LargePictures.gif, LargePictures.transparentGIF,
    ])
    func `a damaged picture has no thumbnail or a partial one, and nothing traps`(seed: [UInt8]) throws {
        var numbers = SeededNumbers(seed: UInt64(seed.count))
        for _ in 0..<15 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                bytes[Int.random(in: 30..<bytes.count, using: &numbers)] = .random(
                    in: 0...255, using: &numbers)
            }
            guard let image = try? CheckedImage(bytes, within: Self.limits),
                image.width * image.height < 1_000_000,
                let pixels = try? ThumbnailMaker.pixels(of: image, .small)
            else { continue }
            #expect(pixels.rgba.count == pixels.width * pixels.height * 4)
            #expect(max(pixels.width, pixels.height) <= 192)
        }
    }

    @Test func `a picture that cannot be decoded is tried only once`() async throws {
        var bytes = LargePictures.losslessWebP
        for place in 30..<bytes.count { bytes[place] = 0xFF }
        let image = try CheckedImage(bytes, within: Self.limits)
        let (maker, good) = (ThumbnailMaker(), try CheckedImage(LargePictures.png, within: Self.limits))
        #expect(try await maker.thumbnail(of: image, .small, key: "bad") == nil)
        #expect(try await maker.thumbnail(of: good, .small, key: "bad") == nil)
        #expect(try await maker.thumbnail(of: good, .small, key: "good") != nil)
    }

    @Test(arguments: [
        (Pictures.notedPNG, ThumbnailMaker.Size.small, true), (Pictures.movingGIF, .small, true),
        (LargePictures.png, .message, false), (LargePictures.png, .page, true),
        (LargePictures.movingWebP, .message, true), (LargePictures.movingWebP, .small, false),
    ])
    func `a small picture is shown unchanged`(bytes: [UInt8], size: ThumbnailMaker.Size, isSmall: Bool) throws
    {
        let image = try CheckedImage(bytes, within: Self.limits)
        #expect(ThumbnailMaker.isSmall(image, for: size) == isSmall)
    }
}
