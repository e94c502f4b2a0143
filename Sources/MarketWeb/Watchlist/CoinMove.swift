import Foundation
import Market
import RoostWeb

/// A coin whose price has changed much within 24 hours.
struct CoinMove {
    /// In percent; smaller changes are not worth a sentence.
    private static let threshold = Decimal(5)

    let coinId: String
    let name: String
    let percent: Decimal

    init?(_ entry: WatchlistEntry) {
        guard let percent = entry.priceChange24h, percent.isFinite, abs(percent) >= Self.threshold else {
            return nil
        }
        (coinId, name, self.percent) = (entry.item.coinId, entry.name, percent)
    }

    /// Largest first.
    static func all(of entries: some Sequence<WatchlistEntry>) -> [CoinMove] {
        entries.compactMap(CoinMove.init).sorted { abs($0.percent) > abs($1.percent) }
    }

    static func largest(of entries: some Sequence<WatchlistEntry>) -> CoinMove? { all(of: entries).first }

    /// "Solana is down 5.21 %."
    var line: TodayLine { TodayLine(text, from: "Watchlist", at: "/coins/\(PathSegment(coinId))") }

    var text: String {
        "\(name) is \(percent < 0 ? "down" : "up") \(ChangeText(percent).digits) %."
    }
}
