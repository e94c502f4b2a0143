/// Names in a sentence: "Ada", "Ada and Grace", "Ada, Grace and Kurt".
enum NameList {
    /// - Parameter limit: more names than these are only counted
    static func text(_ names: [String], limit: Int = 12) -> String {
        var shown = Array(names.prefix(limit))
        if names.count > limit {
            let rest = names.count - limit
            shown.append(rest == 1 ? "1 other" : "\(rest) others")
        }
        guard shown.count > 1, let last = shown.popLast() else { return shown.first ?? "" }
        return shown.joined(separator: ", ") + " and " + last
    }
}
