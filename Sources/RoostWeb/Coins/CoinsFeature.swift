import Accounts
import HTTPServer

/// The pages of coins; prices and charts are the watchlist's topics.
struct CoinsFeature: Feature {
    /// A part of a coin's page that another feature makes: of the coin's id and name.
    typealias Panel =
        @Sendable (_ coinId: String, _ name: String, Request, User, WebContext) async throws -> RenderedView

    /// The part about the coin's alerts.
    let alerts: Panel

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        CoinController(site: guarded.site, alerts: alerts).routes(guarded)
    }
}
