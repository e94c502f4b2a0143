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
