/// A picture that somebody uploaded, known by its content and rid of what it says besides: where, when and
/// with what it was taken.
package struct CheckedImage: Equatable, Sendable {
    /// What is asked of a picture, beside being one.
    package struct Limits: Sendable {
        /// The form's or the JSON's name of the picture, for refusals.
        package let field: String
        package let maximumBytes: Int
        /// Width and height in pixels.
        package let sides: ClosedRange<Int>

        package init(field: String, maximumBytes: Int, sides: ClosedRange<Int>) {
            self.field = field
            self.maximumBytes = maximumBytes
            self.sides = sides
        }

        /// Of people's pictures.
        package static let avatar = Limits(
            field: "avatar", maximumBytes: CheckedImage.maximumBytes, sides: 16...4_096)

        /// Of pictures in articles.
        package static let article = Limits(
            field: "picture", maximumBytes: 5 << 20, sides: 1...CheckedImage.maximumSide)

        fileprivate func refusal(_ why: String) -> RoostError { .invalid(field: field, why: why) }

        fileprivate var sizeRefusal: RoostError {
            let most = maximumBytes >= 1 << 20 ? "\(maximumBytes >> 20) MB" : "\(maximumBytes >> 10) KB"
            return refusal("A picture has at most \(most).")
        }

        fileprivate var sidesRefusal: RoostError {
            refusal(
                "A picture is \(sides.lowerBound) to \(Self.grouped(sides.upperBound)) pixels wide and high.")
        }

        fileprivate var pixelsRefusal: RoostError {
            let most = CheckedImage.maximumPixels / 1_000_000
            return refusal("A picture has at most \(most) million pixels, all frames together.")
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
    /// In pixels, as the picture is shown.
    package let width: Int
    package let height: Int

    let frameCount: Int

    /// Of people's pictures, and of those that other servers have.
    package static let maximumBytes = 1 << 20
    /// In pixels; the longest side that WebP has, too.
    package static let maximumSide = 16_384
    /// Of all frames together. A browser takes four bytes for each; phones take photos of 200 million pixels.
    static let maximumPixels = 250_000_000
    /// Photos and screenshots have far fewer. A file that has more is made to fill the memory of those who look at it.
    static let maximumPixelsPerByte = 500
    /// A plain area or a QR code has more pixels for each byte. Up to Full HD (8 MB of memory) it does no harm.
    static let harmlessPixels = 1_920 * 1_080

    /// Takes PNG, JPEG, GIF and WebP within the limits.
    ///
    /// The file is put together anew from the parts that are the picture; whatever else is in it or behind it
    /// is gone. Throws `RoostError.invalid` for the limits' field.
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

    /// Whether the bytes begin as a picture of one of these formats does.
    package static func isPicture(_ bytes: [UInt8]) -> Bool { format(of: bytes) != nil }

    private static func format(of bytes: [UInt8]) -> (any ImageFormat.Type)? {
        let formats: [any ImageFormat.Type] = [
            PNGFormat.self, JPEGFormat.self, GIFFormat.self, WebPFormat.self,
        ]
        return formats.first { $0.isIt(bytes) }
    }
}
