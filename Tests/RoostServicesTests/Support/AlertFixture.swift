import Foundation

@testable import Market
@testable import RoostServices
@testable import RoostSupport

/// Alerts of a user over a CoinGecko whose prices a test sets.
struct AlertFixture: Sendable {
    let services: ServicesFixture
    let user: UserID

    var alerts: AlertService { services.services.alerts }
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

    /// A minute later CoinGecko is asked, and the alerts see what it said.
    ///
    /// - Parameter price: as JSON writes it; nil: CoinGecko lists the coin no longer
    func price(_ price: String?, of coin: String = "bitcoin", in currency: String = "usd") async {
        services.script.set(coin, to: price)
        clock.advance(61)
        await services.prices.refresh(in: currency)
        await alerts.check(services.prices.snapshot(in: currency))
    }

    func alert(_ id: CoinAlertID) async throws -> CoinAlert { try await alerts.alert(id, of: user) }

    /// How often it fired.
    func firings(_ alert: CoinAlert) async throws -> Int { try await self.alert(alert.id).crossings }
}

/// Services with alerts, on the owner's behalf.
func withAlerts(
    _ change: (inout Services.Configuration) -> Void = { _ in }, _ body: (AlertFixture) async throws -> Void
) async throws {
    try await withServices(plan: .keyless, change) { try await body(AlertFixture($0)) }
}

/// The same in a folder that outlives them: called again, it is a restart.
func withAlerts(in folder: String, _ body: (AlertFixture) async throws -> Void) async throws {
    let fixture = try ServicesFixture(in: folder)
    let result: Result<Void, any Error>
    do { result = .success(try await body(AlertFixture(fixture))) } catch { result = .failure(error) }
    try fixture.end()
    try result.get()
}
