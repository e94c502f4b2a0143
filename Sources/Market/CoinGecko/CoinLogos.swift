import Foundation
import RoostSupport

/// Coin logos from Roost's own picture cache, so that browsers contact no other server.
package struct CoinLogos: Sendable {
    let prices: PriceRefresher
    let pictures: PictureCache
    let source: CoinPictureSource

    /// Roost's path of a coin's logo, or nil if it is not cached yet. It is then fetched in the background and
    /// `Topic.pictures` is published. Only addresses from a coin's quote are ever fetched.
    package func logo(of coinId: String) -> String? { prices.quote(of: coinId).flatMap(logo) }

    package func logo(of quote: MarketQuote) -> String? {
        pictures.address(of: quote.imageURL, from: source)
    }
}

/// CoinGecko's pictures are on its own hosts. An address that the operator set may serve pictures too.
package struct CoinPictureSource: PictureSource {
    let home: String?

    package var webURL: String { home ?? "" }
    package var pictureURL: String { webURL }
    package var isTrusted: Bool { home != nil }
    package var externalHosts: Set<String>? { Self.hosts }

    private static let hosts: Set = [
        "coin-images.coingecko.com", "assets.coingecko.com", "static.coingecko.com",
    ]
}
