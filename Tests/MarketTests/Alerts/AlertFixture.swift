import Foundation
import TestSupport

@testable import Market
@testable import RoostServices
@testable import RoostSupport

/// A user's alerts with a CoinGecko server whose prices the test sets.
struct AlertFixture: Sendable {
    let services: ServicesFixture
    let user: UserID

    var alerts: AlertService { services.services.market.alerts }
    var clock: TestClock { services.clock }

    init(_ services: ServicesFixture) async throws {
        self.services = services
        user = try await services.owner()
    }

    func add(
        _ kind: CoinAlert.Kind, _ threshold: String, coin: String = "bitcoin", currency: String? = nil,
        to conversation: String? = nil
    ) async throws -> CoinAlert {
        try await alerts.add(
            NewAlert(
                coinId: coin, kind: kind, threshold: threshold, currency: currency,
                conversationId: conversation), for: user)
    }

    /// Advances the clock by a minute, refreshes the prices and processes the alerts.
    ///
    /// - Parameter price: as in JSON, or nil if CoinGecko no longer lists the coin
    func price(_ price: String?, of coin: String = "bitcoin", in currency: String = "usd") async {
        services.script.set(coin, to: price)
        clock.advance(61)
        await services.prices.refresh(in: currency)
        await alerts.check(services.prices.snapshot(in: currency))
    }

    func alert(_ id: CoinAlertID) async throws -> CoinAlert { try await alerts.alert(id, of: user) }

    /// The number of times that the alert fired.
    func firings(_ alert: CoinAlert) async throws -> Int { try await self.alert(alert.id).crossings }
}

/// Services with alerts of the owner.
func withAlerts(
    _ change: (inout Services.Configuration) -> Void = { _ in }, _ body: (AlertFixture) async throws -> Void
) async throws {
    try await withServices(plan: .keyless, change) { try await body(AlertFixture($0)) }
}

/// As above, in a folder that outlives the services: a second call is a restart.
func withAlerts(in folder: String, _ body: (AlertFixture) async throws -> Void) async throws {
    let fixture = try ServicesFixture(in: folder)
    let result: Result<Void, any Error>
    do { result = .success(try await body(AlertFixture(fixture))) } catch { result = .failure(error) }
    try fixture.end()
    try result.get()
}
