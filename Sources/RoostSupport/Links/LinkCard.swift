package import Foundation

/// What Roost has stored about a link's target, for one viewer.
package struct LinkCard: Hashable, Sendable {
    package enum Fact: Hashable, Sendable {
        /// A word or two, such as "Open" or "Checks passed".
        case text(String)
        /// A number and its noun, such as 1,234 "stars".
        case count(Int, String)
        /// In Roost's currency.
        case price(Decimal)
        case change(Decimal)
        case updated(Date)
        /// When Roost fetched the data, if that is long ago.
        case asOf(Date)
    }

    /// The kind of thing, such as "Pull request".
    package let kind: String
    package let title: String
    package let subtitle: String
    package var facts: [Fact]
    /// A path within Roost, or the address of a page elsewhere.
    package let address: String

    package init(kind: String, title: String, subtitle: String = "", facts: [Fact] = [], address: String) {
        self.kind = kind
        self.title = title
        self.subtitle = subtitle
        self.facts = facts
        self.address = address
    }
}

/// A feature that can describe the targets of links.
///
/// It waits for no upstream, and reveals nothing that the viewer could not see on the feature's own pages.
package protocol LinkCards: Sendable {
    /// Returns true if the link has the form of this feature's links. The target need not exist.
    func recognizes(_ link: WebLink) -> Bool

    /// Returns true if the feature may know a page elsewhere by its address.
    func mayKnow(_ link: WebLink) -> Bool

    /// Returns cards for the links whose targets are known and visible to the user.
    func cards(_ reads: Reads, for links: [WebLink], user: UserID) throws -> [WebLink: LinkCard]

    var linkCommand: LinkCommand? { get }

    /// The topics that this user's cards depend on.
    func topics(of user: UserID) -> [String]

    /// The names of the topics that an open page follows, to show cards as they are now.
    var topicNames: [String] { get }
}

extension LinkCards {
    package func mayKnow(_ link: WebLink) -> Bool { false }

    package var linkCommand: LinkCommand? { nil }

    package func topics(of user: UserID) -> [String] { [] }

    package var topicNames: [String] { [] }
}

package struct LinkCommand: Sendable {
    /// In lower case letters, without the slash.
    package let name: String
    package let example: String
    package let summary: String
    /// Returns the text with the link. Throws `RoostError.invalid(field: "text")` if the argument matches nothing.
    package let text: @Sendable (_ argument: String, _ user: UserID) async throws -> String

    package init(
        name: String, example: String, summary: String,
        text: @escaping @Sendable (_ argument: String, _ user: UserID) async throws -> String
    ) {
        self.name = name
        self.example = example
        self.summary = summary
        self.text = text
    }
}

/// A reading list to which links can be saved from anywhere in Roost.
package protocol ReadingListSaver: Sendable {
    /// Saves the page in the background, and returns a message for the user and the path of the list.
    ///
    /// - Parameter source: the feature that the link comes from, such as "chat"
    /// - Throws: `RoostError.invalid` if it is not a web address
    func save(
        _ address: String, title: String?, from source: String, for user: UserID
    ) async throws -> (message: String, path: String)
}
