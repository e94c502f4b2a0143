import Foundation
import HTTPServer

/// The JSON interface's common forms.
enum API {
    /// A list's answer; `next` is the cursor of the next page, null on the last.
    struct List<Item: Encodable>: Encodable {
        let items: [Item]
        let next: String?

        private enum CodingKeys: String, CodingKey { case items, next }

        init(_ items: [Item]) {
            self.items = items
            next = nil
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(items, forKey: .items)
            try values.encode(next, forKey: .next)
        }
    }

    /// JSON with its keys in order; a value that cannot be encoded is an error of ours and answers 500.
    static func json<Body: Encodable>(_ body: Body, status: Int = 200) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(body) else {
            return Response(status: 500, headers: [("Content-Type", "application/json")], body: .empty)
        }
        return Response(
            status: status,
            headers: [("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "no-store")],
            body: .bytes(Array(data)))
    }
}

extension Decimal {
    /// Every digit, without exponent and without needless zeros: how JSON answers carry money.
    var plainText: String { description }
}
