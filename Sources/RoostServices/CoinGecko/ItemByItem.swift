/// A JSON list whose items are judged one by one: what is malformed is counted and named, the rest is kept.
package struct ItemByItem<Item: Decodable & Sendable>: Decodable, Sendable {
    package let items: [Item]
    /// Why each refused item was refused, with its place in the list.
    package let refusals: [String]
    /// The ids of the refused items, as far as they could be read.
    package let refusedIDs: Set<String>

    private struct Attempt: Decodable {
        let result: Result<Item, any Error>
        let id: String?

        private enum CodingKeys: String, CodingKey { case id }

        init(from decoder: any Decoder) throws {
            result = Result { try Item(from: decoder) }
            id = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
        }
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var items: [Item] = []
        var refusals: [String] = []
        var refusedIDs: Set<String> = []
        while !list.isAtEnd {
            let place = list.currentIndex
            let attempt = try list.decode(Attempt.self)
            switch attempt.result {
            case .success(let item): items.append(item)
            case .failure(let error):
                refusals.append("item \(place): \(Self.words(error))")
                if let id = attempt.id { refusedIDs.insert(id) }
            }
        }
        self.items = items
        self.refusals = refusals
        self.refusedIDs = refusedIDs
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let refusal as Refusal: refusal.description
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.last?.stringValue ?? "it") has a wrong type or is null"
        default: "it is malformed"
        }
    }
}
