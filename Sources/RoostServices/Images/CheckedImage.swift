/// A picture that somebody uploaded, known by its content and rid of what it says besides: where, when and
/// with what it was taken.
package struct CheckedImage: Equatable, Sendable {
    package let mediaType: String
    package let bytes: [UInt8]
    /// In pixels, as the picture is shown.
    package let width: Int
    package let height: Int

    package static let maximumBytes = 1 << 20
    private static let sides = 16...4_096

    /// Takes PNG, JPEG, GIF and WebP of at most 1 MB, and 16 to 4,096 pixels wide and high.
    ///
    /// The file is put together anew from the parts that are the picture; whatever else is in it or behind it
    /// is gone. Throws `RoostError.invalid(field: "avatar")`.
    package init(_ bytes: [UInt8]) throws(RoostError) {
        guard bytes.count <= Self.maximumBytes else { throw Self.refusal("A picture has at most 1 MB.") }
        guard let format = Self.formats.first(where: { $0.isIt(bytes) }) else {
            throw Self.refusal("Unsupported image format. Use a PNG, JPEG, GIF or WebP.")
        }
        let cleaned: CleanedImage
        do { cleaned = try format.clean(bytes) } catch {
            throw Self.refusal("This picture is damaged or incomplete. Save it again, or choose another one.")
        }
        guard Self.sides.contains(cleaned.width), Self.sides.contains(cleaned.height) else {
            throw Self.refusal("A picture is 16 to 4,096 pixels wide and high.")
        }
        mediaType = format.mediaType
        self.bytes = cleaned.bytes
        (width, height) = (cleaned.width, cleaned.height)
    }

    private static var formats: [any ImageFormat.Type] {
        [PNGFormat.self, JPEGFormat.self, GIFFormat.self, WebPFormat.self]
    }

    private static func refusal(_ why: String) -> RoostError { .invalid(field: "avatar", why: why) }
}
