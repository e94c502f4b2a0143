import Foundation
import TextFormats

/// A request's range of bytes (RFC 9110 section 14). Several ranges are answered with the whole file, as are invalid
/// ones.
enum ByteRange: Equatable {
    case all
    case from(Int, through: Int?)
    case last(Int)

    static func of(_ header: String?, in size: Int) -> ByteRange {
        guard let header, header.hasPrefix("bytes="), size > 0 else { return .all }
        let parts = header.dropFirst("bytes=".count).splitBytes(at: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return .all }
        let (first, last) = (Int(parts[0]), Int(parts[1]))
        switch (first, last) {
        case (let first?, let last?) where first >= 0 && last >= first: return .from(first, through: last)
        case (let first?, nil) where first >= 0 && parts[1].isEmpty: return .from(first, through: nil)
        case (nil, let last?) where last > 0 && parts[0].isEmpty: return .last(last)
        default: return .all
        }
    }

    /// Nil if the file has no byte of the range.
    func bytes(of size: Int) -> Range<Int>? {
        switch self {
        case .all: 0..<size
        case .last(let count): max(0, size - count)..<size
        case .from(let first, let last): first < size ? first..<(min(last ?? size - 1, size - 1) + 1) : nil
        }
    }
}

/// A part of a file, in pieces.
struct FileChunks: AsyncSequence, Sendable {
    private static let size = 256 << 10

    let file: FileHandle
    let count: Int

    struct Iterator: AsyncIteratorProtocol {
        let file: FileHandle
        var rest: Int

        mutating func next() async throws -> [UInt8]? {
            guard rest > 0 else { return nil }
            guard let data = try file.read(upToCount: Swift.min(rest, FileChunks.size)), !data.isEmpty else {
                // Cuts the connection: the file is shorter than announced.
                throw CocoaError(.fileReadCorruptFile)
            }
            rest -= data.count
            return [UInt8](data)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: file, rest: count) }
}
