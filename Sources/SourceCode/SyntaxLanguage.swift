/// How a language writes comments, strings and names: a row of the tables that `SyntaxTokenizer` works with.
final class SyntaxLanguage: Sendable {
    enum Form: Sendable {
        /// Words, strings and comments, described by the other fields.
        case code
        /// HTML and XML.
        case markup
        case style
        case yaml
        case markdown
    }

    struct Pair: Sendable {
        let open: [UInt8]
        let close: [UInt8]
        var escapes = true
        var spansLines = false
        /// True for comments that can be inside each other.
        var nests = false

        init(
            _ open: String, _ close: String, escapes: Bool = true, spansLines: Bool = false,
            nests: Bool = false
        ) {
            self.open = Array(open.utf8)
            self.close = Array(close.utf8)
            self.escapes = escapes
            self.spansLines = spansLines
            self.nests = nests
        }
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        static let foldsCase = Traits(rawValue: 1 << 0)
        /// Names that begin with a capital are types.
        static let capitalTypes = Traits(rawValue: 1 << 1)
        /// A name in front of a parenthesis is a function, even with a capital.
        static let capitalCalls = Traits(rawValue: 1 << 2)
        /// 'a' is a character; a quote may also be something else, such as a lifetime in Rust.
        static let characters = Traits(rawValue: 1 << 3)
        /// @name
        static let attributes = Traits(rawValue: 1 << 4)
        /// #include, #if
        static let directives = Traits(rawValue: 1 << 5)
        /// #[...]
        static let bracketAttributes = Traits(rawValue: 1 << 6)
        /// /expression/
        static let expressions = Traits(rawValue: 1 << 7)
        /// <Name> inside code
        static let tags = Traits(rawValue: 1 << 8)
        /// $name
        static let variables = Traits(rawValue: 1 << 9)
        /// <<END
        static let heredocs = Traits(rawValue: 1 << 10)
        /// A string in front of a colon is a key.
        static let stringKeys = Traits(rawValue: 1 << 11)
        /// Lines are "key = value", in sections with [names].
        static let keyLines = Traits(rawValue: 1 << 12)
        /// "name:" at the beginning of a line is a rule.
        static let rules = Traits(rawValue: 1 << 13)
        /// Comments begin only behind a blank.
        static let spacedComments = Traits(rawValue: 1 << 14)
        /// Only the first word of a line can be a keyword.
        static let firstWords = Traits(rawValue: 1 << 15)
    }

    let name: String
    let form: Form
    let traits: Traits
    let keywords: Set<ByteHash>
    let types: Set<ByteHash>
    let lineComments: [[UInt8]]
    let blockComments: [Pair]
    let strings: [Pair]
    /// Code inside strings, such as `${` with its `}`.
    let interpolations: [Pair]
    /// For each byte: true if it continues a name.
    let isName: [Bool]
    /// For each byte: true if a comment or a string may begin with it.
    let isSpecial: [Bool]

    init(
        _ name: String, _ form: Form = .code, traits: Traits = [], keywords: String = "", types: String = "",
        lineComments: [String] = [], blockComments: [Pair] = [], strings: [Pair] = [],
        interpolations: [Pair] = [], nameSigns: String = "_"
    ) {
        self.name = name
        self.form = form
        self.traits = traits
        self.keywords = Self.table(keywords)
        self.types = Self.table(types)
        self.lineComments = lineComments.map { Array($0.utf8) }
        self.blockComments = blockComments
        self.strings = strings
        self.interpolations = interpolations
        var isName = [Bool](repeating: false, count: 256)
        for byte in 0..<256 where byte >= 0x80 || UInt8(byte).isLetterOrDigit { isName[byte] = true }
        for byte in nameSigns.utf8 { isName[Int(byte)] = true }
        self.isName = isName
        var isSpecial = [Bool](repeating: false, count: 256)
        for open in self.lineComments + (blockComments + strings).map(\.open) {
            if let first = open.first { isSpecial[Int(first)] = true }
        }
        self.isSpecial = isSpecial
    }

    private static func table(_ words: String) -> Set<ByteHash> {
        Set(words.utf8.split(separator: UInt8(ascii: " ")).map { ByteHash(Substring($0)) })
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isUpper: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    var isLetter: Bool { isUpper || self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    var isLetterOrDigit: Bool { isLetter || isDigit }
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
