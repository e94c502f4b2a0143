/// An image file format: how to recognise it, and how to remove everything except the picture.
protocol ImageFormat {
    static var mediaType: String { get }

    static func matches(_ bytes: [UInt8]) -> Bool
    static func clean(_ bytes: [UInt8]) throws(DamagedImage) -> CleanedImage
}

struct CleanedImage {
    var bytes: [UInt8] = []
    var width = 0
    var height = 0
    var frameCount = 1
    /// For animations: the total pixels of all frames, each of which may cover only a part of the picture.
    var framePixels = 0
}

struct DamagedImage: Error {}

/// Reads a file from its beginning, and throws instead of reading past its end.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws(DamagedImage) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw DamagedImage() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() throws(DamagedImage) -> UInt8 {
        guard let byte = rest.popFirst() else { throw DamagedImage() }
        return byte
    }

    mutating func big(_ count: Int) throws(DamagedImage) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func little(_ count: Int) throws(DamagedImage) -> Int {
        try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func expect(_ bytes: [UInt8]) throws(DamagedImage) {
        guard try take(bytes.count).elementsEqual(bytes) else { throw DamagedImage() }
    }
}
