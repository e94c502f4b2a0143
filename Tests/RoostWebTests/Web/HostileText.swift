@testable import HTMLDocument

/// Strangers' text that would be markup if one sign went out raw: each sign beside the letters and marks that Swift
/// joins to one Character with it, and browsers do not.
enum HostileText {
    /// They take the next sign into their Character: Malayalam, Kaithi, Arabic.
    static let letters = ["", "\u{D4E}", "\u{110BD}", "\u{600}"]
    static let signs = ["\"", "'", "<", ">", "&"]
    /// They go into the Character of the sign before them.
    static let marks = ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{E0100}"]

    /// Every combination: what follows would be an attribute or an element.
    static let all = letters.flatMap { letter in
        signs.flatMap { sign in marks.map { "\(letter)\(sign)\($0)probe\(letter) " } }
    }.joined()

    /// Short enough for a name: would end an attribute and its tag, and begin an element.
    static let short = "a\u{D4E}\"\u{301} probe=x \u{D4E}>\u{D4E}<probe probe=\u{D4E}'\u{20DD}"
}

/// The elements of a page with the names of their attributes, in their order.
struct Markup: Equatable {
    private(set) var tags: [String] = []
    /// How many of each of these signs stand in the page: text adds none.
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
