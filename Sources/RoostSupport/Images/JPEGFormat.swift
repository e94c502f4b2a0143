/// JPEG (ITU-T T.81, annex B). Keeps only the segments that the picture and its colours need.
enum JPEGFormat: ImageFormat {
    static let mediaType = "image/jpeg"

    static func matches(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, JPEGMarker.start, 0xFF]) }

    static func clean(_ bytes: [UInt8]) throws(DamagedImage) -> CleanedImage {
        var cleaner = JPEGCleaner(reader: ByteReader(bytes))
        return try cleaner.clean()
    }
}

private enum JPEGMarker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    /// Baseline, extended and progressive; browsers show no others.
    static let frames: ClosedRange<UInt8> = 0xC0...0xC2
    static let tables: Set<UInt8> = [0xC4, 0xDB, 0xDD]
    static let comment: UInt8 = 0xFE
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
}

private struct JPEGCleaner {
    var reader: ByteReader
    private var image = CleanedImage()
    private var orientation: UInt8 = 1
    private var hasJFIF = false
    private var hasScan = false

    init(reader: ByteReader) { self.reader = reader }

    mutating func clean() throws(DamagedImage) -> CleanedImage {
        image.bytes += try reader.take(2)
        var marker = try nextMarker()
        while marker != JPEGMarker.end {
            let length = try reader.big(2)
            try readSegment(marker, try reader.take(length - 2))
            marker = try nextMarker()
        }
        guard hasScan else { throw DamagedImage() }
        image.bytes += [0xFF, JPEGMarker.end]
        return image
    }

    private mutating func readSegment(_ marker: UInt8, _ data: ArraySlice<UInt8>) throws(DamagedImage) {
        switch marker {
        case JPEGMarker.comment: break
        case JPEGMarker.applications: readApplication(marker, data)
        case JPEGMarker.frames: try readFrame(marker, data)
        case _ where JPEGMarker.tables.contains(marker): append(marker, Array(data))
        case JPEGMarker.scan:
            guard image.width > 0 else { throw DamagedImage() }
            append(marker, Array(data))
            image.bytes += try scan()
            hasScan = true
        default: throw DamagedImage()
        }
    }

    /// Keeps JFIF without its preview, the colour profile, Adobe's colour transform, and the orientation from EXIF.
    private mutating func readApplication(_ marker: UInt8, _ data: ArraySlice<UInt8>) {
        switch marker {
        case 0xE0 where !hasJFIF && data.count >= 14 && data.starts(with: Array("JFIF\0".utf8)):
            append(marker, Array(data.prefix(12)) + [0, 0])
            hasJFIF = true
        case 0xE1: orientation = EXIFOrientation.find(in: data) ?? orientation
        case 0xE2 where data.starts(with: Array("ICC_PROFILE\0".utf8)): append(marker, Array(data))
        case 0xEE where data.count >= 12 && data.starts(with: Array("Adobe".utf8)):
            append(marker, Array(data.prefix(12)))
        default: break
        }
    }

    private mutating func readFrame(_ marker: UInt8, _ data: ArraySlice<UInt8>) throws(DamagedImage) {
        var numbers = ByteReader(data)
        // A second frame header would make the size ambiguous.
        guard image.width == 0, try numbers.byte() == 8 else { throw DamagedImage() }
        let (height, width) = (try numbers.big(2), try numbers.big(2))
        let components = Int(try numbers.byte())
        guard width > 0, height > 0, [1, 3, 4].contains(components), numbers.rest.count == components * 3
        else {
            throw DamagedImage()
        }
        if let segment = EXIFOrientation.segment(orientation) { append(0xE1, segment) }
        append(marker, Array(data))
        let swapsSides = orientation > 4
        (image.width, image.height) = swapsSides ? (height, width) : (width, height)
    }

    /// Reads the compressed data up to the next marker that is not a restart marker.
    private mutating func scan() throws(DamagedImage) -> ArraySlice<UInt8> {
        let rest = reader.rest
        var index = rest.startIndex
        while index + 1 < rest.endIndex {
            let next = rest[index + 1]
            if rest[index] == 0xFF && next != 0 && next != 0xFF && !JPEGMarker.restarts.contains(next) {
                return try reader.take(index - rest.startIndex)
            }
            index += 1
        }
        throw DamagedImage()
    }

    /// Any number of FF bytes may come before a marker.
    private mutating func nextMarker() throws(DamagedImage) -> UInt8 {
        try reader.expect([0xFF])
        var marker = try reader.byte()
        while marker == 0xFF { marker = try reader.byte() }
        return marker
    }

    private mutating func append(_ marker: UInt8, _ data: [UInt8]) {
        let length = data.count + 2
        image.bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + data
    }
}
