import Foundation
package import Logging
package import RoostSupport
import TextFormats

/// What people do with alerts, and the worker that fires them.
///
/// A firing is committed with the price's side before anybody hears of it, and delivered after that: a process that ends
/// between the two delivers at its next start, and what was delivered twice is posted once.
package final class AlertService: Service {
    /// How many of one coin's alerts there are.
    package struct Count: Sendable, Equatable {
        package var all = 0
        /// Fired, and not seen.
        package var new = 0

        package init(all: Int = 0, new: Int = 0) {
            self.all = all
            self.new = new
        }
    }

    /// An alert that can be brought back.
    struct Removal: Hashable, Sendable {
        let user: UserID
        let id: CoinAlertID
    }

    /// Of one user.
    package static let limit = 100
    /// Of one user: each currency costs requests of its own, day and night.
    static let currencyLimit = 3
    /// Percent.
    static let changeRange = Decimal(1) / 10...Decimal(10_000)
    /// How often prices are wanted for all alerts, and posts tried again: well within the demand's lifetime.
    private static let pause = Duration.seconds(20)

    private let store: AlertStore
    private let catalog: CoinCatalog
    private let prices: PriceRefresher
    private let currencies: SupportedCurrencies
    private let delivery: any AlertDelivery
    private let currency: @Sendable (UserID) async throws -> String
    private let feed: ChangeFeed
    private let clock: WallClock
    private let undos: SteadyEnds<Removal>
    private let log: Logger

    /// - Parameter currency: in which this user reads prices
    package init(
        store: AlertStore, catalog: CoinCatalog, prices: PriceRefresher, currencies: SupportedCurrencies,
        delivery: any AlertDelivery, currency: @escaping @Sendable (UserID) async throws -> String,
        feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.store = store
        self.catalog = catalog
        self.prices = prices
        self.currencies = currencies
        self.delivery = delivery
        self.currency = currency
        self.feed = feed
        self.clock = clock
        undos = SteadyEnds(clock: clock)
        self.log = log
    }

    package var userData: [UserData] {
        [.deleted("Price alerts and what they said", from: ["coin_alerts", "coin_alert_posts"])]
    }

    // MARK: What people do

    /// In the order of their making.
    ///
    /// - Parameter coinId: of one coin only
    package func alerts(of user: UserID, coinId: String? = nil) async throws -> [CoinAlert] {
        try await store.alerts(of: user, coinId: coinId)
    }

    /// Throws `RoostError.notFound` for another's.
    package func alert(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        guard let alert = try await store.alert(id, of: user) else { throw Self.isUnknown }
        return alert
    }

    /// By coin.
    package func counts(of user: UserID) async throws -> [String: Count] {
        try await store.alerts(of: user).reduce(into: [:]) { counts, alert in
            counts[alert.coinId, default: Count()].all += 1
            if alert.isNew { counts[alert.coinId, default: Count()].new += 1 }
        }
    }

    /// How many fired and were not seen.
    package func newCount(of user: UserID) async throws -> Int { try await store.newCount(of: user) }

    /// In which this user reads prices, and makes alerts.
    package func currency(of user: UserID) async throws -> String { try await currency(user) }

    /// Where this user's alerts may be posted.
    package func conversations(of user: UserID) async throws -> [AlertConversation] {
        try await delivery.conversations(of: user)
    }

    /// Makes an alert. Where the price is beyond the threshold already it waits for the way back: `isArmed` is false.
    ///
    /// Throws `RoostError.invalid`.
    package func add(_ new: NewAlert, for user: UserID) async throws -> CoinAlert {
        let coin = try await coin(named: new.coinId)
        let threshold = try Self.threshold(new.threshold, new.kind)
        let currency =
            if let code = new.currency, !code.isBlank { try checked(currency: code) } else {
                try await currency(user)
            }
        let conversation = try await checked(new.conversationId, for: user)
        let state = AlertRule(kind: new.kind, threshold: threshold)
            .next(.new, figure(of: coin.id, new.kind, in: currency)).state
        let alert = try await saving {
            try await store.add(
                CoinAlert(
                    id: 0, userId: user, coinId: coin.id, symbol: coin.symbol, name: coin.name,
                    kind: new.kind,
                    threshold: threshold, currency: currency, conversationId: conversation,
                    side: state.side, isArmed: state.isArmed, createdAt: clock.now()))
        }
        prices.want([coin.id], in: currency)
        publish([user])
        return alert
    }

    /// Changes an alert; with another condition it starts again. Throws `RoostError.invalid` and `.notFound`.
    @discardableResult
    package func change(
        _ id: CoinAlertID, _ change: AlertChange, of user: UserID
    ) async throws -> CoinAlert {
        let present = try await alert(id, of: user)
        let kind = change.kind ?? present.kind
        let threshold = try change.threshold.map { try Self.threshold($0, kind) } ?? present.threshold
        if change.threshold == nil { _ = try Self.threshold("\(threshold)", kind) }
        let conversation =
            if let chosen = change.conversationId { try await checked(chosen, for: user) } else {
                present.conversationId
            }
        let figure = figure(of: present.coinId, kind, in: present.currency)
        return try await store(id, of: user) { alert in
            guard kind != alert.kind || threshold != alert.threshold else {
                return alert.with(alert.state, conversation: conversation)
            }
            let state = AlertRule(kind: kind, threshold: threshold).next(.new, figure).state
            return alert.with(state, kind: kind, threshold: threshold, conversation: conversation)
        }
    }

    /// Arms an alert that waits for the price to come back, without the margin. Beyond the threshold it goes on waiting.
    @discardableResult
    package func arm(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        let present = try await alert(id, of: user)
        let figure = figure(of: present.coinId, present.kind, in: present.currency)
        let now = clock.now()
        return try await store(id, of: user) { alert in
            // Its owner has it before him.
            let seenAt = alert.firedAt == nil ? nil : alert.seenAt ?? now
            return alert.with(
                alert.rule.next(.new, figure).state, conversation: alert.conversationId, seenAt: seenAt)
        }
    }

    /// Removes an alert; `undoRemove` brings it back for a day. Throws `RoostError.notFound`.
    @discardableResult
    package func remove(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        let removed = try await saving { try await store.remove(id, of: user, at: clock.now()) }
        guard let removed else { throw Self.isUnknown }
        undos.note(Removal(user: user, id: id), lasting: AlertStore.undoSeconds)
        publish([user])
        return removed
    }

    @discardableResult
    package func undoRemove(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert {
        let date = undos.dateToJudge(Removal(user: user, id: id))
        let restored = try await saving {
            try await store.restore(id, of: user, at: date)
        }
        guard let restored else { throw Self.isUnknown }
        prices.want([restored.coinId], in: restored.currency)
        publish([user])
        return restored
    }

    /// - Parameter id: nil for all that fired
    package func markSeen(_ id: CoinAlertID? = nil, of user: UserID) async throws {
        if let id { _ = try await alert(id, of: user) }
        if try await saving({ try await store.markSeen(id, of: user, at: clock.now()) }) { publish([user]) }
    }

    private func store(
        _ id: CoinAlertID, of user: UserID, _ change: @escaping @Sendable (CoinAlert) throws -> CoinAlert
    ) async throws -> CoinAlert {
        guard let alert = try await saving({ try await store.change(id, of: user, change) }) else {
            throw Self.isUnknown
        }
        prices.want([alert.coinId], in: alert.currency)
        publish([user])
        return alert
    }

    private func coin(named words: String) async throws -> CoinListItem {
        if let coin = catalog.likelyCoin(named: words) { return coin }
        await catalog.waitUntilLoaded(within: .seconds(5))
        if let coin = catalog.likelyCoin(named: words) { return coin }
        throw RoostError.invalid(
            field: "coinId",
            why: catalog.count > 0
                ? "Cryptocurrency not found"
                : "The list of coins is not here yet. Please try again in a moment.")
    }

    private static func threshold(_ text: String, _ kind: CoinAlert.Kind) throws -> Decimal {
        guard let number = AlertText.number(text), number > 0 else {
            throw RoostError.invalid(
                field: "threshold", why: "Type a number above 0, with digits and a point: 90000 or 0.0125.")
        }
        guard kind != .change || changeRange.contains(number) else {
            throw RoostError.invalid(
                field: "threshold",
                why:
                    "A change has \(changeRange.lowerBound) to \(AlertText.grouped(changeRange.upperBound)) percent."
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

    /// The conversation's stored id: the one that was sent may be in another case.
    private func checked(_ conversation: String?, for user: UserID) async throws -> String? {
        guard let id = conversation?.lowercased() else { return nil }
        let stored = try await delivery.conversations(of: user).first { $0.id.lowercased() == id }
        guard let stored else {
            throw RoostError.invalid(
                field: "conversationId", why: "You are no member of this conversation.")
        }
        return stored.id
    }

    private func publish(_ users: Set<UserID>) {
        if !users.isEmpty { feed.publish(users.sorted().map(Topic.alerts)) }
    }

    private static let isUnknown = RoostError.notFound("There is no such alert.")

    /// Turns the database's errors into words; errors that already are words pass.
    private func saving<Value>(_ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch let error as RoostError {
            throw error
        } catch {
            log.error("An alert could not be saved", metadata: ["error": "\(error)"])
            throw RoostError(storage: error) ?? .unavailable("Couldn’t save. Please try again.")
        }
    }

    // MARK: Prices

    /// What is known of the coin, if it is fresh: an old price, a delisted coin's and an unknown one fire nothing.
    private static func coin(_ id: String, _ prices: PriceSnapshot) -> Coin? {
        prices.board[id].flatMap { $0.isListed && !prices.isStale($0) ? $0.quote.coin : nil }
    }

    private func figure(of coinId: String, _ kind: CoinAlert.Kind, in currency: String) -> Decimal? {
        Self.coin(coinId, prices.snapshot(in: currency))?.figure(for: kind)
    }

    /// What a snapshot does to an alert; nil: nothing that is stored.
    private static func firing(_ alert: CoinAlert, _ prices: PriceSnapshot) -> AlertStore.Firing? {
        guard alert.currency == prices.currency, let coin = coin(alert.coinId, prices) else { return nil }
        let step = alert.rule.next(alert.state, coin.figure(for: alert.kind))
        guard step.state != alert.state || step.fires else { return nil }
        return AlertStore.Firing(state: step.state, text: step.fires ? AlertText.fired(alert, coin) : nil)
    }

    /// Compares the alerts of a currency with its new prices; commits what fires, and then delivers it.
    ///
    /// Where the disk takes nothing the alerts stay as they are: the next prices find the same crossing.
    package func check(_ prices: PriceSnapshot) async {
        do {
            let ids = try await store.alerts(in: prices.currency)
                .filter { Self.firing($0, prices) != nil }.map(\.id)
            guard !ids.isEmpty else { return }
            publish(try await store.update(ids, at: clock.now()) { Self.firing($0, prices) })
        } catch {
            log.error("Alerts could not be compared with prices", metadata: ["error": "\(error)"])
            return
        }
        await deliver()
    }

    /// Posts what fired and was not posted yet.
    package func deliver() async {
        do {
            for post in try await store.posts() { try await deliver(post) }
        } catch {
            log.error("Alerts could not be delivered", metadata: ["error": "\(error)"])
        }
    }

    private func deliver(_ post: AlertStore.Post) async throws {
        do {
            try await delivery.deliver(
                post.text, id: NameBasedUUID.of("alert", "\(post.alertId)", "\(post.crossing)"),
                link: "/coins/\(PercentEncoding.encode(post.coinId))", to: post.conversationId,
                for: post.userId)
        } catch let error as RoostError where error.isLasting {
            try await store.settle(post, error: error.message)
            publish([post.userId])
            return
        } catch {
            // Tried again in a moment.
            log.warning(
                "An alert could not be posted", metadata: ["alert": "\(post.alertId)", "error": "\(error)"])
            return
        }
        try await store.settle(post, error: nil)
    }

    /// The coins of all alerts, by their currencies: each is demand, also while no page is open.
    package func watched() async throws -> [String: Set<String>] { try await store.watched() }

    /// Keeps the prices of all alerts' coins coming.
    func wantPrices() async {
        do {
            for (currency, coins) in try await watched() { prices.want(coins.sorted(), in: currency) }
        } catch {
            log.error("Alerts could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Follows the prices until cancelled, and first delivers what the last process left.
    package func run() async {
        // Before any price is wanted: none of them is missed.
        let updates = prices.updates()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await snapshot in updates { await check(snapshot) }
            }
            group.addTask { [self] in
                while !Task.isCancelled {
                    await deliver()
                    await wantPrices()
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }
}

extension RoostError {
    /// Whether trying again is of no use.
    fileprivate var isLasting: Bool {
        switch self {
        case .notFound, .notAllowed, .invalid, .conflict, .unknownVisitor: true
        case .unavailable, .storageFull, .databaseDamaged, .tooMany: false
        }
    }
}

extension Coin {
    /// What an alert of this kind compares.
    fileprivate func figure(for kind: CoinAlert.Kind) -> Decimal? {
        kind == .change ? priceChange24h : currentPrice
    }
}

extension CoinAlert {
    fileprivate var rule: AlertRule { AlertRule(kind: kind, threshold: threshold) }
    fileprivate var state: AlertRule.State { .init(side: side, isArmed: isArmed) }

    /// The alert with another state, and with what was changed.
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
