/// One coin of a recorded `/coins/markets`, with its original bytes.
struct RecordedItem: Sendable {
    let json: RawJSON
    let id: String
    let symbol: String
    let name: String
    let price: RawJSON?
    let updated: String
    /// For sorting only; -1 if null.
    let cap: Double
    let rank: Double?

    init?(_ json: RawJSON) {
        guard let members = json.members else { return nil }
        let fields = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        guard let id = fields["id"]?.string else { return nil }
        self.json = json
        self.id = id
        symbol = fields["symbol"]?.string ?? ""
        name = fields["name"]?.string ?? id
        price = fields["current_price"]
        updated = fields["last_updated"]?.string ?? ""
        cap = fields["market_cap"]?.number ?? -1
        rank = fields["market_cap_rank"]?.number
    }

    func matches(_ text: String) -> Bool {
        [id, symbol, name].contains { text.isEmpty || $0.lowercased().contains(text) }
    }

    var searchResult: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("id")
            json.string(id)
            json.key("name")
            json.string(name)
            json.key("api_symbol")
            json.string(id)
            json.key("symbol")
            json.string(symbol.uppercased())
            json.key("market_cap_rank")
            json.raw(self.json["market_cap_rank"]?.text ?? "null")
            for size in ["thumb", "large"] {
                json.key(size)
                json.raw(self.json["image"]?.text ?? "null")
            }
        }
        return json.bytes
    }
}
