/// An uploaded picture, validated and without its metadata, such as the place, the time and the camera.
package struct CheckedImage: Equatable, Sendable {
    package struct Limits: Sendable {
        /// The picture's field in the form or the JSON, for error messages.
        package let field: String
        package let maximumBytes: Int
        package let sides: ClosedRange<Int>

        package init(field: String, maximumBytes: Int, sides: ClosedRange<Int>) {
            self.field = field
            self.maximumBytes = maximumBytes
            self.sides = sides
        }

        package static let avatar = Limits(
            field: "avatar", maximumBytes: CheckedImage.maximumBytes, sides: 16...4_096)

        package static let article = Limits(
            field: "picture", maximumBytes: 5 << 20, sides: 1...CheckedImage.maximumSide)

        fileprivate func refusal(_ why: String) -> RoostError { .invalid(field: field, why: why) }

        fileprivate var sizeRefusal: RoostError {
            let most = maximumBytes >= 1 << 20 ? "\(maximumBytes >> 20) MB" : "\(maximumBytes >> 10) KB"
            return refusal("A picture can have at most \(most).")
        }

        fileprivate var sidesRefusal: RoostError {
            refusal(
                "A picture can be \(sides.lowerBound) to \(Self.grouped(sides.upperBound)) pixels wide and high."
            )
        }

        fileprivate var pixelsRefusal: RoostError {
            let most = CheckedImage.maximumPixels / 1_000_000
            return refusal("A picture can have at most \(most) million pixels in all frames together.")
        }

        fileprivate var proportionRefusal: RoostError {
            refusal(
                "This picture has more than \(CheckedImage.maximumPixelsPerByte) pixels for each byte of its file. "
                    + "Save it in a smaller size.")
        }

        private static func grouped(_ number: Int) -> String {
            let (thousands, rest) = number.quotientAndRemainder(dividingBy: 1_000)
            return thousands == 0 ? "\(rest)" : "\(thousands),\(String(1_000 + rest).dropFirst())"
        }
    }

    package let mediaType: String
    package let bytes: [UInt8]
    /// In pixels, after applying the orientation.
    package let width: Int
    package let height: Int

    let frameCount: Int

    /// For avatars, and for pictures fetched from other servers.
    package static let maximumBytes = 1 << 20
    /// In pixels; also the limit of WebP.
    package static let maximumSide = 16_384
    /// For all frames together. Browsers need four bytes for each pixel; phones take photos of 200 million pixels.
    static let maximumPixels = 250_000_000
    /// Photos and screenshots have far fewer. A file with more is meant to fill the viewers' memory.
    static let maximumPixelsPerByte = 500
    /// Plain areas and QR codes have more pixels per byte. Up to Full HD (8 MB of memory) they are harmless.
    static let harmlessPixels = 1_920 * 1_080

    /// Accepts PNG, JPEG, GIF and WebP within the limits.
    ///
    /// Rebuilds the file from the parts that make up the picture, without metadata or trailing data. Throws
    /// `RoostError.invalid` for the limits' field.
    package init(_ bytes: [UInt8], within limits: Limits = .avatar) throws(RoostError) {
        guard bytes.count <= limits.maximumBytes else { throw limits.sizeRefusal }
        guard let format = Self.format(of: bytes) else {
            throw limits.refusal("Unsupported image format. Use a PNG, JPEG, GIF or WebP.")
        }
        let cleaned: CleanedImage
        do { cleaned = try format.clean(bytes) } catch {
            throw limits.refusal(
                "This picture is damaged or incomplete. Save it again, or choose another one.")
        }
        guard limits.sides.contains(cleaned.width), limits.sides.contains(cleaned.height) else {
            throw limits.sidesRefusal
        }
        let pixels = cleaned.width * cleaned.height
        guard pixels * cleaned.frameCount <= Self.maximumPixels else { throw limits.pixelsRefusal }
        let drawn = max(pixels, cleaned.framePixels)
        guard drawn <= max(Self.harmlessPixels, cleaned.bytes.count * Self.maximumPixelsPerByte) else {
            throw limits.proportionRefusal
        }
        mediaType = format.mediaType
        self.bytes = cleaned.bytes
        (width, height) = (cleaned.width, cleaned.height)
        frameCount = cleaned.frameCount
    }

    /// The media type of a PNG, JPEG, GIF or WebP by its first bytes; nil for anything else.
    package static func mediaType(of bytes: [UInt8]) -> String? { format(of: bytes)?.mediaType }

    private static func format(of bytes: [UInt8]) -> (any ImageFormat.Type)? {
        let formats: [any ImageFormat.Type] = [
            PNGFormat.self, JPEGFormat.self, GIFFormat.self, WebPFormat.self,
        ]
        return formats.first { $0.matches(bytes) }
    }
}
