/// `/coins/list` out of recordings: the longest list, and behind it the coins that only have prices.
enum RecordedList {
    /// `nil` if neither lists nor prices were recorded.
    static func answer(_ answers: [RecordedResponse], table: RecordedTable) -> SimulatedResponse? {
        let lists = answers.filter { $0.kind == .list && $0.status == 200 }.map { $0.json.elements ?? [] }
        // Of lists of the same length the last one: names with a date in them sort by it.
        let longest = lists.max { $0.count < $1.count } ?? []
        let known = Set(longest.compactMap { $0["id"]?.string })
        let missing = table.coins.filter { !known.contains($0.id) }
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
