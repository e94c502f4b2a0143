import TextFormats

/// One segment of an address's path, percent-encoded: other people’s ids hold spaces, brackets and slashes.
struct PathSegment: Sendable, CustomStringConvertible {
    let description: String

    /// "." and ".." are encoded, too: browsers resolve them.
    init(_ raw: String) {
        description =
            Self.isOnlyDots(raw) ? raw.replacingBytes(of: ".", with: "%2E") : PercentEncoding.encode(raw)
    }

    /// Whether the segment is the text itself.
    static func isPlain(_ raw: String) -> Bool { !isOnlyDots(raw) && PercentEncoding.isPlain(raw) }

    private static func isOnlyDots(_ raw: String) -> Bool { raw == "." || raw == ".." }
}
