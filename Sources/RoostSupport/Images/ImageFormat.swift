/// A kind of picture file: how to know it, and how to take everything out that is not the picture.
protocol ImageFormat {
    static var mediaType: String { get }

    static func isIt(_ bytes: [UInt8]) -> Bool
    static func clean(_ bytes: [UInt8]) throws(DamagedImage) -> CleanedImage
}

/// A picture's file after cleaning, and its size in pixels.
struct CleanedImage {
    var bytes: [UInt8] = []
    var width = 0
    var height = 0
    var frameCount = 1
    /// Of an animation: the pixels of all frames, of which each may cover a part of the picture.
    var framePixels = 0
}

/// The file does not hold what its own words promise.
struct DamagedImage: Error {}

/// Reads a file from its beginning; whatever it claims, nothing beyond its end is touched.
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

    /// The most significant byte first, at most 4.
    mutating func big(_ count: Int) throws(DamagedImage) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The least significant byte first, at most 4.
    mutating func little(_ count: Int) throws(DamagedImage) -> Int {
        try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func expect(_ bytes: [UInt8]) throws(DamagedImage) {
        guard try take(bytes.count).elementsEqual(bytes) else { throw DamagedImage() }
    }
}
