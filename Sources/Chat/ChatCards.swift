package import RoostSupport

/// What Roost knows of the things that messages link to, as far as the reader may know it.
package struct ChatCards: Sendable {
    /// Cards of one message at most; further links are links and nothing more.
    package static let limit = 5

    private let providers: [any LinkCards]

    package init(_ providers: [any LinkCards]) {
        self.providers = providers
    }

    /// Whether a link in the text has a form that may have a card, for whomever: says nothing of what there is.
    ///
    /// - Parameter isOwnHost: whether this Roost is reached under a host ("192.168.1.5:8080")
    package func mayHaveCards(_ text: String, isOwnHost: (String) -> Bool) -> Bool {
        !links(in: text, isOwnHost).isEmpty
    }

    /// The cards of each of these texts, in the order of its links, and each thing once a text.
    ///
    /// A page of messages asks once for all of them: the number of statements does not grow with theirs.
    package func cards(
        in texts: [String], for user: UserID, isOwnHost: (String) -> Bool
    ) async throws -> [[LinkCard]] {
        let links = texts.map { self.links(in: $0, isOwnHost) }
        let all = Set(links.joined())
        var cards: [WebLink: LinkCard] = [:]
        for provider in providers {
            let named = all.filter { link in
                cards[link] == nil && (provider.recognizes(link) || provider.mayKnow(link))
            }
            guard !named.isEmpty else { continue }
            cards.merge(try await provider.cards(for: Array(named), user: user)) { first, _ in first }
        }
        return links.map { links in
            var seen: Set<LinkCard> = []
            return links.compactMap { cards[$0] }.filter { seen.insert($0).inserted }
        }
    }

    /// The first few links that may have a card.
    private func links(in text: String, _ isOwnHost: (String) -> Bool) -> [WebLink] {
        var links: [WebLink] = []
        for place in LinkFinder.places(in: text) where links.count < Self.limit {
            // With its host first: a GitHub of the LAN may have an address that could be Roost's as well.
            let readings = [WebLink(place.address), WebLink(place.address, isOwnHost: isOwnHost)]
            let known = readings.compactMap(\.self).first { link in
                providers.contains { $0.recognizes(link) }
            }
            let link =
                known
                ?? readings.last?.flatMap { link in
                    providers.contains { $0.mayKnow(link) } ? link : nil
                }
            guard let link, !links.contains(link) else { continue }
            links.append(link)
        }
        return links
    }
}
