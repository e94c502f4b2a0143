/// Builds `/coins/list` from recordings: the longest list, followed by coins that only have prices.
enum RecordedList {
    static func answer(_ answers: [RecordedResponse], table: RecordedTable) -> SimulatedResponse? {
        let lists = answers.filter { $0.kind == .list && $0.status == 200 }.map { $0.json.elements ?? [] }
        // Of lists of equal length, the first by file name is used.
        let longest = lists.max { $0.count < $1.count } ?? []
        let listedIDs = Set(longest.compactMap { $0["id"]?.string })
        let missing = table.coins.filter { !listedIDs.contains($0.id) }
        guard !longest.isEmpty || !missing.isEmpty else { return nil }
        var json = JSONWriter(capacity: longest.count * 72)
        json.array { json in
            for item in longest {
                json.raw(item.bytes)
            }
            for coin in missing {
                write(coin, to: &json)
            }
        }
        return .json(json.bytes, isStable: true)
    }

    private static func write(_ coin: RecordedItem, to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.string(coin.id)
            json.key("symbol")
            json.string(coin.symbol)
            json.key("name")
            json.string(coin.name)
        }
    }
}
