/// Recorded `/coins/{id}/market_chart` answers by coin, currency and days.
struct RecordedCharts: Sendable {
    private var charts: [Key: SimulatedResponse] = [:]

    private struct Key: Hashable {
        let id: String
        let currency: String
        let days: String
    }

    init(_ answers: [RecordedResponse], knownIDs: Set<String>) {
        for answer in answers where answer.status == 200 {
            let id = Self.coin(of: answer, knownIDs: knownIDs)
            switch answer.kind {
            case .chart:
                let days =
                    answer.request?["days"] ?? answer.name.words.first { Int($0) != nil || $0 == "max" }
                keep(.json(answer.file.bytes), Key(id: id, currency: answer.currency, days: days ?? "1"))
            case .chartsByDays:
                for (days, chart) in answer.json.members ?? [] {
                    keep(.json(Array(chart.bytes)), Key(id: id, currency: answer.currency, days: days))
                }
            default: break
            }
        }
    }

    /// `nil` if no chart of the coin, the currency and the days was recorded.
    func answer(_ request: SimulatedRequest) -> SimulatedResponse? {
        guard request.path.count == 3, request.path[0] == "coins", request.path[2] == "market_chart",
            let currency = request["vs_currency"]?.lowercased(), let days = request["days"]
        else { return nil }
        return charts[Key(id: request.path[1], currency: currency, days: days)]
    }

    /// Of two charts of the same span the longer one says more.
    private mutating func keep(_ chart: SimulatedResponse, _ key: Key) {
        if let other = charts[key], other.body.count > chart.body.count { return }
        charts[key] = chart
    }

    /// From the request; else the file's name; else the coin that everybody records.
    private static func coin(of answer: RecordedResponse, knownIDs: Set<String>) -> String {
        if let path = answer.request?.path, path.count == 3 { return path[1] }
        let words = answer.name.words.filter { !["market", "chart", "days", "max", "usd"].contains($0) }
        return words.first { knownIDs.contains($0) } ?? "bitcoin"
    }
}
