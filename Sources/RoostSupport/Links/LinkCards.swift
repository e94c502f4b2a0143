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
