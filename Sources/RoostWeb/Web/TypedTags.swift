/// Tags as they are typed: separated by commas.
enum TypedTags {
    static func read(_ text: String) -> [String] {
        text.splitBytes(at: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map { part in
            var part = part
            while part.last?.isWhitespace == true { part.removeLast() }
            return String(part)
        }
        .filter { !$0.isEmpty }
    }

    static func text(_ tags: [String]) -> String { tags.joined(separator: ", ") }
}
