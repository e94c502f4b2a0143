import CZlib

/// Compression by zlib, and whether a client wants it.
enum Gzip {
    /// Below this many bytes an answer fits one packet anyway.
    static let threshold = 1_024

    /// For pages, which are made for each answer: five percent more bytes than level 4, in four fifths of the time.
    static let pageLevel: Int32 = 3

    /// A millisecond's work.
    static let pieceSize = 65_536

    /// Nil if zlib fails, or if the bytes would not get smaller.
    static func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        guard let stream = GzipStream(level: level, for: bytes), stream.take(bytes.count, isLast: true) else {
            return nil
        }
        return stream.finish()
    }

    /// The same, with a pause after each piece; nil as well for a task that is cancelled.
    static func compressInPieces(_ bytes: [UInt8], level: Int32) async -> [UInt8]? {
        guard let stream = GzipStream(level: level, for: bytes) else { return nil }
        var rest = bytes.count
        while rest > pieceSize {
            guard !Task.isCancelled, stream.take(pieceSize, isLast: false) else { return nil }
            rest -= pieceSize
            await Task.yield()
        }
        return stream.take(rest, isLast: true) ? stream.finish() : nil
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
