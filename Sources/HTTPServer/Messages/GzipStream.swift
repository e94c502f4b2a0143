import CZlib
import Synchronization

/// Bytes on their way through zlib.
final class GzipStream {
    /// zlib's memory, 270 KB, is used again: to allocate and clear it took longer than to compress a short page.
    private static let idle = Mutex<[Deflater]>([])
    private static let maximumIdle = 4

    private let deflater: Deflater
    private let bytes: [UInt8]
    private var output: [UInt8]

    /// Nil if zlib has no memory.
    init?(level: Int32, for bytes: [UInt8]) {
        let known = Self.idle.withLock { idle in
            idle.lastIndex { $0.level == level }.map { idle.remove(at: $0) }
        }
        guard let deflater = known ?? Deflater(level: level) else { return nil }
        self.deflater = deflater
        self.bytes = bytes
        // Pages become a quarter or a tenth.
        output = [UInt8](repeating: 0, count: max(bytes.count / 3, 512))
    }

    deinit {
        guard deflater.reset() else { return }
        let deflater = deflater
        Self.idle.withLock { idle in
            if idle.count < Self.maximumIdle { idle.append(deflater) }
        }
    }

    /// Compresses so many of the bytes that come next; false if zlib fails.
    func take(_ count: Int, isLast: Bool) -> Bool {
        let done = Int(deflater.stream.pointee.total_in)
        return bytes.withUnsafeBufferPointer { input in
            // zlib reads through this pointer and never writes: its declaration is older than const.
            deflater.stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress.map { $0 + done })
            deflater.stream.pointee.avail_in = UInt32(count)
            while true {
                let result = write(isLast: isLast)
                if result == Z_STREAM_END { return isLast }
                guard result == Z_OK || result == Z_BUF_ERROR else { return false }
                if deflater.stream.pointee.avail_out > 0 {
                    return !isLast && deflater.stream.pointee.avail_in == 0
                }
                output.append(contentsOf: repeatElement(0, count: output.count))
            }
        }
    }

    private func write(isLast: Bool) -> Int32 {
        let written = Int(deflater.stream.pointee.total_out)
        return output.withUnsafeMutableBufferPointer { output in
            deflater.stream.pointee.next_out = output.baseAddress.map { $0 + written }
            deflater.stream.pointee.avail_out = UInt32(output.count - written)
            return deflate(deflater.stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        }
    }

    /// All that was compressed, once the last of the bytes were taken; nil if it is not less than what it was made of.
    func finish() -> [UInt8]? {
        let count = Int(deflater.stream.pointee.total_out)
        guard count < bytes.count else { return nil }
        output.removeLast(output.count - count)
        return output
    }
}

/// zlib's state, at an address that stays.
///
/// Unchecked, and safe: both properties are constants. What `stream` points at is used only by the `GzipStream` that holds
/// this, which is not Sendable and so belongs to one task; between two of them it lies in `idle`, behind a lock.
private final class Deflater: @unchecked Sendable {
    let stream: UnsafeMutablePointer<z_stream>
    let level: Int32

    init?(level: Int32) {
        self.level = level
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard zshim_gzip_begin(stream, level) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Makes it ready for other bytes; false if zlib finds it broken.
    func reset() -> Bool { deflateReset(stream) == Z_OK }
}
