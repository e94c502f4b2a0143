package import Accounts
package import RoostSupport
package import TextFormats

/// A kind of things that the search of everything finds.
package struct SearchKind: Sendable {
    /// In addresses and JSON: "articles".
    package let id: String
    package let name: String
    /// The id of a symbol in `Public/icons/roost.svg`.
    package let icon: String
    /// The page with all matches, or nil if the kind has no such page.
    package let allAddress: (@Sendable (SiteSearchQuery) -> String)?

    package init(
        _ id: String, _ name: String, icon: String, allAddress: (@Sendable (SiteSearchQuery) -> String)? = nil
    ) {
        self.id = id
        self.name = name
        self.icon = icon
        self.allAddress = allAddress
    }
}

/// What a feature contributes to the search of everything.
package struct SearchSource: Sendable {
    /// Returns the results of each kind: what this user may see, the best matches first, at most the query's limit. For
    /// an empty text, returns what the user is likely to want next, or nothing.
    ///
    /// Asks no upstream and needs an index for whatever may be long. Throws database errors.
    package typealias Find = @Sendable (Reads, SiteSearchQuery, User) throws -> [[SearchResult]]

    package let kinds: [SearchKind]
    package let find: Find

    /// Several kinds that are searched together.
    package init(_ kinds: [SearchKind], find: @escaping Find) {
        self.kinds = kinds
        self.find = find
    }

    package init(
        _ kind: SearchKind, find: @escaping @Sendable (Reads, SiteSearchQuery, User) throws -> [SearchResult]
    ) {
        self.init([kind]) { [try find($0, $1, $2)] }
    }
}

package struct SiteSearchQuery: Sendable {
    /// In code points. Longer input is cut off.
    private static let maximumLength = 200

    /// Trimmed at its start. A space at the end says that the last word is complete.
    package let text: String
    package let limit: Int
    private let filter: TextFilter

    package init(_ text: String, limit: Int) {
        let sanitized = String(Substring(text.sanitized.unicodeScalars.prefix(Self.maximumLength)))
        let trimmed = sanitized.trimmed
        let isFinished = !trimmed.isEmpty && sanitized.unicodeScalars.last?.properties.isWhitespace == true
        self.text = isFinished ? trimmed + " " : trimmed
        self.limit = limit
        filter = TextFilter(trimmed, ignoresAccents: true)
    }

    package var isEmpty: Bool { text.isEmpty }
    /// The text for an address.
    package var encoded: String { PercentEncoding.encode(text.trimmed) }

    /// Returns true if each word occurs in one of the lines. For short lists; longer ones need an index.
    package func matches(_ lines: [String]) -> Bool {
        filter.matches([FoldedText(lines: lines, ignoresAccents: true)])
    }
}

package struct SearchResult: Sendable {
    package let title: String
    /// Soft facts, such as the site of an article.
    package let detail: String
    /// The matching part of a text.
    package let excerpt: [SearchSnippet.Piece]
    /// A path within Roost, or the address of a page elsewhere.
    package let address: String
    /// Shown in place of the kind's icon.
    package let person: PersonView?
    /// For what is done rather than opened.
    package let command: SearchCommand?
    /// True if it only resembles what was typed. Such results come last.
    package let isGuess: Bool

    package init(
        _ title: String, detail: String = "", excerpt: [SearchSnippet.Piece] = [], at address: String,
        person: PersonView? = nil, command: SearchCommand? = nil, isGuess: Bool = false
    ) {
        self.title = title
        self.detail = detail
        self.excerpt = excerpt
        self.address = address
        self.person = person
        self.command = command
        self.isGuess = isGuess
    }
}

/// Something to do that the search of everything offers, contributed by a feature.
package struct SearchCommand: Sendable {
    package let name: String
    /// Other words that find it.
    package let otherWords: String
    package let address: String
    /// The field of a form that is posted to `address`, or nil for a link.
    package let field: Field?
    package let isForOwners: Bool
    /// Shown before anything is typed.
    package let isOffered: Bool

    package struct Field: Sendable {
        package let name, value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ name: String, or otherWords: String = "", at address: String, posting field: Field? = nil,
        isForOwners: Bool = false, isOffered: Bool = false
    ) {
        self.name = name
        self.otherWords = otherWords
        self.address = address
        self.field = field
        self.isForOwners = isForOwners
        self.isOffered = isOffered
    }
}
