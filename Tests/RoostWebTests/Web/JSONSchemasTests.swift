import Foundation
import Testing

@testable import RoostSupport
@testable import RoostWeb

@Suite struct JSONSchemasTests {
    private enum Kind: String, Codable, CaseIterable { case above, below }

    private struct PartJSON: Codable {
        let count: Int?
    }

    private struct PlainJSON: Codable {
        let id: String
        let name: String?
        let madeAt: JSONTime
        let owner: JSONUserID
        let kind: Kind
        let share: Double?
        let parts: [PartJSON]
        let names: [String: Bool]
        let price: API.Nullable<String>
    }

    /// Encodes by hand, one member under a condition.
    private struct HandMadeJSON: JSONExamples {
        static var examples: [HandMadeJSON] { [HandMadeJSON(isLong: false), HandMadeJSON(isLong: true)] }

        private enum CodingKeys: CodingKey { case isLong, text, note }

        let isLong: Bool

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(isLong, forKey: .isLong)
            if isLong { try values.encode("Long", forKey: .text) }
            try values.encode(String?.none, forKey: .note)
        }
    }

    private struct Body: Decodable {
        let name: String
        let kind: Kind?
        let parts: [PartJSON]?
    }

    private enum Unlisted: String, Codable { case only }

    private struct UnknownJSON: Codable {
        let value: Unlisted
    }

    @Test func `an answer's schema has what its type encodes`() {
        let schemas = JSONSchemas()
        #expect(schemas.answer(PlainJSON.self) == JSONSchemas.reference(to: "Plain"))
        let plain = schemas.components["Plain"]
        let properties = plain?["properties"]
        #expect(plain?["required"] == ["id", "madeAt", "owner", "kind", "parts", "names", "price"])
        #expect(properties?["name"] == ["type": "string"])
        #expect(properties?["madeAt"] == ["type": "string", "format": "date-time"])
        #expect(properties?["owner"] == ["type": "string"])
        #expect(properties?["kind"] == ["type": "string", "enum": ["above", "below"]])
        #expect(properties?["share"] == ["type": "number"])
        #expect(properties?["parts"] == ["type": "array", "items": JSONSchemas.reference(to: "Part")])
        #expect(properties?["names"] == ["type": "object", "additionalProperties": ["type": "boolean"]])
        #expect(properties?["price"] == ["type": ["string", "null"]])
        #expect(schemas.components["Part"]?["required"] == [])
        #expect(schemas.undescribed.isEmpty)
    }

    @Test func `a member that one of the examples lacks is optional, and a nil that is encoded may be null`()
    {
        let schemas = JSONSchemas()
        _ = schemas.answer(HandMadeJSON.self)
        let schema = schemas.components["HandMade"]
        #expect(schema?["required"] == ["isLong", "note"])
        #expect(schema?["properties"]?["text"] == ["type": "string"])
        #expect(schema?["properties"]?["note"] == ["type": ["string", "null"]])
    }

    @Test func `a list is described without items, and a secret is added to what the type encodes`() {
        let schemas = JSONSchemas()
        let list = schemas.answer(Page<PartJSON>.self)
        #expect(list["required"] == ["items", "next"])
        #expect(list["properties"]?["items"]?["items"] == JSONSchemas.reference(to: "Part"))
        let made = schemas.answer(PartJSON.self, with: ["secret"])
        #expect(made["required"] == ["secret"])
        #expect(made["properties"]?.members.map(\.name) == ["count", "secret"])
    }

    @Test func `a body's schema has what its type decodes, and nothing else is accepted`() {
        let body = JSONSchemas().body(Body.self)
        #expect(body["required"] == ["name"])
        #expect(body["additionalProperties"] == false)
        let kind: JSONValue = ["type": "string", "enum": ["above", "below"]]
        #expect(body["properties"]?["kind"] == ["anyOf": [kind, ["type": "null"]]])
        #expect(body["properties"]?["parts"]?["type"] == ["array", "null"])
        let count = body["properties"]?["parts"]?["items"]?["properties"]?["count"]
        #expect(count == ["type": ["integer", "null"]])
    }

    @Test func `a type that cannot be described is named`() {
        let schemas = JSONSchemas()
        #expect(schemas.answer([UnknownJSON].self) == ["type": "array", "items": [:]])
        #expect(schemas.undescribed.count == 1 && schemas.undescribed.first?.hasSuffix("UnknownJSON") == true)
    }
}
