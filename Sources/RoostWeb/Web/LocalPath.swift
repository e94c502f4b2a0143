/// A path of ours to come back to, never another site's address.
enum LocalPath {
    /// The path with its query if it leads nowhere else, or "/".
    static func checked(_ text: String?) -> String {
        guard let text, text.utf8.starts(with: "/".utf8), !text.utf8.starts(with: "//".utf8),
            !text.containsBytes("\\"), text.utf8.count <= 1_000,
            text.utf8.allSatisfy({ (33...126).contains($0) })
        else { return "/" }
        return text
    }
}
