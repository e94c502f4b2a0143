/// GIF (87a and 89a). Comments and application extensions are removed, except for the loop of an animation.
enum GIFFormat: ImageFormat {
    static let mediaType = "image/gif"

    private enum Block {
        static let image: UInt8 = 0x2C
        static let extra: UInt8 = 0x21
        static let end: UInt8 = 0x3B
        static let control: UInt8 = 0xF9
        static let application: UInt8 = 0xFF
    }

    private static let versions = ["GIF87a", "GIF89a"].map { Array($0.utf8) }
    private static let loops = ["NETSCAPE2.0", "ANIMEXTS1.0"].map { [11] + Array($0.utf8) }

    static func matches(_ bytes: [UInt8]) -> Bool { versions.contains { bytes.starts(with: $0) } }

    static func clean(_ bytes: [UInt8]) throws(DamagedImage) -> CleanedImage {
        var reader = ByteReader(bytes)
        var image = CleanedImage(bytes: Array(try reader.take(6)))
        let screen = try reader.take(7)
        var numbers = ByteReader(screen)
        (image.width, image.height) = (try numbers.little(2), try numbers.little(2))
        image.bytes += screen
        image.bytes += try colors(try numbers.byte(), &reader)
        image.frameCount = 0
        while true {
            let block = try reader.byte()
            switch block {
            case Block.end:
                guard image.frameCount > 0 else { throw DamagedImage() }
                image.bytes.append(Block.end)
                return image
            case Block.image:
                try readFrame(&reader, into: &image)
            case Block.extra: try readExtra(&reader, into: &image)
            default: throw DamagedImage()
            }
        }
    }

    private static func readFrame(
        _ reader: inout ByteReader, into image: inout CleanedImage
    ) throws(DamagedImage) {
        let descriptor = try reader.take(9)
        var numbers = ByteReader(descriptor)
        let (left, top) = (try numbers.little(2), try numbers.little(2))
        let (width, height) = (try numbers.little(2), try numbers.little(2))
        // Some decoders would enlarge the picture.
        guard left + width <= image.width, top + height <= image.height else { throw DamagedImage() }
        image.frameCount += 1
        image.framePixels += width * height
        image.bytes.append(Block.image)
        image.bytes += descriptor
        image.bytes += try colors(try numbers.byte(), &reader)
        image.bytes.append(try reader.byte())
        image.bytes += try data(&reader)
    }

    private static func readExtra(
        _ reader: inout ByteReader, into image: inout CleanedImage
    ) throws(DamagedImage) {
        let label = try reader.byte()
        let data = try data(&reader)
        let isLoop = label == Block.application && loops.contains { data.starts(with: $0) }
        guard label == Block.control || isLoop else { return }
        image.bytes += [Block.extra, label] + data
    }

    private static func colors(
        _ flags: UInt8, _ reader: inout ByteReader
    ) throws(DamagedImage) -> ArraySlice<UInt8> {
        try reader.take(flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
    }

    private static func data(_ reader: inout ByteReader) throws(DamagedImage) -> ArraySlice<UInt8> {
        let start = reader.rest
        var length = Int(try reader.byte())
        while length > 0 {
            _ = try reader.take(length)
            length = Int(try reader.byte())
        }
        return start.prefix(reader.rest.startIndex - start.startIndex)
    }
}
