import RoostServices

/// One segment of an address's path, percent-encoded: other people’s ids hold spaces, brackets and slashes.
package struct PathSegment: Sendable, CustomStringConvertible {
    package let description: String

    /// "." and ".." are encoded, too: browsers resolve them.
    package init(_ raw: String) {
        let isOnlyDots = raw == "." || raw == ".."
        description = isOnlyDots ? raw.replacingBytes(of: ".", with: "%2E") : PercentEncoding.encode(raw)
    }
}
