/// Replays CoinGecko: the recorded response to the same request, or one assembled from all recordings.
///
/// Items keep their bytes, so that prices are exact to the last digit.
final class RecordedCoinGecko: CoinGeckoSource {
    private let exact: [RequestKey: SimulatedResponse]
    private let table: RecordedTable
    private let charts: RecordedCharts
    private let list: SimulatedResponse?
    let errors: CoinGeckoErrors

    /// - Throws: `RecordingsError.noCoinGecko` when the folder contains nothing from CoinGecko.
    init(_ recordings: Recordings) throws {
        let answers = recordings.files.compactMap(RecordedResponse.init)
        guard !answers.isEmpty else { throw RecordingsError.noCoinGecko(recordings.directory) }
        errors = RecordedErrors.errors(in: recordings)
        table = RecordedTable(answers)
        charts = RecordedCharts(answers, coinIDs: table.ids)
        list = RecordedList.answer(answers, table: table)
        var exact: [RequestKey: SimulatedResponse] = [:]
        for answer in answers {
            guard let target = answer.target else { continue }
            exact[RequestKey(target: target)] = answer.replayed
        }
        self.exact = exact
    }

    func answer(_ request: SimulatedRequest) -> SimulatedResponse {
        if let recorded = exact[RequestKey(request)], serves(recorded, request) { return recorded }
        switch request.path {
        case ["ping"]: return .json(Array(#"{"gecko_says":"(V3) To the Moon!"}"#.utf8))
        case ["simple", "supported_vs_currencies"]: return table.currencyCodes ?? missing(request)
        case ["simple", "price"]: return simplePrice(request)
        case ["coins", "list"]: return list ?? missing(request)
        case ["coins", "markets"]: return markets(request)
        case ["search"]: return .json(table.search(request["query"] ?? ""))
        default: return charts.answer(request) ?? missing(request)
        }
    }

    /// Rejects an old list, and a page without coins that later recordings have: those would be missing from
    /// a watchlist.
    private func serves(_ recorded: SimulatedResponse, _ request: SimulatedRequest) -> Bool {
        guard recorded.status == 200 else { return true }
        switch request.path {
        case ["coins", "list"]:
            return recorded.body.count >= list?.body.count ?? 0
        case ["coins", "markets"]:
            guard let ids = request["ids"], let code = request["vs_currency"] else { return true }
            let recordedIDs = Set(
                RawJSON(recorded.body[...])?.elements?.compactMap { $0["id"]?.string } ?? [])
            let items = table.items(in: code, ids: ids.split(separator: ",").map(\.trimmingBlanks)) ?? []
            return items.allSatisfy { recordedIDs.contains($0.id) }
        default: return true
        }
    }

    private func markets(_ request: SimulatedRequest) -> SimulatedResponse {
        guard let code = request["vs_currency"], !code.isEmpty else {
            return .failure(422, errors.missingCurrency)
        }
        let ids = request["ids"].flatMap { ids in
            ids.isEmpty ? nil : ids.split(separator: ",").map(\.trimmingBlanks)
        }
        guard let items = table.items(in: code.lowercased(), ids: ids) else { return missing(request) }
        let symbols = Set((request["symbols"] ?? "").lowercased().split(separator: ",").map(\.trimmingBlanks))
        let chosen = symbols.isEmpty || ids != nil ? items : items.filter { symbols.contains($0.symbol) }
        var json = JSONWriter(capacity: 65_536)
        json.array { json in
            for item in Paging(request).page(of: chosen) {
                json.raw(item.json.bytes)
            }
        }
        return .json(json.bytes)
    }

    private func simplePrice(_ request: SimulatedRequest) -> SimulatedResponse {
        guard let ids = request["ids"], !ids.isEmpty else { return .failure(422, errors.missingIDs) }
        guard let codes = request["vs_currencies"], !codes.isEmpty else {
            return .failure(422, CoinGeckoErrors.missing("vs_currencies"))
        }
        return .json(
            table.simplePrice(
                ids: ids.split(separator: ",").map(String.init),
                codes: codes.split(separator: ",").map(String.init)))
    }

    private func missing(_ request: SimulatedRequest) -> SimulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.key("error")
            json.string("no recording of \(request.target)")
        }
        return .failure(404, String(decoding: json.bytes, as: UTF8.self))
    }
}
