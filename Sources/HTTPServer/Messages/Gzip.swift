import CZlib

/// How hard to compress an answer.
package enum Compression: Sendable {
    /// For pages, which live for a second.
    case fast
    /// For files that many clients fetch and that never change: zlib's level 9, a tenth less than `fast` in ten times the time.
    case best
}

/// Compression of bodies, and which clients accept it.
enum Gzip {
    /// Bytes. A smaller answer fits one packet anyway.
    static let threshold = 1_024

    /// Bytes that one thread compresses before others get their turn: about a millisecond.
    static let pieceSize = 262_144

    /// Nil if the compressor fails, or if the result would not be smaller.
    static func compress(_ bytes: [UInt8], _ compression: Compression = .fast) -> [UInt8]? {
        switch compression {
        case .fast:
            let stream = GzipStream(bytes)
            return stream.compress(bytes.count, isLast: true) ? stream.finish() : nil
        case .best: return compressBest(bytes)
        }
    }

    /// The same as `fast`, with a pause after each piece; nil as well for a task that is cancelled.
    static func compressInPieces(_ bytes: [UInt8]) async -> [UInt8]? {
        let stream = GzipStream(bytes)
        var rest = bytes.count
        while rest > pieceSize {
            guard !Task.isCancelled, stream.compress(pieceSize, isLast: false) else { return nil }
            rest -= pieceSize
            await Task.yield()
        }
        return stream.compress(rest, isLast: true) ? stream.finish() : nil
    }

    private static func compressBest(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard zshim_gzip_begin(&stream, Z_BEST_COMPRESSION) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // A result that does not fit is not smaller.
        var output = [UInt8](repeating: 0, count: bytes.count)
        let result = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib only reads through this pointer; its declaration is older than const.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END, stream.total_out < bytes.count else { return nil }
        output.removeLast(output.count - Int(stream.total_out))
        return output
    }

    /// Whether `Accept-Encoding` allows gzip (RFC 9110 section 12.5.3): gzip's own weight overrides that of `*`.
    static func isAccepted(_ header: String?) -> Bool {
        guard let header else { return false }
        var anything = false
        for part in header.utf8.split(separator: UInt8(ascii: ",")) {
            let coding = MediaType(String(Substring(part)))
            let isWanted = coding.parameter("q").flatMap(Double.init).map { $0 > 0 } ?? true
            if coding.essence == "gzip" || coding.essence == "x-gzip" { return isWanted }
            if coding.essence == "*" { anything = isWanted }
        }
        return anything
    }
}
