/// Parses GitHub's search syntax for pull requests and repositories.
///
/// Source: docs.github.com, "Searching issues and pull requests". Anything but a qualifier is a search word.
struct SearchQuery: Sendable {
    struct Qualifier: Sendable, Equatable {
        let name: String
        let value: String
        let isNegated: Bool
    }

    private(set) var qualifiers: [Qualifier] = []
    private(set) var words: [String] = []
    private(set) var excludedWords: [String] = []

    /// - Parameter names: the names accepted before a colon
    init(_ text: String, names: Set<String> = Self.pullNames) {
        var isAfterNot = false
        for term in Self.terms(text) {
            guard term != "NOT" else {
                isAfterNot = true
                continue
            }
            let hasMinus = term.first == "-" && term.count > 1
            let isNegated = hasMinus != isAfterNot
            isAfterNot = false
            let body = hasMinus ? term.dropFirst() : term[...]
            if let colon = body.firstIndex(of: ":"), names.contains(body[..<colon].lowercased()) {
                let value = body[body.index(after: colon)...]
                qualifiers.append(
                    Qualifier(
                        name: body[..<colon].lowercased(), value: Self.unquoted(value), isNegated: isNegated))
            } else if isNegated {
                excludedWords.append(Self.unquoted(body).lowercased())
            } else if !["AND", "OR"].contains(term) {
                words.append(Self.unquoted(body).lowercased())
            }
        }
    }

    func values(_ name: String) -> [String] { qualifiers.filter { $0.name == name }.map(\.value) }

    private static func terms(_ text: String) -> [String] {
        var terms: [String] = []
        var term = ""
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character.isWhitespace, !isQuoted {
                if !term.isEmpty { terms.append(term) }
                term = ""
            } else {
                term.append(character)
            }
        }
        return term.isEmpty ? terms : terms + [term]
    }

    private static func unquoted(_ text: Substring) -> String { String(text.filter { $0 != "\"" }) }

    static let pullNames: Set = [
        "is", "type", "state", "archived", "author", "assignee", "review-requested", "user-review-requested",
        "team-review-requested", "reviewed-by", "commenter", "mentions", "involves", "draft", "label", "repo",
        "org", "user", "review", "sort", "in", "created", "updated", "comments", "status", "no", "head",
        "base", "team", "merged", "closed", "language", "milestone", "sha", "project",
    ]
}
