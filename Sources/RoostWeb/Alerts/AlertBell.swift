package import Market
import TextFormats

/// The bell of a coin's row: how many alerts it has, and how many of them fired and were not seen.
package struct AlertBell: Sendable {
    private let count: AlertService.Count
    private let coinId: String

    /// Nil for a coin without alerts.
    package init?(_ count: AlertService.Count?, coinId: String) {
        guard let count, count.all > 0 else { return nil }
        self.init(count: count, coinId: coinId)
    }

    private init(count: AlertService.Count, coinId: String) {
        self.count = count
        self.coinId = coinId
    }

    package static let sample = AlertBell(count: .init(all: 2, new: 1), coinId: "boringdao-[old]")

    var bellAddress: String { "/alerts?coin=\(PercentEncoding.encode(coinId))" }
    var bellCount: Int { count.all }
    var isBellNew: Bool { count.new > 0 }
    var bellWords: String {
        let all = count.all == 1 ? "1 alert" : "\(count.all) alerts"
        return count.new > 0 ? "\(all), \(count.new) new" : all
    }
}
