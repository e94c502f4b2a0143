import Foundation
package import HTTPServer
import RoostSupport
import TextFormats

package enum API {
    /// A field that encodes nil as null; a plain optional is omitted.
    package struct Nullable<Value: Codable>: Codable {
        private let value: Value?

        package init(_ value: Value?) { self.value = value }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try container.decodeNil() ? nil : container.decode(Value.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// Returns the response with an `ETag` for the parts that can be edited; others, such as prices, change on their own.
    ///
    /// - Parameter version: letters and digits
    package static func json(_ body: some Encodable, status: Int = 200, version: String) -> Response {
        var response = json(body, status: status)
        response.etag = "\"\(version)\""
        return response
    }

    /// Returns a version for texts that can be edited.
    package static func version(of texts: [String?]) -> String {
        digest(texts.map { $0.map { "\($0.utf8.count) \($0)" } ?? "-" }.joined(separator: " "))
    }

    /// Returns 32 hexadecimal digits.
    static func digest(_ text: String) -> String {
        Secret.hash(text).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Returns an uncacheable JSON response, or a 500 if the value cannot be encoded (a bug in Roost).
    package static func json(_ body: some Encodable, status: Int = 200) -> Response {
        guard var response = try? Response.json(body, status: status) else { return Response(status: 500) }
        response["Cache-Control"] = "no-store"
        return response
    }

    /// Returns a 201 for something new, with its secret, which is shown only now. Its operation names the secret.
    package static func created(
        _ item: some Encodable, secret: (name: String, text: String), at address: String
    ) -> Response {
        var response = json(WithSecret(item: item, name: secret.name, text: secret.text), status: 201)
        response["Location"] = address
        return response
    }

    private struct WithSecret<Item: Encodable>: Encodable {
        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let item: Item
        let name, text: String

        func encode(to encoder: any Encoder) throws {
            try item.encode(to: encoder)
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(text, forKey: Key(stringValue: name))
        }
    }
}

package enum ContentDisposition {
    /// Returns the header (RFC 6266) with an ASCII name, and the exact name (RFC 8187) if it differs.
    package static func of(_ name: String, isInline: Bool = false) -> String {
        let plain = String(
            decoding: name.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && scalar.value >= 32 && scalar.value != 127
                return isPlain && scalar != "\"" && scalar != "\\" ? UInt8(scalar.value) : UInt8(ascii: "_")
            }, as: UTF8.self)
        return "\(isInline ? "inline" : "attachment"); filename=\"\(plain)\""
            + (plain == name ? "" : "; filename*=UTF-8''\(PercentEncoding.encode(name))")
    }
}

extension Response {
    /// A file to save, which is not cached.
    package static func download(_ bytes: [UInt8], named name: String, type: String) -> Response {
        var response = Response.content(bytes, type: type)
        response["Content-Disposition"] = ContentDisposition.of(name)
        response["Cache-Control"] = "no-store"
        return response
    }

    package static func csv(_ bytes: [UInt8], named name: String) -> Response {
        download(bytes, named: name, type: "text/csv; charset=utf-8")
    }
}
