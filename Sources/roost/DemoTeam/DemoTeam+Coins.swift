import Market
import RoostSupport

/// The visitor's coins, and the walls that show them.
extension DemoTeam {
    /// Fills two lists and makes a display of each; answers the secret of the first one's link.
    func watchCoins() async throws -> String {
        let visitor = try user(DemoPerson.visitor.username)
        let watchlist = services.watchlist
        // On a busy machine the simulated list takes a while.
        await services.catalog.waitUntilLoaded(within: .seconds(60))
        for coin in DemoCoins.watchlist { try await watchlist.add(coin, to: visitor) }
        let tokens = try await watchlist.addList(name: DemoCoins.tokensName, for: visitor)
        for coin in DemoCoins.tokens { try await watchlist.add(coin, to: visitor, list: tokens.id) }
        await services.prices.refresh()
        await attempt("coins") { try await noteCoins(for: visitor) }
        await attempt("alerts") {
            for alert in DemoCoins.alerts(to: try conversation("team")) {
                _ = try await services.alerts.add(alert, for: visitor)
            }
        }
        // Everybody in the office sees the walls: the lists' totals stay off them, as they are by themselves.
        let wall = try await services.displays.add("Office wall", for: visitor)
        let kitchen = try await services.displays.add("Kitchen", for: visitor)
        try await services.displays.change(
            kitchen.display.id, of: visitor, name: kitchen.display.name,
            settings: DisplaySettings(
                listId: tokens.id, perPage: 4, style: .cap, headline: "Tokens, and what they are worth"))
        for (display, address, reloads) in [
            (wall.display, "192.168.1.31", 12), (kitchen.display, "192.168.1.44", 3),
        ] {
            services.displays.markSeen(
                display, screen: ScreenReport(version: Roost.version, address: address, reloads: reloads))
        }
        return wall.token
    }

    /// Keeps the first display shown, as a screen in the office does, until cancelled.
    func showWall() async {
        while !Task.isCancelled {
            await attempt("wall") {
                let wall = try await services.displays.displays(of: user(DemoPerson.visitor.username)).first
                if let wall { services.displays.markSeen(wall) }
            }
            try? await Task.sleep(for: .seconds(DisplayService.presence / 3))
        }
    }

    /// What the visitor has written to coins and has of them, and columns that show it.
    private func noteCoins(for visitor: UserID) async throws {
        let watchlist = services.watchlist
        for (coin, note) in try DemoCoins.notes { try await watchlist.setNote(note, of: coin, for: visitor) }
        for holding in try DemoCoins.holdings { try await watchlist.addHolding(holding, for: visitor) }
        try await watchlist.addWallet(DemoCoins.wallet, for: visitor)
        let columns = WatchlistChoices.standardColumns + [.holdings, .profit]
        try await watchlist.setChoices(WatchlistChoices(columns: columns), for: visitor)
    }
}
