import Foundation
package import RoostSupport

/// The logos of coins, through Roost's own picture cache: browsers ask no other server for them.
package struct CoinLogos: Sendable {
    let prices: PriceRefresher
    let pictures: PictureCache
    let source: CoinPictureSource

    package init(prices: PriceRefresher, pictures: PictureCache, source: CoinPictureSource) {
        self.prices = prices
        self.pictures = pictures
        self.source = source
    }

    /// Roost's own path of a coin's logo; nil where it is not here yet: it is fetched in the background, and
    /// `Topic.pictures` tells when it has come. Only what a quote of the coin named is ever fetched.
    package func logo(of coinId: String) -> String? { prices.quote(of: coinId).flatMap(logo) }

    /// The same, of a quote at hand.
    package func logo(of quote: MarketQuote) -> String? {
        pictures.address(of: quote.imageURL, from: source)
    }
}

/// CoinGecko's pictures lie on hosts of its own; where the operator set another address, that may have some too.
package struct CoinPictureSource: PictureSource {
    /// "scheme://host:port" of an address that the operator set; nil for CoinGecko's own.
    let home: String?

    package init(home: String?) { self.home = home }

    package var webURL: String { home ?? "" }
    package var pictureURL: String { webURL }
    package var isTrusted: Bool { home != nil }
    package var strangerHosts: Set<String>? { Self.hosts }

    private static let hosts: Set = [
        "coin-images.coingecko.com", "assets.coingecko.com", "static.coingecko.com",
    ]
}
