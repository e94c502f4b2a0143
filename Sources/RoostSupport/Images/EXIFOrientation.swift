/// The orientation of a picture (EXIF 2.32, tag 0x0112), the only EXIF value needed to show it.
enum EXIFOrientation {
    private static let header = Array("Exif\0\0".utf8)
    private static let tag = 0x0112

    static func find(in segment: ArraySlice<UInt8>) -> UInt8? {
        guard segment.starts(with: header) else { return nil }
        return (try? read(segment.dropFirst(header.count))) ?? nil
    }

    /// Returns an APP1 segment with only the orientation, or nil if the picture is already upright.
    static func segment(_ orientation: UInt8) -> [UInt8]? {
        guard (2...8).contains(orientation) else { return nil }
        // Big-endian TIFF; at offset 8 one entry (tag, type SHORT, count 1, value) and no next directory.
        return header + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    }

    private static func read(_ tiff: ArraySlice<UInt8>) throws(DamagedImage) -> UInt8? {
        var reader = ByteReader(tiff)
        let isBig = try reader.take(2).elementsEqual(Array("MM".utf8))
        func number(_ count: Int) throws(DamagedImage) -> Int {
            isBig ? try reader.big(count) : try reader.little(count)
        }
        guard try number(2) == 42 else { return nil }
        let directory = try number(4)
        _ = try reader.take(directory - 8)
        for _ in 0..<(try number(2)) {
            let (tag, type, count) = (try number(2), try number(2), try number(4))
            let value = try number(2)
            _ = try reader.take(2)
            guard tag == Self.tag else { continue }
            return type == 3 && count == 1 && (1...8).contains(value) ? UInt8(value) : nil
        }
        return nil
    }
}
