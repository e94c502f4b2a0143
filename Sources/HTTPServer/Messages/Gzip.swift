import CZlib

/// Compression by zlib, and whether a client wants it.
enum Gzip {
    /// Below this many bytes an answer fits one packet anyway.
    static let threshold = 1_024

    /// Nil if zlib fails, or if the bytes would not get smaller.
    static func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        var stream = z_stream()
        guard zshim_gzip_begin(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var compressed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let count = compressed.withUnsafeMutableBufferPointer { output in
            bytes.withUnsafeBufferPointer { input -> Int? in
                // zlib reads through this pointer and never writes: its declaration is older than const.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : nil
            }
        }
        guard let count, count < bytes.count else { return nil }
        compressed.removeLast(compressed.count - count)
        return compressed
    }

    /// What `Accept-Encoding` says (RFC 9110 section 12.5.3): gzip's own weight beats that of `*`.
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
