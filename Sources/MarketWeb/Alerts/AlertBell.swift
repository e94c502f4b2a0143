import Market
import TextFormats

/// The bell in a coin's row: how many alerts the coin has, and how many fired unseen.
struct AlertBell: Sendable {
    let count: AlertService.Count
    let coinId: String

    var bellAddress: String { "/alerts?coin=\(PercentEncoding.encode(coinId))" }
    var isBellNew: Bool { count.new > 0 }
    var bellLabel: String {
        let all = count.all == 1 ? "1 alert" : "\(count.all) alerts"
        return count.new > 0 ? "\(all), \(count.new) new" : all
    }
}

extension AlertBell {
    /// Returns nil for a coin without alerts.
    init?(_ count: AlertService.Count?, coinId: String) {
        guard let count, count.all > 0 else { return nil }
        self.init(count: count, coinId: coinId)
    }
}
