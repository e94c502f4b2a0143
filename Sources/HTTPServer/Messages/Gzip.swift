import CISAL
import CZlib
import Synchronization

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

/// Compresses one body piece by piece with ISA-L, which takes a sixth of zlib's time for pages and 5 % more bytes.
final class GzipStream {
    /// Kept for the next body: a stream has 365 KB of memory.
    private static let idle = Mutex<[Deflater]>([])
    private static let maximumIdle = 4

    private let deflater: Deflater
    private let bytes: [UInt8]
    private var output: [UInt8]

    init(_ bytes: [UInt8]) {
        deflater = Self.idle.withLock { $0.popLast() } ?? Deflater()
        deflater.begin()
        self.bytes = bytes
        // Most pages shrink to less than a third.
        output = [UInt8](repeating: 0, count: max(bytes.count / 3, 512))
    }

    deinit {
        let deflater = deflater
        Self.idle.withLock { idle in
            if idle.count < Self.maximumIdle { idle.append(deflater) }
        }
    }

    /// Compresses the next `count` bytes; false if ISA-L fails.
    func compress(_ count: Int, isLast: Bool) -> Bool {
        let stream = deflater.stream
        stream.pointee.end_of_stream = isLast ? 1 : 0
        return bytes.withUnsafeBufferPointer { input in
            // ISA-L only reads through this pointer; its declaration lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress.map { $0 + Int(stream.pointee.total_in) })
            stream.pointee.avail_in = UInt32(count)
            while true {
                guard write() == COMP_OK else { return false }
                // Output that is not full means that everything was written.
                if stream.pointee.avail_out > 0 { return stream.pointee.avail_in == 0 }
                output.append(contentsOf: repeatElement(0, count: output.count))
            }
        }
    }

    private func write() -> Int32 {
        let stream = deflater.stream
        let written = Int(stream.pointee.total_out)
        return output.withUnsafeMutableBufferPointer { output in
            stream.pointee.next_out = output.baseAddress.map { $0 + written }
            stream.pointee.avail_out = UInt32(output.count - written)
            return isal_deflate(stream)
        }
    }

    /// The compressed body, after the last piece; nil if it is not smaller than the original.
    func finish() -> [UInt8]? {
        let count = Int(deflater.stream.pointee.total_out)
        guard count < bytes.count else { return nil }
        output.removeLast(output.count - count)
        return output
    }
}

/// ISA-L's state, at a fixed address.
///
/// Unchecked, and safe: both properties are constants. What they point at is used only by the `GzipStream` that holds this,
/// which is not Sendable and so belongs to one task; between two of them it is in `idle`, guarded by a lock.
private final class Deflater: @unchecked Sendable {
    let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(isalshim_buffer_size))

    deinit {
        stream.deallocate()
        buffer.deallocate()
    }

    func begin() { isalshim_gzip_begin(stream, buffer) }
}
