@testable import HTMLDocument

/// Text that becomes markup if a single sign is not escaped. Each sign is next to letters and marks that Swift
/// combines with it into one Character, and browsers do not.
enum HostileText {
    /// Letters that combine with the next sign: Malayalam, Kaithi, Arabic.
    static let letters = ["", "\u{D4E}", "\u{110BD}", "\u{600}"]
    static let signs = ["\"", "'", "<", ">", "&"]
    /// Marks that combine with the previous sign.
    static let marks = ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{E0100}"]

    /// Every combination, each followed by a would-be attribute or element.
    static let all = letters.flatMap { letter in
        signs.flatMap { sign in marks.map { "\(letter)\(sign)\($0)probe\(letter) " } }
    }.joined()

    /// Short enough for a name: would end an attribute and its tag, and begin an element.
    static let short = "a\u{D4E}\"\u{301} probe=x \u{D4E}>\u{D4E}<probe probe=\u{D4E}'\u{20DD}"
}

/// A page's elements with the names of their attributes, in order.
struct Markup: Equatable {
    private(set) var tags: [String] = []
    /// How often each of these signs is in the page. Escaped text adds none.
    private(set) var signs: [String: Int] = [:]

    init(_ html: String) throws {
        var tags: [String] = []
        try HTMLDocument.walk(html.utf8) { piece in
            if case .start(let element) = piece {
                tags.append(([element.name] + element.attributes.map(\.name)).joined(separator: " "))
            }
            return true
        }
        self.tags = tags
        for sign in ["\"", "'", "<", ">"] {
            signs[sign] = html.utf8.count { $0 == sign.utf8.first }
        }
    }
}
