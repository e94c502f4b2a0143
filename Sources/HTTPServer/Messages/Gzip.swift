import CISAL
import CZlib
import Synchronization

/// How much time compressing a body may take.
public enum Compression: Sendable {
    /// For pages, which are valid for a second.
    case fast
    /// For files that many clients fetch and that never change: zlib's level 9, 10% smaller than `fast` in ten times
    /// the time.
    case best
}

enum Gzip {
    /// In bytes. A smaller answer fits into one packet anyway.
    static let threshold = 1_024

    /// In bytes. A thread compresses this much in about a millisecond before other tasks get a turn.
    static let pieceSize = 262_144

    /// Returns nil if compression fails or does not make the body smaller.
    static func compress(_ bytes: [UInt8], _ compression: Compression = .fast) -> [UInt8]? {
        switch compression {
        case .fast:
            let stream = GzipStream(bytes)
            return stream.compress(bytes.count, isLast: true) ? stream.finish() : nil
        case .best: return compressBest(bytes)
        }
    }

    /// Compresses like `fast`, with a pause after each piece. Also returns nil if the task is cancelled.
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
        var output = [UInt8](repeating: 0, count: bytes.count)
        let result = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib only reads through this pointer; its declaration lacks `const`.
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

    /// Returns true if `Accept-Encoding` allows gzip (RFC 9110 section 12.5.3); gzip's own weight overrides that of
    /// `*`.
    static func isAccepted(_ header: String?) -> Bool {
        guard let header else { return false }
        var isWildcardAllowed = false
        for part in header.utf8.split(separator: UInt8(ascii: ",")) {
            let coding = MediaType(String(Substring(part)))
            let isAllowed = coding.parameter("q").flatMap(Double.init).map { $0 > 0 } ?? true
            if coding.essence == "gzip" || coding.essence == "x-gzip" { return isAllowed }
            if coding.essence == "*" { isWildcardAllowed = isAllowed }
        }
        return isWildcardAllowed
    }
}

/// Compresses a body in pieces with ISA-L, which takes a sixth of zlib's time for pages and 5% more bytes.
final class GzipStream {
    /// Unused streams, which are kept because each takes 365 KB of memory.
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

    func compress(_ count: Int, isLast: Bool) -> Bool {
        let stream = deflater.stream
        stream.pointee.end_of_stream = isLast ? 1 : 0
        return bytes.withUnsafeBufferPointer { input in
            // ISA-L only reads through this pointer; its declaration lacks `const`.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress.map { $0 + Int(stream.pointee.total_in) })
            stream.pointee.avail_in = UInt32(count)
            while true {
                guard write() == COMP_OK else { return false }
                // If there is room left, everything was written.
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

    func finish() -> [UInt8]? {
        let count = Int(deflater.stream.pointee.total_out)
        guard count < bytes.count else { return nil }
        output.removeLast(output.count - count)
        return output
    }
}

/// ISA-L's state, at a fixed address.
///
/// `@unchecked Sendable` is safe: both properties are constants. Only the `GzipStream` that holds this uses the memory,
/// and it is not Sendable, so it belongs to one task. Unused ones are in `idle`, guarded by a lock (ConcurrencyTests:
/// compressed answers of many clients at once).
private final class Deflater: @unchecked Sendable {
    let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(isalshim_buffer_size))

    deinit {
        stream.deallocate()
        buffer.deallocate()
    }

    func begin() { isalshim_gzip_begin(stream, buffer) }
}
