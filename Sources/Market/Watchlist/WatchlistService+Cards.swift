import Foundation
package import RoostSupport
import TextFormats

/// Link cards for coins: the name comes from CoinGecko's list, and the price is shown if it is already in memory.
extension WatchlistService: LinkCards {
    package func topics(of user: UserID) -> [String] { [Topic.watchlist(user), Topic.allPrices] }

    private static let coinGeckoHosts: Set<String> = ["coingecko.com", "www.coingecko.com"]

    package func recognizes(_ link: WebLink) -> Bool { coinId(in: link) != nil }

    package func cards(_ reads: Reads, for links: [WebLink], user: UserID) throws -> [WebLink: LinkCard] {
        let snapshot = prices.snapshot
        var cards: [WebLink: LinkCard] = [:]
        for link in links {
            guard let coin = coinId(in: link).flatMap(catalog.coin) else { continue }
            cards[link] = LinkCard(coin, prices: snapshot)
        }
        return cards
    }

    /// Accepts "https://www.coingecko.com/en/coins/bitcoin", and Roost's own "/coins/bitcoin" and
    /// "/watchlist?q=bitcoin".
    private func coinId(in link: WebLink) -> String? {
        let path = link.path
        let id: String?
        if let host = link.host {
            guard Self.coinGeckoHosts.contains(host) else { return nil }
            // The first path component is a language, which may be missing.
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
        LinkCommand(name: "price", example: "/price bitcoin", summary: "Shows a coin and its price.") {
            argument, _ in
            let coin = try self.coin(named: argument)
            // The command counts as a view of the coin's price.
            prices.watch([coin.id])
            return "\(coin.name) /coins/\(PercentEncoding.encode(coin.id))"
        }
    }

    private func coin(named text: String) throws -> CoinListItem {
        let text = text.trimmed
        if let coin = catalog.likelyCoin(named: text) { return coin }
        guard catalog.count > 0 else {
            throw RoostError.invalid(
                field: "text", why: "The coin list is still loading. Please try again in a moment.")
        }
        throw RoostError.invalid(
            field: "text",
            why: text.isEmpty
                ? "Which coin? Type its name: /price bitcoin"
                : "CoinGecko has no coin called “\(String(text.sanitized.unicodeScalars.prefix(60)))”."
        )
    }
}

extension LinkCard {
    fileprivate init(_ coin: CoinListItem, prices: PriceSnapshot) {
        let entry = prices.table[coin.id]
        var facts: [Fact] = []
        if let latest = entry?.quote.coin, let price = latest.currentPrice {
            facts.append(.price(price))
            if let change = latest.priceChange24h { facts.append(.change(change)) }
        }
        if let entry, prices.isStale(entry) {
            let coinTime = prices.isCoinOld(entry.quote.coin) ? entry.quote.coin.lastUpdated : nil
            facts.append(.asOf(coinTime ?? prices.fetchedAt(entry)))
        }
        if facts.isEmpty { facts.append(.text("Price unknown")) }
        self.init(
            kind: "Coin", title: coin.name, subtitle: coin.shownSymbol.uppercased(), facts: facts,
            address: "/coins/\(PercentEncoding.encode(coin.id))")
    }
}
