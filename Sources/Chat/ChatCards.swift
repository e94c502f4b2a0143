package import RoostSupport

/// Cards for the links in messages, limited to what the reader may see.
package struct ChatCards: Sendable {
    /// Per message; further links get no card.
    package static let limit = 5

    private let providers: [any LinkCards]

    package init(_ providers: [any LinkCards]) {
        self.providers = providers
    }

    /// The topics that cards for this user depend on.
    package func topics(of user: UserID) -> [String] { providers.flatMap { $0.topics(of: user) } }

    /// The names of the topics that an open conversation follows.
    package var topicNames: [String] { providers.flatMap(\.topicNames) }

    /// Whether a link in the text has a form that may have a card. It says nothing about what exists.
    ///
    /// - Parameter isOwnHost: whether this Roost is reached at a host ("192.168.1.5:8080")
    package func mayHaveCards(_ text: String, isOwnHost: (String) -> Bool) -> Bool {
        !links(in: text, isOwnHost).isEmpty
    }

    /// Returns each text's cards in the order of its links, without duplicates. Call it once for a page of messages:
    /// the number of statements does not depend on the number of texts.
    package func cards(
        _ reads: Reads, in texts: [String], for user: UserID, isOwnHost: (String) -> Bool
    ) throws -> [[LinkCard]] {
        let links = texts.map { self.links(in: $0, isOwnHost) }
        let all = Set(links.joined())
        var cards: [WebLink: LinkCard] = [:]
        for provider in providers {
            let supported = all.filter { link in
                cards[link] == nil && (provider.recognizes(link) || provider.mayKnow(link))
            }
            guard !supported.isEmpty else { continue }
            cards.merge(try provider.cards(reads, for: Array(supported), user: user)) { first, _ in first }
        }
        return links.map { links in
            var seen: Set<LinkCard> = []
            return links.compactMap { cards[$0] }.filter { seen.insert($0).inserted }
        }
    }

    private func links(in text: String, _ isOwnHost: (String) -> Bool) -> [WebLink] {
        var links: [WebLink] = []
        for match in LinkFinder.matches(in: text) where links.count < Self.limit {
            // First as a link to another host: an address on a local GitHub server may look like one of Roost's.
            let candidates = [WebLink(match.address), WebLink(match.address, isOwnHost: isOwnHost)]
            let recognized = candidates.compactMap(\.self).first { link in
                providers.contains { $0.recognizes(link) }
            }
            let link =
                recognized
                ?? candidates.last?.flatMap { link in
                    providers.contains { $0.mayKnow(link) } ? link : nil
                }
            guard let link, !links.contains(link) else { continue }
            links.append(link)
        }
        return links
    }
}
