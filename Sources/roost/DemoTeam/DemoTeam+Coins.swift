import Market
import RoostSupport

/// The visitor's coins and displays.
extension DemoTeam {
    /// Fills two lists, makes a display of each, and returns the first display's link secret.
    func watchCoins() async throws -> String {
        let visitor = try user(DemoPerson.visitor.username)
        let watchlist = services.market.watchlist
        // On a busy machine the simulated list takes a while.
        await services.market.catalog.waitUntilLoaded(within: .seconds(60))
        for coin in DemoCoins.watchlist { try await watchlist.add(coin, to: visitor) }
        let tokens = try await watchlist.addList(name: DemoCoins.tokensName, for: visitor)
        for coin in DemoCoins.tokens { try await watchlist.add(coin, to: visitor, list: tokens.id) }
        // A refresh that began with the first coin ends without the others: only the second one has all of them.
        for _ in 1...2 { await services.market.prices.refresh() }
        await attempt("coins") { try await noteCoins(for: visitor) }
        await attempt("alerts") {
            for alert in DemoCoins.alerts(to: try conversation("team")) {
                _ = try await services.market.alerts.add(alert, for: visitor)
            }
        }
        // Everybody in the office sees the walls: the lists' totals stay off them, as they are by themselves.
        let wall = try await services.market.displays.add("Office wall", for: visitor)
        let kitchen = try await services.market.displays.add("Kitchen", for: visitor)
        try await services.market.displays.change(
            kitchen.display.id, of: visitor, name: kitchen.display.name,
            settings: DisplaySettings(
                listId: tokens.id, perPage: 4, style: .cap, headline: "Tokens, and what they are worth"))
        for (display, address, reloads) in [
            (wall.display, "192.168.1.31", 12), (kitchen.display, "192.168.1.44", 3),
        ] {
            services.market.displays.markSeen(
                display, screen: ScreenReport(version: Roost.version, address: address, reloads: reloads))
        }
        return wall.token
    }

    /// Keeps the first display online until cancelled.
    func showWall() async {
        while !Task.isCancelled {
            await attempt("wall") {
                let wall = try await services.market.displays.displays(of: user(DemoPerson.visitor.username))
                    .first
                if let wall { services.market.displays.markSeen(wall) }
            }
            try? await Task.sleep(for: .seconds(DisplayService.presence / 3))
        }
    }

    /// Adds the visitor's notes and holdings, and the columns that show them and fit on a page of 1280 px.
    private func noteCoins(for visitor: UserID) async throws {
        let watchlist = services.market.watchlist
        for (coin, note) in try DemoCoins.notes { try await watchlist.setNote(note, of: coin, for: visitor) }
        for holding in try DemoCoins.holdings { try await watchlist.addHolding(holding, for: visitor) }
        try await watchlist.addWallet(DemoCoins.wallet, for: visitor)
        var preferences = WatchlistPreferences()
        preferences.columns = [.change24h, .change7d, .sparkline, .holdings, .profit]
        try await watchlist.setPreferences(preferences, of: visitor)
    }
}
