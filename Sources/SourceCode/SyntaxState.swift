/// What a line inherits from the lines before it, such as an open comment.
struct SyntaxState: Equatable {
    enum Mode: Equatable {
        case plain
        /// `pair` is an index of the language's block comments or strings.
        case comment(pair: Int, depth: Int)
        case string(pair: Int)
        /// Until a line with this word.
        case heredoc(end: [UInt8])
        /// A YAML text whose lines are indented by more than this number of spaces.
        case block(indentation: Int)
        /// Inside a tag of HTML; in an attribute's value if there is a quote. `content` is the language of the element.
        case tag(quote: UInt8?, content: Embedded?)
    }

    /// Another language inside HTML or Markdown.
    enum Embedded: Equatable {
        case script, style
        /// A block of Markdown that ends with a line of at least `count` of these signs.
        case fence(sign: UInt8, count: Int, language: String)

        var language: SyntaxLanguage? {
            switch self {
            case .script: .javaScript
            case .style: .style
            case .fence(_, _, let name): .named(name)
            }
        }
    }

    var mode = Mode.plain
    var embedded: Embedded?

    init() {}

    /// Guesses whether a hunk begins inside a block comment: a comment ends in it before one begins, or its first line
    /// has the star that comments are decorated with.
    init(before lines: [PatchParser.Line], _ bytes: [UInt8], _ language: SyntaxLanguage) {
        guard let pair = language.blockComments.first, pair.open == Array("/*".utf8) else { return }
        if Self.beginsWithStar(lines, bytes) || Self.endsFirst(lines, bytes) {
            mode = .comment(pair: 0, depth: 1)
        }
    }

    private static func beginsWithStar(_ lines: [PatchParser.Line], _ bytes: [UInt8]) -> Bool {
        for line in lines {
            let text = bytes[line.content].drop(while: \.isBlank)
            guard text.first == UInt8(ascii: "*") else {
                // A blank line says nothing.
                if text.isEmpty { continue }
                return false
            }
            return text.count == 1 || [UInt8(ascii: " "), UInt8(ascii: "/")].contains(text.dropFirst().first)
        }
        return false
    }

    private static func endsFirst(_ lines: [PatchParser.Line], _ bytes: [UInt8]) -> Bool {
        for line in lines {
            let content = line.content
            for index in content.dropLast() {
                let (one, two) = (bytes[index], bytes[index + 1])
                if one == UInt8(ascii: "/"), two == UInt8(ascii: "*") || two == UInt8(ascii: "/") {
                    // A line comment may contain anything.
                    if two == UInt8(ascii: "/") { break }
                    return false
                }
                // A file pattern such as "**/*.js" does not end a comment.
                let isEnd = one == UInt8(ascii: "*") && two == UInt8(ascii: "/")
                if isEnd { return index + 2 == content.upperBound || bytes[index + 2].isBlank }
            }
        }
        return false
    }
}
