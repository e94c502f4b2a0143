import Foundation
package import RoostSupport
import TextFormats

/// Coins that people link to: their names from CoinGecko's list, their prices as far as somebody watches them.
extension WatchlistService: LinkCards {
    private static let coinGeckoHosts: Set<String> = ["coingecko.com", "www.coingecko.com"]

    package func recognizes(_ link: WebLink) -> Bool { coinId(in: link) != nil }

    package func cards(for links: [WebLink], user: UserID) async throws -> [WebLink: LinkCard] {
        let snapshot = prices.snapshot
        var cards: [WebLink: LinkCard] = [:]
        for link in links {
            guard let coin = coinId(in: link).flatMap(catalog.coin) else { continue }
            cards[link] = LinkCard(coin, prices: snapshot)
        }
        return cards
    }

    /// "https://www.coingecko.com/en/coins/bitcoin"; Roost's own "/coins/bitcoin" and "/watchlist?q=bitcoin".
    private func coinId(in link: WebLink) -> String? {
        let path = link.path
        let id: String?
        if let host = link.host {
            guard Self.coinGeckoHosts.contains(host) else { return nil }
            // The first piece is a language, unless it is left out.
            let isCoin = path.count == 3 && path[1] == "coins" || path.count == 2 && path[0] == "coins"
            id = isCoin ? path.last : nil
        } else if path == ["watchlist"] {
            id = link.query["q"]
        } else {
            id = path.count == 2 && path[0] == "coins" ? path[1] : nil
        }
        return id.flatMap { WatchlistItem.isPossible($0) ? $0 : nil }
    }

    package var linkCommand: LinkCommand? {
        LinkCommand(name: "price", example: "/price bitcoin", words: "Shows a coin and its price.") {
            argument, _ in
            let coin = try self.coin(named: argument)
            // Who asks for a price wants it fetched, as who opens a page with it does.
            prices.want([coin.id])
            return "\(coin.name) /coins/\(PercentEncoding.encode(coin.id))"
        }
    }

    private func coin(named words: String) throws -> CoinListItem {
        let words = words.trimmed
        if let coin = catalog.likelyCoin(named: words) { return coin }
        guard catalog.count > 0 else {
            throw RoostError.invalid(
                field: "text", why: "The list of coins is not here yet. Please try again in a moment.")
        }
        throw RoostError.invalid(
            field: "text",
            why: words.isEmpty
                ? "Which coin? Write its name, so: /price bitcoin"
                : "CoinGecko lists no coin called “\(String(words.sanitized.unicodeScalars.prefix(60)))”."
        )
    }
}

extension LinkCard {
    fileprivate init(_ coin: CoinListItem, prices: PriceSnapshot) {
        let entry = prices.board[coin.id]
        var facts: [Fact] = []
        if let known = entry?.quote.coin, let price = known.currentPrice {
            facts.append(.price(price))
            if let change = known.priceChange24h { facts.append(.change(change)) }
        }
        if let entry, prices.isStale(entry) {
            let coinTime = prices.isCoinOld(entry.quote.coin) ? entry.quote.coin.lastUpdated : nil
            facts.append(.asOf(coinTime ?? entry.fetchedAt))
        }
        if facts.isEmpty { facts.append(.words("Price not known here")) }
        self.init(
            kind: "Coin", title: coin.name, subtitle: coin.shownSymbol.uppercased(), facts: facts,
            address: "/coins/\(PercentEncoding.encode(coin.id))")
    }
}
