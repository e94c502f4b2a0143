import Synchronization
import TextFormats

/// Makes small still pictures of large ones, one at a time and on a thread of its own.
///
/// The decoders read what strangers made: the picture's size is limited before (`CheckedImage`), and each decoder keeps
/// only a few rows, or refuses a picture that it would have to keep as a whole and that is too large for that.
package final class ThumbnailMaker: Sendable {
    /// Sizes of thumbnails: the longer side in pixels.
    package enum Size: Int, CaseIterable, Sendable {
        /// In a list: 96 points wide, at two pixels each.
        case small = 192
        /// Of a person.
        case avatar = 256
        /// In a message of the chat.
        case message = 640
        /// In an article or a README.
        case page = 1_280

        /// A picture that fits and has at most so many bytes is shown as it is.
        fileprivate var maximumBytes: Int { rawValue * rawValue / 4 }

        /// Whether a larger animation is shown as it is.
        fileprivate var canMove: Bool { self == .message || self == .page }
    }

    /// Of an animation that moves in pages, all frames together: 64 MB in a browser. Of others the first frame is shown.
    private static let maximumMovingPixels = 16_000_000
    private static let limits = CheckedImage.Limits(
        field: "thumbnail", maximumBytes: CheckedImage.maximumBytes, sides: 1...Size.page.rawValue)
    private static let full = RoostError.unavailable(
        "Roost is busy with other pictures. Try again in a moment.", retryAfter: 5)

    private static let maximumUndecodable = 10_000

    /// Keys of pictures of which no thumbnail can be made, so that not each look at one decodes it again.
    private let undecodable = Mutex<Set<String>>([])
    private let thread = SerialThread(waiting: 200, timeout: .seconds(60), full: full)

    package init() {}

    deinit { thread.stop() }

    /// Whether pages show the picture itself.
    package static func isSmall(_ image: CheckedImage, for size: Size) -> Bool {
        let isMoving = image.frameCount > 1
        guard !isMoving || image.width * image.height * image.frameCount <= maximumMovingPixels else {
            return false
        }
        return isMoving && size.canMove
            || max(image.width, image.height) <= size.rawValue && image.bytes.count <= size.maximumBytes
    }

    /// A WebP without any notes; nil for a picture that cannot be decoded, or not within the memory there is for it.
    ///
    /// Throws `RoostError.unavailable` while too many wait, and `CancellationError`.
    ///
    /// - Parameter key: what the caller knows the picture by; it names the same bytes each time
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

    /// The picture decoded and made smaller. It takes a while: only on a thread of our own.
    package static func pixels(of image: CheckedImage, _ size: Size) throws -> SmallPixels {
        switch image.mediaType {
        case JPEGFormat.mediaType: try JPEGPixels.small(image.bytes, fitting: size.rawValue)
        case PNGFormat.mediaType: try PNGPixels.small(image.bytes, fitting: size.rawValue)
        case GIFFormat.mediaType: try GIFPixels.small(image.bytes, fitting: size.rawValue)
        default: try WebPPixels.small(image.bytes, fitting: size.rawValue)
        }
    }

    /// A drawing in the place of a picture that has no thumbnail: what it is, and how large.
    package static func placeholder(width: Int, height: Int, lines: [String]) -> (
        mediaType: String, bytes: [UInt8]
    ) {
        let (width, height) = SmallPixels.size(
            of: max(1, width), max(1, height), fitting: Size.message.rawValue)
        let texts = lines.enumerated().map { index, line in
            "<tspan x=\"50%\" dy=\"\(index * 30)\">\(XMLText.escaped(String(line.prefix(60))))</tspan>"
        }
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">\
            <rect width="100%" height="100%" fill="#888" fill-opacity=".25"/>\
            <text x="50%" y="50%" text-anchor="middle" font-family="sans-serif" font-size="24" fill="#888">\
            \(texts.joined())</text></svg>
            """
        return ("image/svg+xml", Array(svg.utf8))
    }
}
