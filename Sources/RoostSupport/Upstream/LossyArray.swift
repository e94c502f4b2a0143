import TextFormats

/// A JSON list whose items are judged one by one: what is malformed is counted and named, the rest is kept.
package struct LossyArray<Item: Decodable & Sendable>: Decodable, Sendable {
    package let items: [Item]
    /// Why items were refused, with their places in the list: of many only the first.
    package let refusals: [String]
    package let refusedCount: Int
    /// The ids of the refused items, as far as they could be read.
    package let refusedIDs: Set<String>

    /// A list of nothing but nonsense may have millions of items.
    private static var reportedRefusals: Int { 20 }

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
        var refused = 0
        var refusedIDs: Set<String> = []
        while !list.isAtEnd {
            let place = list.currentIndex
            let attempt = try list.decode(Attempt.self)
            switch attempt.result {
            case .success(let item): items.append(item)
            case .failure(let error):
                refused += 1
                if refused <= Self.reportedRefusals { refusals.append("item \(place): \(Self.words(error))") }
                if let id = attempt.id { refusedIDs.insert(id) }
            }
        }
        self.items = items
        self.refusals = refusals
        refusedCount = refused
        self.refusedIDs = refusedIDs
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let refusal as ValidationError: refusal.description
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.last?.stringValue ?? "it") has a wrong type or is null"
        default: "it is malformed"
        }
    }
}
