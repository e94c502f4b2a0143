package import Foundation

/// What Roost already knows of the thing behind a link, for one viewer.
package struct LinkCard: Hashable, Sendable {
    /// Something to be said of it; the page that shows it chooses the form.
    package enum Fact: Hashable, Sendable {
        /// A word or two: "Open", "Checks passed".
        case words(String)
        /// How many of what: 1,234 "stars".
        case count(Int, String)
        /// In the currency that Roost asks for.
        case price(Decimal)
        /// A percentage, of 24 hours.
        case change(Decimal)
        /// When the thing itself last changed.
        case updated(Date)
        /// When Roost heard of it, where that is long ago: what stands before it is old.
        case asOf(Date)
    }

    /// What kind of thing it is: "Pull request".
    package let kind: String
    package let title: String
    /// Empty for none.
    package let subtitle: String
    package let facts: [Fact]
    /// Where it leads: a path of Roost's own, or the address of a page elsewhere.
    package let address: String

    package init(kind: String, title: String, subtitle: String = "", facts: [Fact] = [], address: String) {
        self.kind = kind
        self.title = title
        self.subtitle = subtitle
        self.facts = facts
        self.address = address
    }

    /// Whether it leads out of Roost.
    var isElsewhere: Bool { !address.hasPrefix("/") }
}

/// A feature whose things people link to: it says what it knows of them.
///
/// It never asks an upstream for it, and tells a viewer nothing that he could not read on the feature's own pages.
package protocol LinkCards: Sendable {
    /// Whether a link has the form of those to this feature's things; says nothing of whether there is such a thing.
    func recognizes(_ link: WebLink) -> Bool

    /// Whether a link to any page elsewhere may be to a thing that the feature knows by its address.
    func mayKnow(_ link: WebLink) -> Bool

    /// What is known of the things behind these links and may be told to the user; those without such are left out.
    func cards(for links: [WebLink], user: UserID) async throws -> [WebLink: LinkCard]

    /// How people name such a thing without its address; nil: they cannot.
    var linkCommand: LinkCommand? { get }
}

extension LinkCards {
    package func mayKnow(_ link: WebLink) -> Bool { false }

    package var linkCommand: LinkCommand? { nil }
}

/// A word with which people name a thing instead of giving its address: "/price bitcoin".
package struct LinkCommand: Sendable {
    /// Letters in lower case, without the slash: "price".
    package let name: String
    /// An example of its argument, for a list of all commands: "bitcoin".
    package let example: String
    /// One sentence for that list.
    package let words: String
    /// The text with the link that says the same. Throws `RoostError.invalid(field: "text")` in words for what names
    /// nothing.
    package let text: @Sendable (_ argument: String, _ user: UserID) async throws -> String

    package init(
        name: String, example: String, words: String,
        text: @escaping @Sendable (_ argument: String, _ user: UserID) async throws -> String
    ) {
        self.name = name
        self.example = example
        self.words = words
        self.text = text
    }
}

/// A feature that keeps pages to read; it can save a link from anywhere in Roost.
package protocol ReadingListSaver: Sendable {
    /// Saves the page at an address, and answers at once what to tell the user, and where it is listed.
    ///
    /// - Parameter source: where the link stood: "chat"
    /// - Throws: `RoostError.invalid` in words for what is no web address
    func save(
        _ address: String, title: String?, from source: String, for user: UserID
    ) async throws -> (message: String, path: String)
}
