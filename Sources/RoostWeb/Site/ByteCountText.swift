import RoostSupport

/// Sizes of files and disks: "812 bytes", "48 KB", "2.4 MB", "1.8 GB".
package enum ByteCountText {
    /// - Parameter count: in bytes; below zero counts as none
    package static func of(_ count: Int) -> String {
        switch count {
        case ..<1_000: return count == 1 ? "1 byte" : "\(max(0, count)) bytes"
        case ..<999_500: return "\((count + 500) / 1_000) KB"
        case ..<999_950_000: return tenths(of: 1_000_000, in: count) + " MB"
        default: return tenths(of: 1_000_000_000, in: count) + " GB"
        }
    }

    private static func tenths(of unit: Int, in count: Int) -> String {
        // Divided first, so that the largest number does not overflow.
        let tenths = count / (unit / 10) + (count % (unit / 10) >= unit / 20 ? 1 : 0)
        return "\(tenths / 10)\(Formats.current.numbers.decimalMark)\(tenths % 10)"
    }
}
