import CZlib

/// Bytes on their way through zlib.
final class GzipStream {
    /// zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let bytes: [UInt8]
    private var output: [UInt8] = []

    /// Nil if zlib has no memory.
    init?(level: Int32, for bytes: [UInt8]) {
        self.bytes = bytes
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard zshim_gzip_begin(stream, level) == Z_OK else {
            stream.deallocate()
            return nil
        }
        output = [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(bytes.count))))
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses so many of the bytes that come next; false if zlib fails.
    func take(_ count: Int, isLast: Bool) -> Bool {
        output.withUnsafeMutableBufferPointer { output in
            bytes.withUnsafeBufferPointer { input in
                let (done, written) = (Int(stream.pointee.total_in), Int(stream.pointee.total_out))
                // zlib reads through this pointer and never writes: its declaration is older than const.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + done })
                stream.pointee.avail_in = UInt32(count)
                stream.pointee.next_out = output.baseAddress.map { $0 + written }
                stream.pointee.avail_out = UInt32(output.count - written)
                let result = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                return isLast ? result == Z_STREAM_END : result == Z_OK && stream.pointee.avail_in == 0
            }
        }
    }

    /// Nil if it is not less than what it was made of.
    var compressed: [UInt8]? {
        let count = Int(stream.pointee.total_out)
        return count < bytes.count ? Array(output[..<count]) : nil
    }
}
