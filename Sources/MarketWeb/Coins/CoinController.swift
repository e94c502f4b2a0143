import Accounts
import Foundation
import HTTPServer
package import Market
import RoostSupport
package import RoostWeb

/// `/coins/COIN`: a coin's price, chart and figures, and the user's notes, holdings and wallets.
struct CoinController: Sendable {
    let site: WebContext
    let services: MarketServices
    private var watchlist: WatchlistService { services.watchlist }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/coins/{coinId}", topics: { pageTopics($0, $1) }, page),
            guarded.fragment(
                "/coins/{coinId}/live", topics: { topics($0.parameters["coinId"], $1) }
            ) { try liveView($0, of: $1.parameters["coinId"], Self.range($1), $2).view },
            guarded.member(.post, "/coins/{coinId}/refresh", refresh),
            guarded.member(.post, "/coins/{coinId}/note", setNote),
            guarded.member(.post, "/coins/{coinId}/holdings", saveHolding),
            guarded.member(.post, "/coins/{coinId}/holdings/{id}", saveHolding),
            guarded.member(.post, "/coins/{coinId}/holdings/{id}/remove", removeHolding),
            guarded.member(.post, "/coins/{coinId}/holdings/{id}/undo", undoHolding),
            guarded.member(.post, "/coins/{coinId}/wallets", saveWallet),
            guarded.member(.post, "/coins/{coinId}/wallets/{id}", saveWallet),
            guarded.member(.post, "/coins/{coinId}/wallets/{id}/remove", removeWallet),
            guarded.member(.post, "/coins/{coinId}/wallets/{id}/undo", undoWallet),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> CoinView {
        try view(reads, request, user)
    }

    private func topics(_ coinId: String, _ user: User) -> [String] {
        [Topic.allPrices, Topic.watchlist(user.userId), Topic.pictures, Topic.chart(coinId)]
    }

    /// The alert form lists the user's conversations by name.
    private func pageTopics(_ request: Request, _ user: User) -> [String] {
        topics(request.parameters["coinId"], user)
            + [Topic.coins, Topic.alerts(user.userId)] + services.alerts.conversationTopics(of: user.userId)
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (coin, range) = (
            try await coin(request, user), Self.range(request)
        )
        let currency = try await watchlist.currency(of: user.userId)
        let page = Self.address(coin.id) + "?range=\(range.rawValue)"
        guard case .mustWait = services.charts.retry(coin.id, range, in: currency) else {
            return site.answer(request, page: page, to: user)
        }
        let error = services.charts.chart(of: coin.id, range: range, in: currency).error
        let notice = error.map {
            NoticeView(text: $0.message(source: PriceRefresher.source), isProblem: true)
        }
        return site.answer(request, page: page, showing: notice, to: user)
    }

    private func setNote(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await save(request, user, fields: ["note", "category"]) { coin, form in
            let note = try CoinNote(note: form["note"] ?? "", category: form["category"] ?? "")
            try await watchlist.setNote(note, of: coin.id, for: user.userId)
        } refused: { own, state in
            own.noteForm = state
        }
    }

    private func saveHolding(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try Self.number(request)
        let fields = ["amount", "price", "currency", "boughtOn", "note"]
        return try await save(request, user, fields: fields) { coin, form in
            let numbers = Formats.current.numbers
            let holding = try NewHolding(
                coinId: coin.id, amountText: numbers.plain(form["amount"] ?? ""),
                priceText: form["price"].map(numbers.plain),
                currency: form["currency"], boughtOn: form["boughtOn"], note: form["note"])
            if let id {
                try await watchlist.editHolding(id, to: holding, for: user.userId)
            } else {
                try await watchlist.addHolding(holding, for: user.userId)
            }
        } refused: { own, state in
            (own.holdingForm, own.editedHolding) = (state, id)
        }
    }

    private func removeHolding(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        let removed = try await watchlist.removeHolding(try Self.requiredNumber(request), of: user.userId)
        return done(
            "The holding was removed.", coin, user,
            undo: "\(Self.address(coin.id))/holdings/\(removed.id)/undo")
    }

    private func undoHolding(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        try await watchlist.undoRemoveHolding(try Self.requiredNumber(request), of: user.userId)
        return done(nil, coin, user)
    }

    private func saveWallet(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try Self.number(request)
        return try await save(request, user, fields: ["address", "label"]) { coin, form in
            let wallet = try NewWallet(
                coinId: coin.id, address: form["address"] ?? "", label: form["label"] ?? "")
            if let id {
                try await watchlist.editWallet(id, to: wallet, for: user.userId)
            } else {
                try await watchlist.addWallet(wallet, for: user.userId)
            }
        } refused: { own, state in
            (own.walletForm, own.editedWallet) = (state, id)
        }
    }

    private func removeWallet(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        let removed = try await watchlist.removeWallet(try Self.requiredNumber(request), of: user.userId)
        return done(
            "The wallet was removed.", coin, user,
            undo: "\(Self.address(coin.id))/wallets/\(removed.id)/undo")
    }

    private func undoWallet(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        try await watchlist.undoRemoveWallet(try Self.requiredNumber(request), of: user.userId)
        return done(nil, coin, user)
    }

    /// Saves a form. If `work` throws, shows the page again; `refused` puts the rejected form into it.
    private func save(
        _ request: Request, _ user: User, fields: [String],
        _ work: (CoinLiveView.Coin, Form) async throws -> Void,
        refused: (inout CoinView.Own, FormState) -> Void
    ) async throws -> HandlerResult {
        let form = try request.form()
        let coin = try await coin(request, user)
        do { try await work(coin, form) } catch {
            let fault = try FormError(error, form, keeping: fields)
            return fault.answer(
                try await site.html { reads in
                    try view(reads, request, user) { refused(&$0, fault.form) }
                })
        }
        return done("Saved.", coin, user)
    }

    private func done(
        _ text: String?, _ coin: CoinLiveView.Coin, _ user: User, undo: String? = nil
    ) -> HandlerResult {
        site.redirect(
            to: Self.address(coin.id), showing: text.map { NoticeView(text: $0, undo: undo) }, to: user)
    }

    private static func address(_ coinId: String) -> String { "/coins/\(PathSegment(coinId))" }

    private static func range(_ request: Request) -> ChartRange {
        request.query["range"].flatMap(ChartRange.init) ?? .week
    }

    /// Returns nil if the path has no id. Throws `RoostError.notFound` if it isn't a number.
    private static func number(_ request: Request) throws -> Int64? {
        request.parameters["id"].isEmpty ? nil : try requiredNumber(request)
    }

    private static func requiredNumber(_ request: Request) throws -> Int64 {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such holding or wallet.")
        }
        return id
    }
}

extension CoinController {
    /// Finds the coin of the path, even one that CoinGecko dropped if the user lists or holds it.
    private func coin(_ request: Request, _ user: User) async throws -> CoinLiveView.Coin {
        try await site.database.read { try coin($0, request.parameters["coinId"], user) }
    }

    private func coin(_ reads: Reads, _ id: String, _ user: User) throws -> CoinLiveView.Coin {
        let logo = services.logos.logo(of: id)
        if let coin = services.prices.quote(of: id)?.coin {
            return .init(id: id, name: coin.name, symbol: coin.shownSymbol, logo: logo)
        }
        if let coin = services.catalog.coin(id: id) {
            return .init(id: id, name: coin.name, symbol: coin.shownSymbol, logo: logo)
        }
        // Accept any plausible id until the list of coins has loaded.
        let isAccepted = services.catalog.count == 0 && WatchlistItem.isPossible(id)
        if !isAccepted { try watchlist.checkCoin(reads, id, of: user.userId) }
        return .init(id: id, name: id, symbol: id)
    }

    private func liveView(
        _ reads: Reads, of coinId: String, _ range: ChartRange, _ user: User
    ) throws -> (view: CoinLiveView, currency: String) {
        let coin = try coin(reads, coinId, user)
        let preferences = try watchlist.preferences(reads, of: user.userId)
        let currency = preferences.currency ?? services.prices.currency
        services.prices.watch([coin.id], in: currency)
        services.charts.watch(coin.id, range, in: currency)
        let prices = services.prices.snapshot(in: currency)
        let entry = prices.table[coin.id]
        let chart = services.charts.chart(of: coin.id, range: range, in: currency)
        let totals = try watchlist.totals(reads, of: user.userId, coin: coin.id, currency: currency)
        let view = CoinLiveView(
            coin, quote: entry?.quote, notes: Self.notes(coin.id, prices),
            isOld: entry.map { prices.isStale($0) || !$0.isListed } ?? false,
            freshness: FreshnessView(prices, isEmpty: false, retry: "/watchlist/refresh"),
            chart: CoinChartView(chart, path: PathSegment(coin.id).description), totals: totals,
            currency: currency, redIsUp: preferences.redIsUp, now: prices.now)
        return (view, currency)
    }

    private static func notes(_ coinId: String, _ prices: PriceSnapshot) -> [WatchlistRow.Note] {
        guard let entry = prices.table[coinId] else {
            if prices.table.unlisted.contains(coinId) { return [.delisted] }
            let isAwaited = !prices.table.unknown.contains(coinId) && prices.status.error == nil
            return [isAwaited ? .loading : .noPrice]
        }
        let coin = entry.quote.coin
        var notes: [WatchlistRow.Note] = entry.isListed ? [] : [.delisted]
        if coin.currentPrice == nil {
            notes.append(.noPrice)
        } else if prices.isCoinOld(coin), let lastUpdated = coin.lastUpdated {
            notes.append(.asOf(lastUpdated))
        } else if prices.isOld(entry) {
            notes.append(.asOf(prices.fetchedAt(entry)))
        }
        return notes
    }

    private func view(
        _ reads: Reads, _ request: Request, _ user: User, _ change: (inout CoinView.Own) -> Void = { _ in }
    ) throws -> CoinView {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/watchlist")
        let range = Self.range(request)
        let (live, currency) = try liveView(reads, of: request.parameters["coinId"], range, user)
        var own = try own(reads, live.coin.id, user)
        own.editedHolding = request.query["holding"].flatMap { id in
            own.holdings.first { "\($0.id)" == id }?.id
        }
        own.editedWallet = request.query["wallet"].flatMap { id in
            own.wallets.first { "\($0.id)" == id }?.id
        }
        change(&own)
        return CoinView(
            layout: layout, live: live, own: own, range: range, currency: currency,
            priceTopic: services.prices.topic(in: currency),
            alerts: try alerts(reads, of: live.coin, request, user))
    }

    private func alerts(_ reads: Reads, of coin: CoinLiveView.Coin, _ request: Request, _ user: User) throws
        -> RenderedView
    {
        let alerts = AlertsController(site: site, services: services)
        return site.part(try alerts.coinView(reads, coin.id, name: coin.name, user), for: request)
    }

    private func own(_ reads: Reads, _ coinId: String, _ user: User) throws -> CoinView.Own {
        let notes = try watchlist.notes(reads, of: user.userId)
        var own = CoinView.Own(note: notes[coinId] ?? .none)
        own.categories = Set(notes.values.map(\.category).filter { !$0.isEmpty }).sorted()
        own.holdings = try watchlist.holdings(reads, of: user.userId, coin: coinId)
        own.wallets = try watchlist.wallets(reads, of: user.userId, coin: coinId)
        let holding = try watchlist.lists(reads, of: user.userId, holding: coinId)
        own.lists = try watchlist.lists(reads, of: user.userId).map { ($0, holding.contains($0.id)) }
        return own
    }
}

/// The coin pages. The watchlist feature serves the topics of prices and charts.
package struct CoinsFeature: Feature {
    package let tokenArea: TokenArea? = .watchlist
    private let services: MarketServices

    package init(_ services: MarketServices) {
        self.services = services
    }

    package func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        CoinController(site: guarded.site, services: services).routes(guarded)
            + WalletsAPI(site: guarded.site, services: services).routes(guarded)
    }
}

extension TokenArea {
    /// Lists, holdings, coins and prices.
    static let watchlist = TokenArea("watchlist", name: "Watchlist")
}
