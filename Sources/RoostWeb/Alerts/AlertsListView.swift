import Foundation
package import Market
import RoostSupport

/// `/alerts/list`: one's alerts, or those of one coin, those first that fired and were not seen.
package struct AlertsListView: Sendable {
    let rows: [AlertRow]
    let back: String

    /// - Parameter back: where its forms lead back to
    init(rows: [AlertRow], back: String) {
        self.rows = rows.filter(\.isNew) + rows.filter { !$0.isNew }
        self.back = back
    }

    package static let sample = AlertsListView(
        rows: CoinAlert.samples.map { alert in
            AlertRow(
                alert: alert, conversation: alert.conversationId.map { _ in "Crew" }, now: .sample,
                form: AlertFormView(
                    id: "alert-\(alert.id)", back: "/alerts",
                    state: FormState(typed: ["threshold": "\(alert.threshold)", "kind": alert.kind.rawValue]),
                    coin: .init(id: alert.coinId, name: alert.name), currency: alert.currency,
                    conversations: [AlertConversation(id: "c1", name: "Crew")]))
        }, back: "/alerts")

    var hasRows: Bool { !rows.isEmpty }
    var hasNew: Bool { rows.contains(where: \.isNew) }
}

extension CoinAlert {
    package static let samples = [
        CoinAlert(
            id: 1, userId: 1, coinId: "bitcoin", symbol: "btc", name: "Bitcoin", kind: .above,
            threshold: 90_000, currency: "usd", conversationId: "c1", side: .above, isArmed: false,
            createdAt: .sample - 86_400, crossings: 1, firedAt: .sample - 240,
            firedText: "Bitcoin rose above 90,000 USD: it is at 90,120.55 USD.",
            deliveryError: "There is no such conversation."),
        CoinAlert(
            id: 2, userId: 1, coinId: "boringdao-[old]", symbol: "", name: "Boring <b>DAO</b> & others",
            kind: .below, threshold: Decimal(5) / 1_000, currency: "eur", createdAt: .sample - 60),
        CoinAlert(
            id: 3, userId: 1, coinId: "solana", symbol: "sol", name: "Solana", kind: .change, threshold: 5,
            currency: "usd", side: .above, isArmed: false, createdAt: .sample - 86_400 * 9, crossings: 4,
            firedAt: .sample - 86_400, firedText: "Solana rose by 5.2 % within 24 hours: it is at 187 USD.",
            seenAt: .sample - 80_000),
    ]
}
