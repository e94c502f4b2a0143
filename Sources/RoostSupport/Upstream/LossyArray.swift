import TextFormats

/// A JSON array that skips malformed items instead of failing, and reports them.
package struct LossyArray<Item: Decodable & Sendable>: Decodable, Sendable {
    package let items: [Item]
    /// The reasons for the first skipped items, with their indexes.
    package let refusals: [String]
    package let refusedCount: Int
    package let refusedIDs: Set<String>

    /// A limit, because a malformed list may have millions of items.
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
            let index = list.currentIndex
            let attempt = try list.decode(Attempt.self)
            switch attempt.result {
            case .success(let item): items.append(item)
            case .failure(let error):
                refused += 1
                if refused <= Self.reportedRefusals {
                    refusals.append("item \(index): \(Self.reason(error))")
                }
                if let id = attempt.id { refusedIDs.insert(id) }
            }
        }
        self.items = items
        self.refusals = refusals
        refusedCount = refused
        self.refusedIDs = refusedIDs
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let refusal as ValidationError: refusal.description
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.last?.stringValue ?? "it") has a wrong type or is null"
        default: "it is malformed"
        }
    }
}
