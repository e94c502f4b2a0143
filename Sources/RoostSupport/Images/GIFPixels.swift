/// Decodes the first frame of a GIF (GIF89a, appendix F) row by row.
enum GIFPixels {
    static func small(_ bytes: [UInt8], fitting side: Int) throws(DamagedImage) -> SmallPixels {
        var reader = ByteReader(bytes)
        _ = try reader.take(6)
        let (width, height) = (try reader.little(2), try reader.little(2))
        guard width > 0, height > 0 else { throw DamagedImage() }
        let flags = try reader.byte()
        _ = try reader.take(2)
        let globalTable = try colors(flags, &reader)
        var transparentColor: Int?
        while true {
            switch try reader.byte() {
            case 0x21:
                let label = try reader.byte()
                let data = try joined(&reader)
                // A graphic control extension: flags, two bytes of delay, the transparent colour.
                if label == 0xF9, data.count == 4, data[0] & 1 == 1 { transparentColor = Int(data[3]) }
            case 0x2C:
                let frame = try Frame(&reader)
                guard frame.left + frame.width <= width, frame.top + frame.height <= height else {
                    throw DamagedImage()
                }
                var table = try frame.flags & 0x80 == 0 ? globalTable : colors(frame.flags, &reader)
                if let transparentColor, transparentColor * 4 < table.count {
                    let start = transparentColor * 4
                    table.replaceSubrange(start..<(start + 4), with: [0, 0, 0, 0])
                }
                let codeSize = Int(try reader.byte())
                var scaler = PixelScaler(
                    width: width, height: height,
                    target: SmallPixels.size(of: width, height, fitting: side))
                try draw(frame, try joined(&reader), codeSize, table, into: &scaler)
                return scaler.pixels
            default: throw DamagedImage()
            }
        }
    }

    private struct Frame {
        let left, top, width, height: Int
        let flags: UInt8

        init(_ reader: inout ByteReader) throws(DamagedImage) {
            (left, top) = (try reader.little(2), try reader.little(2))
            (width, height) = (try reader.little(2), try reader.little(2))
            flags = try reader.byte()
        }

        /// In file order, which differs in interlaced frames.
        var rows: [Int] {
            guard flags & 0x40 != 0 else { return Array(0..<height) }
            return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
                Array(stride(from: start, to: height, by: step))
            }
        }
    }

    private static func colors(_ flags: UInt8, _ reader: inout ByteReader) throws(DamagedImage) -> [UInt8] {
        guard flags & 0x80 != 0 else { return [] }
        var colors: [UInt8] = []
        for _ in 0..<(1 << (Int(flags & 7) + 1)) { colors += Array(try reader.take(3)) + [255] }
        return colors
    }

    private static func joined(_ reader: inout ByteReader) throws(DamagedImage) -> [UInt8] {
        var data: [UInt8] = []
        var length = Int(try reader.byte())
        while length > 0 {
            data += try reader.take(length)
            length = Int(try reader.byte())
        }
        return data
    }

    /// If the data ends early, the rest of the frame stays transparent, as in browsers.
    private static func draw(
        _ frame: Frame, _ data: [UInt8], _ codeSize: Int, _ table: [UInt8], into scaler: inout PixelScaler
    ) throws(DamagedImage) {
        guard var codes = LZWReader(data, codeSize: codeSize) else { throw DamagedImage() }
        var row = [UInt8](repeating: 0, count: scaler.width * 4)
        for y in frame.rows {
            for x in 0..<frame.width {
                guard let color = codes.next() else { return }
                let (from, to) = (Int(color) * 4, (frame.left + x) * 4)
                for channel in 0..<4 {
                    row[to + channel] = from < table.count ? table[from + channel] : 0
                }
            }
            row.withUnsafeBufferPointer { scaler.add($0, y: frame.top + y) }
        }
    }
}

/// Decodes LZW codes into colour indexes. Ends with the data or at an invalid code.
private struct LZWReader {
    private static let maximumCodes = 4_096

    private let data: [UInt8]
    private let clear: Int
    private let firstWidth: Int
    private var position = 0
    private var (bits, bitCount) = (0, 0)
    private var width: Int
    /// Each code is another code followed by one colour.
    private var prefixes = [Int16](repeating: -1, count: maximumCodes)
    private var suffixes = [UInt8](repeating: 0, count: maximumCodes)
    private var count: Int
    private var previous: Int?
    private var first: UInt8 = 0
    /// The remaining colours of the current code, in reverse order.
    private var waiting: [UInt8] = []

    init?(_ data: [UInt8], codeSize: Int) {
        guard (1...8).contains(codeSize) else { return nil }
        self.data = data
        clear = 1 << codeSize
        firstWidth = codeSize + 1
        width = firstWidth
        count = clear + 2
        for color in 0..<clear { suffixes[color] = UInt8(color) }
        waiting.reserveCapacity(Self.maximumCodes)
    }

    mutating func next() -> UInt8? {
        while waiting.isEmpty {
            guard let code = readCode(), code != clear + 1 else { return nil }
            if code == clear {
                (width, count, previous) = (firstWidth, clear + 2, nil)
            } else if !read(code) {
                return nil
            }
        }
        return waiting.popLast()
    }

    private mutating func readCode() -> Int? {
        while bitCount < width {
            guard position < data.count else { return nil }
            bits |= Int(data[position]) << bitCount
            bitCount += 8
            position += 1
        }
        defer {
            bits >>= width
            bitCount -= width
        }
        return bits & (1 << width - 1)
    }

    private mutating func read(_ code: Int) -> Bool {
        guard code < count || code == count && previous != nil else { return false }
        var current = code
        // The code about to be defined: the previous one followed by its own first colour.
        if code == count, let previous {
            waiting.append(first)
            current = previous
        }
        while current >= clear {
            waiting.append(suffixes[current])
            current = Int(prefixes[current])
        }
        first = suffixes[current]
        waiting.append(first)
        if let previous, count < Self.maximumCodes {
            (prefixes[count], suffixes[count]) = (Int16(previous), first)
            count += 1
            if count == 1 << width, width < 12 { width += 1 }
        }
        previous = code
        return true
    }
}
