import TextFormats

/// The alerts of one coin with the form that makes one, as a part of the coin's page.
struct AlertsOfCoinView: Sendable {
    let coinId: String
    let form: AlertFormView
    let list: AlertsListView

    /// Where the list is fetched again when an alert changes.
    var listAddress: String { "/alerts/list?coin=\(PercentEncoding.encode(coinId))" }
}
