/// A JSON list whose items are judged one by one: what is malformed is counted and named, the rest is kept.
package struct ItemByItem<Item: Decodable & Sendable>: Decodable, Sendable {
    package let items: [Item]
    /// Why each refused item was refused, with its place in the list.
    package let refusals: [String]

    private struct Attempt: Decodable {
        let result: Result<Item, any Error>

        init(from decoder: any Decoder) throws {
            result = Result { try Item(from: decoder) }
        }
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var items: [Item] = []
        var refusals: [String] = []
        while !list.isAtEnd {
            let place = list.currentIndex
            switch try list.decode(Attempt.self).result {
            case .success(let item): items.append(item)
            case .failure(let error): refusals.append("item \(place): \(Self.words(error))")
            }
        }
        self.items = items
        self.refusals = refusals
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
