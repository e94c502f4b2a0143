import Foundation

@testable import Market
@testable import MarketWeb
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

extension AlertBell {
    static let sample = AlertBell(count: .init(all: 2, new: 1), coinId: "boringdao-[old]")
}

extension AlertFormView {
    static let sample = AlertFormView(
        back: "/alerts",
        state: FormState(
            typed: ["threshold": "1,000"],
            fieldErrors: ["threshold": "Enter a number above 0, such as 90000 or 0.0125."]),
        coinChoices: ["bitcoin", "boringdao-[old]"], currency: "usd",
        conversations: [AlertConversation(id: "c1", name: "Crew <b>&</b>")])
}

extension AlertsListView {
    static let sample = AlertsListView(
        rows: CoinAlert.samples.map { alert in
            AlertRow(
                alert: alert, conversation: alert.conversationId.map { _ in "Crew" }, now: .sample,
                form: AlertFormView(
                    id: "alert-\(alert.id)", back: "/alerts",
                    state: FormState(typed: ["threshold": "\(alert.threshold)", "kind": alert.kind.rawValue]),
                    coin: .init(id: alert.coinId, name: alert.name), currency: alert.currency,
                    conversations: [AlertConversation(id: "c1", name: "Crew")]))
        }, back: "/alerts")
}

extension CoinAlert {
    static let samples = [
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

extension AlertsOfCoinView {
    static let sample = AlertsOfCoinView(coinId: "bitcoin", form: .sample, list: .sample)
}

extension AlertsTileView {
    static let sample = AlertsTileView(rows: AlertsListView.sample.rows)
}

extension AlertsView {
    static let sample = AlertsView(layout: .sample, form: .sample, list: .sample)
}
