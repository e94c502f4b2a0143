struct RecordedCharts: Sendable {
    private var charts: [Key: SimulatedResponse] = [:]

    private struct Key: Hashable {
        let id: String
        let currency: String
        let days: String
    }

    init(_ answers: [RecordedResponse], coinIDs: Set<String>) {
        for answer in answers where answer.status == 200 {
            let id = Self.coin(of: answer, coinIDs: coinIDs)
            switch answer.kind {
            case .chart:
                let days =
                    answer.request?["days"] ?? answer.name.words.first { Int($0) != nil || $0 == "max" }
                store(.json(answer.file.bytes), Key(id: id, currency: answer.currency, days: days ?? "1"))
            case .chartsByDays:
                for (days, chart) in answer.json.members ?? [] {
                    store(.json(Array(chart.bytes)), Key(id: id, currency: answer.currency, days: days))
                }
            default: break
            }
        }
    }

    func answer(_ request: SimulatedRequest) -> SimulatedResponse? {
        guard request.path.count == 3, request.path[0] == "coins", request.path[2] == "market_chart",
            let currency = request["vs_currency"]?.lowercased(), let days = request["days"]
        else { return nil }
        return charts[Key(id: request.path[1], currency: currency, days: days)]
    }

    private mutating func store(_ chart: SimulatedResponse, _ key: Key) {
        if let other = charts[key], other.body.count > chart.body.count { return }
        charts[key] = chart
    }

    /// Takes the coin from the request, else from the file's name, else `bitcoin`.
    private static func coin(of answer: RecordedResponse, coinIDs: Set<String>) -> String {
        if let path = answer.request?.path, path.count == 3 { return path[1] }
        let words = answer.name.words.filter { !["market", "chart", "days", "max", "usd"].contains($0) }
        return words.first { coinIDs.contains($0) } ?? "bitcoin"
    }
}
