import HTMLDocument
import Synchronization
import TextFormats

/// Makes small still pictures from large ones, one at a time on its own thread.
///
/// The decoders read untrusted files. `CheckedImage` limits the size beforehand, and each decoder either keeps only a
/// few rows in memory or rejects pictures that are too large to keep as a whole.
package final class ThumbnailMaker: Sendable {
    /// The longer side of a thumbnail in pixels.
    package enum Size: Int, CaseIterable, Sendable {
        /// For lists: 96 points wide, at two pixels each.
        case small = 192
        /// For faces: at most 64 points wide, at two pixels each.
        case avatar = 128
        case message = 640
        case page = 1_280

        /// Pictures that fit and have at most this many bytes are shown unchanged.
        fileprivate var maximumBytes: Int { rawValue * rawValue / 4 }

        fileprivate var allowsAnimation: Bool { self == .message || self == .page }
    }

    /// The limit for animations shown on pages, all frames together (64 MB in a browser). Larger ones show their first
    /// frame.
    private static let maximumAnimatedPixels = 16_000_000
    private static let limits = CheckedImage.Limits(
        field: "thumbnail", maximumBytes: CheckedImage.maximumBytes, sides: 1...Size.page.rawValue)
    private static let full = RoostError.unavailable(
        "Roost is busy with other pictures. Try again in a moment.", retryAfter: 5)

    private static let maximumUndecodable = 10_000

    /// The keys of pictures that cannot be decoded, so that they are not decoded again at every view.
    private let undecodable = Mutex<Set<String>>([])
    private let thread = SerialThread(waiting: 200, timeout: .seconds(60), full: full)

    package init() {}

    deinit { thread.stop() }

    package static func isSmall(_ image: CheckedImage, for size: Size) -> Bool {
        let isAnimated = image.frameCount > 1
        guard !isAnimated || image.width * image.height * image.frameCount <= maximumAnimatedPixels else {
            return false
        }
        return isAnimated && size.allowsAnimation
            || max(image.width, image.height) <= size.rawValue && image.bytes.count <= size.maximumBytes
    }

    /// Returns a WebP without metadata, or nil if the picture cannot be decoded within the memory limits.
    ///
    /// Throws `RoostError.unavailable` while too many thumbnails are waiting, and `CancellationError`.
    ///
    /// - Parameter key: identifies the picture's bytes
    package func thumbnail(of image: CheckedImage, _ size: Size, key: String) async throws -> CheckedImage? {
        guard !undecodable.withLock({ $0.contains(key) }) else { return nil }
        if let small = try await thread.run({ try? Self.make(image, size) }) { return small }
        undecodable.withLock { keys in
            if keys.count >= Self.maximumUndecodable { keys.removeAll() }
            keys.insert(key)
        }
        return nil
    }

    private static func make(_ image: CheckedImage, _ size: Size) throws -> CheckedImage {
        try CheckedImage(try WebPPixels.file(of: try pixels(of: image, size)), within: limits)
    }

    /// Decodes and shrinks the picture. Slow: call it only on a separate thread.
    package static func pixels(of image: CheckedImage, _ size: Size) throws -> SmallPixels {
        switch image.mediaType {
        case JPEGFormat.mediaType: try JPEGPixels.small(image.bytes, fitting: size.rawValue)
        case PNGFormat.mediaType: try PNGPixels.small(image.bytes, fitting: size.rawValue)
        case GIFFormat.mediaType: try GIFPixels.small(image.bytes, fitting: size.rawValue)
        default: try WebPPixels.small(image.bytes, fitting: size.rawValue)
        }
    }

    /// Returns an SVG drawing for a picture without a thumbnail, with `lines` as its text.
    package static func placeholder(width: Int, height: Int, lines: [String]) throws -> (
        mediaType: String, bytes: [UInt8]
    ) {
        let (width, height) = SmallPixels.size(
            of: max(1, width), max(1, height), fitting: Size.message.rawValue)
        let xml = try XMLWriter()
        xml.element(
            "svg",
            [("xmlns", "http://www.w3.org/2000/svg"), ("width", "\(width)"), ("height", "\(height)")]
        ) {
            xml.element(
                "rect", [("width", "100%"), ("height", "100%"), ("fill", "#888"), ("fill-opacity", ".25")])
            xml.element(
                "text",
                [
                    ("x", "50%"), ("y", "50%"), ("text-anchor", "middle"), ("font-family", "sans-serif"),
                    ("font-size", "24"), ("fill", "#888"),
                ]
            ) {
                for (index, line) in lines.enumerated() {
                    xml.element(
                        "tspan", [("x", "50%"), ("dy", "\(index * 30)")], text: String(line.prefix(60)))
                }
            }
        }
        return ("image/svg+xml", try xml.finish())
    }
}
