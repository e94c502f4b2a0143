/// Sizes of files in words: "812 bytes", "48 KB", "2.4 MB".
enum ByteCountText {
    static func of(_ count: Int) -> String {
        switch count {
        case ..<1_000: return count == 1 ? "1 byte" : "\(max(0, count)) bytes"
        case ..<999_500: return "\((count + 500) / 1_000) KB"
        default:
            let tenths = (count + 50_000) / 100_000
            return "\(tenths / 10).\(tenths % 10) MB"
        }
    }
}
