import Foundation
package import Logging
package import RoostSupport
import TextFormats

/// Manages users' alerts, and fires them when prices change.
///
/// A firing is committed together with the price's side, and delivered afterwards. If the process ends in between, the
/// next start delivers it. Posts have fixed ids, so a second delivery is not posted twice.
package final class AlertService: Service {
    package struct Count: Sendable, Equatable {
        package var all = 0
        /// Fired and not seen yet.
        package var new = 0

        package init(all: Int = 0, new: Int = 0) {
            self.all = all
            self.new = new
        }
    }

    package static let limit = 100
    /// The maximum for each user: every currency costs requests around the clock.
    static let currencyLimit = 3
    /// In percent.
    static let changeRange = Decimal(1) / 10...Decimal(10_000)
    /// How often to ask for the prices of all alerts and to retry posts; less than the demand's lifetime.
    private static let pause = Duration.seconds(20)

    let database: Database
    private let catalog: CoinCatalog
    private let prices: PriceRefresher
    private let currencies: SupportedCurrencies
    let delivery: any AlertDelivery
    private let watchlist: WatchlistService
    private let clock: WallClock
    private let log: Logger

    package init(
        database: Database, catalog: CoinCatalog, prices: PriceRefresher, currencies: SupportedCurrencies,
        delivery: any AlertDelivery, watchlist: WatchlistService,
        clock: WallClock, log: Logger
    ) {
        self.database = database
        self.catalog = catalog
        self.prices = prices
        self.currencies = currencies
        self.delivery = delivery
        self.watchlist = watchlist
        self.clock = clock
        self.log = log
    }

    /// The topics that the names of a user's conversations depend on.
    package func conversationTopics(of user: UserID) -> [String] { delivery.topics(of: user) }

    package var userData: [UserData] {
        [.deleted("Price alerts and their messages", from: ["coin_alerts", "coin_alert_posts"])]
    }

    // MARK: Users' actions

    package func alerts(_ reads: Reads, of user: UserID, coinId: String? = nil) throws -> [CoinAlert] {
        try reads.alerts(of: user, coinId: coinId)
    }

    package func alerts(of user: UserID, coinId: String? = nil) async throws -> [CoinAlert] {
        try await database.read { try alerts($0, of: user, coinId: coinId) }
    }

    /// Throws `RoostError.notFound`, also for another user's alert.
    package func alert(_ reads: Reads, _ id: CoinAlertID, of user: UserID) throws -> CoinAlert {
        guard let alert = try reads.alert(id, of: user) else { throw Self.unknownAlert }
        return alert
    }

    package func alert(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        try await database.read { try alert($0, id, of: user) }
    }

    package func counts(_ reads: Reads, of user: UserID) throws -> [String: Count] {
        try alerts(reads, of: user).reduce(into: [:]) { counts, alert in
            counts[alert.coinId, default: Count()].all += 1
            if alert.isNew { counts[alert.coinId, default: Count()].new += 1 }
        }
    }

    package func newCount(_ reads: Reads, of user: UserID) throws -> Int { try reads.newAlertCount(of: user) }

    package func conversations(_ reads: Reads, of user: UserID) throws -> [AlertConversation] {
        try delivery.conversations(reads, of: user)
    }

    /// Makes an alert. If the price is already beyond the threshold, the alert is not armed until it comes back. Throws
    /// `RoostError.invalid`.
    package func add(_ new: NewAlert, for user: UserID) async throws -> CoinAlert {
        let coin = try await coin(named: new.coinId)
        let threshold = try Self.threshold(new.threshold, new.kind)
        let currency =
            if let code = new.currency, !code.isBlank { try checked(currency: code) } else {
                try await watchlist.currency(of: user)
            }
        let added = try await database.write { [self] writes in
            let conversation = try checked(new.conversationId, writes, for: user)
            let state = AlertRule(kind: new.kind, threshold: threshold)
                .next(.new, value(of: coin.id, new.kind, in: currency)).state
            writes.publish(Topic.alerts(user))
            return try writes.addAlert(
                CoinAlert(
                    id: 0, userId: user, coinId: coin.id, symbol: coin.symbol, name: coin.name,
                    kind: new.kind, threshold: threshold, currency: currency, conversationId: conversation,
                    side: state.side, isArmed: state.isArmed, createdAt: clock.now()))
        }
        prices.watch([coin.id], in: currency)
        return added
    }

    /// Changes an alert. A new condition resets its state. Throws `RoostError.invalid` and `.notFound`.
    @discardableResult
    package func change(
        _ id: CoinAlertID, _ change: AlertChange, of user: UserID
    ) async throws -> CoinAlert {
        try await update(id, of: user) { [self] alert, reads in
            let kind = change.kind ?? alert.kind
            let threshold = try Self.threshold(change.threshold ?? "\(alert.threshold)", kind)
            let conversation =
                if let chosen = change.conversationId { try checked(chosen, reads, for: user) } else {
                    alert.conversationId
                }
            guard kind != alert.kind || threshold != alert.threshold else {
                return alert.with(alert.state, conversation: conversation)
            }
            let value = value(of: alert.coinId, kind, in: alert.currency)
            let state = AlertRule(kind: kind, threshold: threshold).next(.new, value).state
            return alert.with(state, kind: kind, threshold: threshold, conversation: conversation)
        }
    }

    /// Arms an alert that waits for the price to come back, ignoring the margin. Beyond the threshold it stays unarmed.
    @discardableResult
    package func arm(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        try await update(id, of: user) { [self] alert, _ in
            let value = value(of: alert.coinId, alert.kind, in: alert.currency)
            // The owner is looking at it.
            let seenAt = alert.firedAt == nil ? nil : alert.seenAt ?? clock.now()
            return alert.with(
                alert.rule.next(.new, value).state, conversation: alert.conversationId, seenAt: seenAt)
        }
    }

    /// Removes an alert. `undoRemove` restores it for a day. Throws `RoostError.notFound`.
    @discardableResult
    package func remove(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        try await database.write { [now = clock.now()] writes in
            guard let alert = try writes.alert(id, of: user) else { throw Self.unknownAlert }
            try writes.remove(.alert(id), of: user, at: now)
            writes.publish(Topic.alerts(user))
            return alert
        }
    }

    @discardableResult
    package func undoRemove(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        let restored = try await database.write { writes in
            guard let rows = try writes.takeRemoved(.alert(id), of: user) else { throw Self.unknownAlert }
            try writes.insert(rows)
            guard let alert = try writes.alert(id, of: user) else { throw Self.unknownAlert }
            try writes.checkAlertLimits(of: user, currency: alert.currency, besides: id)
            writes.publish(Topic.alerts(user))
            return alert
        }
        prices.watch([restored.coinId], in: restored.currency)
        return restored
    }

    /// - Parameter id: one alert; nil for all that fired
    package func markSeen(_ id: CoinAlertID? = nil, of user: UserID) async throws {
        try await database.write { [now = clock.now()] writes in
            if let id, try writes.alert(id, of: user) == nil { throw Self.unknownAlert }
            if try writes.markAlertsSeen(id, of: user, at: now) { writes.publish(Topic.alerts(user)) }
        }
    }

    private func update(
        _ id: CoinAlertID, of user: UserID,
        _ change: @escaping @Sendable (CoinAlert, Reads) throws -> CoinAlert
    ) async throws -> CoinAlert {
        let alert = try await database.write { writes in
            guard let present = try writes.alert(id, of: user) else { throw Self.unknownAlert }
            let alert = try change(present, writes)
            try writes.updateAlert(alert)
            writes.publish(Topic.alerts(user))
            return alert
        }
        prices.watch([alert.coinId], in: alert.currency)
        return alert
    }

    private func coin(named text: String) async throws -> CoinListItem {
        if let coin = catalog.likelyCoin(named: text) { return coin }
        await catalog.waitUntilLoaded(within: .seconds(5))
        if let coin = catalog.likelyCoin(named: text) { return coin }
        throw RoostError.invalid(
            field: "coinId",
            why: catalog.count > 0
                ? "Cryptocurrency not found"
                : "The coin list is still loading. Please try again in a moment.")
    }

    private static func threshold(_ text: String, _ kind: CoinAlert.Kind) throws -> Decimal {
        guard let number = AlertText.number(text), number > 0 else {
            throw RoostError.invalid(
                field: "threshold", why: "Enter a number above 0, such as 90000 or 0.0125.")
        }
        guard kind != .change || changeRange.contains(number) else {
            throw RoostError.invalid(
                field: "threshold",
                why:
                    "Enter a change of \(changeRange.lowerBound) to \(AlertText.grouped(changeRange.upperBound)) percent."
            )
        }
        return number
    }

    private func checked(currency code: String) throws -> String {
        let code = Currency.code(code.trimmed)
        guard currencies.contains(code) else {
            throw RoostError.invalid(field: "currency", why: "CoinGecko has no prices in this currency.")
        }
        return code
    }

    /// Returns the conversation's stored id, since `conversation` may differ in case.
    private func checked(_ conversation: String?, _ reads: Reads, for user: UserID) throws -> String? {
        guard let id = conversation?.lowercased() else { return nil }
        let stored = try delivery.conversations(reads, of: user).first { $0.id.lowercased() == id }
        guard let stored else {
            throw RoostError.invalid(
                field: "conversationId", why: "You are not a member of this conversation.")
        }
        return stored.id
    }

    private static let unknownAlert = RoostError.notFound("There is no such alert.")

    // MARK: Prices

    /// The coin, if its price is fresh. Old, delisted and unknown coins fire no alerts.
    private static func coin(_ id: String, _ prices: PriceSnapshot) -> Coin? {
        prices.table[id].flatMap { $0.isListed && !prices.isStale($0) ? $0.quote.coin : nil }
    }

    private func value(of coinId: String, _ kind: CoinAlert.Kind, in currency: String) -> Decimal? {
        Self.coin(coinId, prices.snapshot(in: currency))?.value(for: kind)
    }

    /// An alert's new state after this snapshot, with the message if it fires; nil for no change.
    private static func firing(
        _ alert: CoinAlert, _ prices: PriceSnapshot
    ) -> (state: AlertRule.State, text: String?)? {
        guard alert.currency == prices.currency, let coin = coin(alert.coinId, prices) else { return nil }
        let step = alert.rule.next(alert.state, coin.value(for: alert.kind))
        guard step.state != alert.state || step.fires else { return nil }
        return (step.state, step.fires ? AlertText.fired(alert, coin) : nil)
    }

    /// Compares the alerts in a currency with its new prices, commits those that fire, then delivers them. If the
    /// commit fails the alerts stay unchanged, and the next prices find the same crossing.
    package func check(_ prices: PriceSnapshot) async {
        do {
            let ids = try await database.read { try $0.alerts(in: prices.currency) }
                .filter { Self.firing($0, prices) != nil }.map(\.id)
            guard !ids.isEmpty else { return }
            try await database.write { [now = clock.now()] writes in
                for alert in try writes.alerts(ids) {
                    guard let (state, text) = Self.firing(alert, prices) else { continue }
                    try writes.setState(state, of: alert.id)
                    if let text {
                        try writes.fireAlert(alert, text, at: now)
                        try writes.queueWebhooks(
                            .alertFired, about: String(alert.id), for: alert.userId, at: now)
                    }
                    writes.publish(Topic.alerts(alert.userId))
                }
            }
        } catch {
            log.databaseFailure("Alerts could not be compared with prices", error)
            return
        }
        await deliver()
    }

    package func deliver() async {
        do {
            for post in try await database.read({ try $0.alertPosts() }) { try await deliver(post) }
        } catch {
            log.databaseFailure("Alerts could not be delivered", error)
        }
    }

    private func deliver(_ post: AlertStore.Post) async throws {
        do {
            try await delivery.deliver(
                post.text, id: NameBasedUUID.of("alert", "\(post.alertId)", "\(post.crossing)"),
                link: "/coins/\(PercentEncoding.encode(post.coinId))", to: post.conversationId,
                for: post.userId)
        } catch let error as RoostError where error.isPermanent {
            try await database.write { writes in
                try writes.removeAlertPost(post)
                try writes.setDeliveryError(error.message, of: post.alertId)
                writes.publish(Topic.alerts(post.userId))
            }
            return
        } catch {
            log.warning(
                "An alert could not be posted", metadata: ["alert": "\(post.alertId)", "error": "\(error)"])
            return
        }
        try await database.write { try $0.removeAlertPost(post) }
    }

    /// The coins of all alerts, by currency. They are refreshed even while no page is open.
    package func watched() async throws -> [String: Set<String>] {
        try await database.read { try $0.coinsWithAlerts() }
    }

    func watchPrices() async {
        do {
            for (currency, coins) in try await watched() { prices.watch(coins.sorted(), in: currency) }
        } catch {
            log.databaseFailure("Alerts could not be read", error)
        }
    }

    /// Follows the prices until cancelled. Starts with deliveries left over from the last run.
    package func run() async {
        // Subscribes before asking for prices, so that none is missed.
        let updates = prices.updates()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await snapshot in updates { await check(snapshot) }
            }
            group.addTask { [self] in
                while !Task.isCancelled {
                    await deliver()
                    await watchPrices()
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }
}

extension RoostError {
    fileprivate var isPermanent: Bool {
        switch self {
        case .notFound, .notAllowed, .invalid, .conflict, .unknownVisitor: true
        case .unavailable, .storageFull, .databaseDamaged, .dataFolderMissing, .tooMany: false
        }
    }
}

extension Coin {
    fileprivate func value(for kind: CoinAlert.Kind) -> Decimal? {
        kind == .change ? priceChange24h : currentPrice
    }
}

extension CoinAlert {
    fileprivate var rule: AlertRule { AlertRule(kind: kind, threshold: threshold) }
    fileprivate var state: AlertRule.State { .init(side: side, isArmed: isArmed) }

    fileprivate func with(
        _ state: AlertRule.State, kind: Kind? = nil, threshold: Decimal? = nil, conversation: String?,
        seenAt: Date? = nil
    ) -> CoinAlert {
        CoinAlert(
            id: id, userId: userId, coinId: coinId, symbol: symbol, name: name, kind: kind ?? self.kind,
            threshold: threshold ?? self.threshold, currency: currency, conversationId: conversation,
            side: state.side, isArmed: state.isArmed, createdAt: createdAt, crossings: crossings,
            firedAt: firedAt, firedText: firedText, seenAt: seenAt ?? self.seenAt,
            deliveryError: conversation == conversationId ? deliveryError : nil)
    }
}

extension Topic {
    package static func alerts(_ user: UserID) -> String { "alerts/\(user)" }
}

extension WebhookEvent.Name {
    package static let alertFired = WebhookEvent.Name(rawValue: "alert.fired")
}
