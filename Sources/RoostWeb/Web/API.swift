import Foundation
import HTTPServer

/// The JSON interface's common forms.
enum API {
    /// A list's answer; `next` is the cursor of the next page, null on the last.
    struct List<Item: Encodable>: Encodable {
        let items: [Item]
        let next: Nullable<String>

        /// - Parameter next: the cursor of the next page; nil on the last
        init(_ items: [Item], next: String? = nil) {
            self.items = items
            self.next = Nullable(next)
        }
    }

    /// A field that is null where there is no value; a plain optional is left out.
    struct Nullable<Value: Encodable>: Encodable {
        private let value: Value?

        init(_ value: Value?) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// Returns JSON that no cache stores; answers 500 for a value that cannot be encoded, which is a fault of Roost's.
    static func json(_ body: some Encodable, status: Int = 200) -> Response {
        guard var response = try? Response.json(body, status: status) else { return Response(status: 500) }
        response["Cache-Control"] = "no-store"
        return response
    }
}

/// How a browser names a file that it is sent.
enum ContentDisposition {
    /// RFC 6266: the name for old programs in ASCII, and as it is (RFC 8187).
    static func of(_ name: String, isInline: Bool = false) -> String {
        let plain = String(
            decoding: name.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && scalar.value >= 32 && scalar.value != 127
                return isPlain && scalar != "\"" && scalar != "\\" ? UInt8(scalar.value) : UInt8(ascii: "_")
            }, as: UTF8.self)
        return "\(isInline ? "inline" : "attachment"); filename=\"\(plain)\"; "
            + "filename*=UTF-8''\(PercentCoding.encode(name))"
    }
}
