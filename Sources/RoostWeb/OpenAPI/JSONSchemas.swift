import Foundation
import RoostSupport
import TextFormats

/// Derives JSON Schemas (2020-12) from types: of answers by what their `encode(to:)` writes, and of bodies by what their
/// `init(from:)` reads. Objects of answers with a name become components.
package final class JSONSchemas {
    /// By name.
    package private(set) var components: JSONValue = [:]
    /// The types that could not be described, each with a schema that allows anything.
    package private(set) var undescribed: [String] = []
    private var names: [ObjectIdentifier: String] = [:]

    package init() {}

    /// The schema of an answer.
    package func answer(_ type: any Encodable.Type) -> JSONValue { schema(of: type, nil) }

    /// The schema of an answer with more members than the type has.
    func answer(_ type: any Encodable.Type, with members: [String]) -> JSONValue {
        var object = encoded(type, nil) ?? anything(type)
        for name in members {
            object["properties"]?[name] = ["type": "string"]
            object["required"] = .list((object["required"]?.items ?? []) + [.text(name)])
        }
        return object
    }

    /// The schema of an answer with a secret, which the answer to a repeated request lacks.
    func withSecret(_ name: String, _ schema: JSONValue) -> JSONValue {
        let component = schema["$ref"]?.text?.splitBytes(at: "/").last.flatMap { components[String($0)] }
        var object = component ?? schema
        object["properties"]?[name]?["description"] = "Missing in the answer to a repeated request."
        object["required"] = .list((object["required"]?.items ?? []).filter { $0 != .text(name) })
        return object
    }

    /// The schema of a body. Unknown members are refused, and null counts as missing.
    package func body<Body: Decodable>(_ type: Body.Type) -> JSONValue {
        if let schema = common(type, { self.decodable($0) }) { return schema }
        return (try? probe(type))?.schema ?? anything(type)
    }

    /// The same with limits of its members' values.
    func body<Body: Decodable>(
        _ type: Body.Type, _ limits: [(name: String, limit: APILimit)]
    ) -> JSONValue {
        var schema = body(type)
        for (name, limit) in limits {
            guard let member = schema["properties"]?[name] else {
                undescribed.append("\(name) of \(String(reflecting: type))")
                continue
            }
            schema["properties"]?[name] = limit.applied(to: member)
        }
        return schema
    }

    private func decodable(_ type: Any.Type) -> JSONValue {
        guard let type = type as? any Decodable.Type else { return anything(type) }
        return body(type)
    }

    /// - Parameter value: for a type that has neither examples nor can be decoded
    fileprivate func schema(of type: Any.Type, _ value: Any?) -> JSONValue {
        if let schema = common(type, { self.schema(of: $0, nil) }) { return schema }
        if let name = names[ObjectIdentifier(type)] { return Self.reference(to: name) }
        guard let schema = encoded(type, value) else { return anything(type) }
        guard schema["properties"] != nil, let name = newName(of: type) else { return schema }
        names[ObjectIdentifier(type)] = name
        components[name] = schema
        return Self.reference(to: name)
    }

    private func anything(_ type: Any.Type) -> JSONValue {
        undescribed.append(String(reflecting: type))
        return [:]
    }

    static func reference(to name: String) -> JSONValue { ["$ref": "#/components/schemas/\(name)"] }

    fileprivate static func nullable(_ schema: JSONValue) -> JSONValue {
        guard let type = schema["type"]?.text, schema["enum"] == nil else {
            return ["anyOf": [schema, ["type": "null"]]]
        }
        var schema = schema
        schema["type"] = [.text(type), "null"]
        return schema
    }

    // MARK: Types without members

    private func common(_ type: Any.Type, _ element: (Any.Type) -> JSONValue) -> JSONValue? {
        if type == String.self || type == JSONUserID.self { return ["type": "string"] }
        if type == Bool.self { return ["type": "boolean"] }
        if type is any BinaryInteger.Type { return ["type": "integer"] }
        if type is any BinaryFloatingPoint.Type || type == Decimal.self { return ["type": "number"] }
        if type == JSONTime.self { return ["type": "string", "format": "date-time"] }
        if let type = type as? any ElementsType.Type { return type.schema(element) }
        return Self.choices(type).map { ["type": "string", "enum": .list($0.map(JSONValue.text))] }
    }

    private static func choices(_ type: Any.Type) -> [String]? {
        func names<Choice: CaseIterable>(_ type: Choice.Type) -> [String] {
            type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        }
        guard let type = type as? any CaseIterable.Type else { return nil }
        let found = names(type)
        return found.isEmpty ? nil : found
    }

    // MARK: Objects

    /// Returns nil if there is no value to encode.
    private func encoded(_ type: Any.Type, _ value: Any?) -> JSONValue? {
        let shapes = samples(of: type, value).map { sample in
            let probe = EncodingProbe(self)
            try? sample.encode(to: probe)
            return probe.schema
        }
        guard let first = shapes.first else { return nil }
        return shapes.dropFirst().reduce(first) { Self.union($0, $1) }
    }

    private func samples(of type: Any.Type, _ value: Any?) -> [any Encodable] {
        func all<Sampled: JSONExamples>(_ type: Sampled.Type) -> [any Encodable] { type.examples }
        func decoded<Value: Decodable>(_ type: Value.Type) -> (any Encodable)? {
            (try? JSONSchemas().probe(type))?.value as? any Encodable
        }
        if let type = type as? any JSONExamples.Type { return all(type) }
        if let type = type as? any Decodable.Type, let sample = decoded(type) { return [sample] }
        return (value as? any Encodable).map { [$0] } ?? []
    }

    private static func union(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        var both = one
        for member in other["properties"]?.members ?? [] { both["properties"]?[member.name] = member.value }
        let required = other["required"]?.items ?? []
        both["required"] = .list((one["required"]?.items ?? []).filter(required.contains))
        return both
    }

    /// "CoinAlert" for `CoinAlertJSON`, "InboxSection" for `InboxJSON.SectionJSON`; nil for a generic type.
    private func newName(of type: Any.Type) -> String? {
        let path = String(reflecting: type).splitBytes(at: ".").map(String.init).filter {
            !$0.hasPrefix("(")
        }
        guard let last = path.last, !path.contains(where: { $0.containsBytes("<") }) else { return nil }
        func short(_ name: String) -> String { name.hasSuffix("JSON") ? String(name.dropLast(4)) : name }
        let outer = path.dropLast().last ?? ""
        let own = outer.hasSuffix("JSON") ? short(outer) + short(last) : short(last)
        guard components[own] != nil else { return own }
        return outer + own
    }

    // MARK: Values

    /// Texts that types accept: ids, times, times of day, UUIDs and addresses.
    private static let texts = [
        "1", "2026-01-01T00:00:00Z", "12:00", "00000000-0000-4000-8000-000000000000", "https://example.org/",
    ]

    /// Returns a value with all its optional members, and the schema of what decoding it reads.
    fileprivate func probe<Value: Decodable>(
        _ type: Value.Type, text: String = texts[0]
    ) throws -> (value: Value, schema: JSONValue) {
        if let value = Self.value(of: type, text) as? Value { return (value, body(type)) }
        var refusal: any Error = RoostError.notFound("No text fits.")
        for text in Self.texts {
            let decoder = DecodingProbe(self, text: text)
            do { return (try Value(from: decoder), decoder.schema) } catch { refusal = error }
        }
        throw refusal
    }

    /// A value of a type that is not asked for its members.
    private static func value(of type: Any.Type, _ text: String) -> Any? {
        func one<Number: BinaryInteger>(_ type: Number.Type) -> Any { type.init(1) }
        func half<Number: BinaryFloatingPoint>(_ type: Number.Type) -> Any { type.init(0.5) }
        func first<Choice: CaseIterable>(_ type: Choice.Type) -> Any? { type.allCases.first }
        if type == String.self { return text }
        if type == Bool.self { return true }
        if type == Decimal.self { return Decimal(1) }
        if let type = type as? any BinaryInteger.Type { return one(type) }
        if let type = type as? any BinaryFloatingPoint.Type { return half(type) }
        if let type = type as? any ElementsType.Type { return type.sample }
        return (type as? any CaseIterable.Type).flatMap { first($0) }
    }
}

/// A type whose schema follows from that of its elements.
private protocol ElementsType {
    static func schema(_ element: (Any.Type) -> JSONValue) -> JSONValue
    static var sample: Any { get }
}

extension Optional: ElementsType {
    fileprivate static func schema(_ element: (Any.Type) -> JSONValue) -> JSONValue {
        JSONSchemas.nullable(element(Wrapped.self))
    }
    fileprivate static var sample: Any { Self.none as Any }
}

extension Array: ElementsType {
    fileprivate static func schema(_ element: (Any.Type) -> JSONValue) -> JSONValue {
        ["type": "array", "items": element(Element.self)]
    }
    fileprivate static var sample: Any { Self() }
}

extension Dictionary: ElementsType {
    fileprivate static func schema(_ element: (Any.Type) -> JSONValue) -> JSONValue {
        ["type": "object", "additionalProperties": element(Value.self)]
    }
    fileprivate static var sample: Any { Self() }
}

/// The members of an object, as they are encoded or decoded.
private struct SeenMembers {
    private var properties: JSONValue = [:]
    private var required: [JSONValue] = []

    /// An optional member may be seen twice.
    mutating func add(_ name: String, _ schema: JSONValue, isRequired: Bool) {
        if properties[name] == nil, isRequired { required.append(.text(name)) }
        properties[name] = schema
    }

    var schema: JSONValue { ["type": "object", "properties": properties, "required": .list(required)] }
}

// MARK: - Encoding

/// Writes nothing, and notes the members and the types of their values.
private final class EncodingProbe: Encoder {
    let schemas: JSONSchemas
    var members: SeenMembers?
    var single: JSONValue?

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ schemas: JSONSchemas) { self.schemas = schemas }

    var schema: JSONValue { members?.schema ?? single ?? [:] }

    func add(_ key: some CodingKey, _ type: Any.Type, _ value: Any?, isRequired: Bool = true) {
        members?.add(key.stringValue, schemas.schema(of: type, value), isRequired: isRequired)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        members = members ?? SeenMembers()
        return KeyedEncodingContainer(EncodedMembers(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        single = ["type": "array", "items": [:]]
        return EncodedItems(probe: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { EncodedSingle(probe: self) }
}

private struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let probe: EncodingProbe
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) {
        probe.members?.add(key.stringValue, ["type": "null"], isRequired: true)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
        probe.add(key, Value.self, value)
    }

    // Each requirement is met here: the standard ones would hide a nil.

    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) {
        probe.add(key, Value.self, value, isRequired: false)
    }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) { optional(String.self, key) }
    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) { optional(Bool.self, key) }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) { optional(Int.self, key) }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) { optional(Int64.self, key) }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) { optional(Double.self, key) }

    private func optional(_ type: Any.Type, _ key: Key) { probe.add(key, type, nil, isRequired: false) }

    mutating func nestedContainer<Other: CodingKey>(
        keyedBy type: Other.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Other> { EncodingProbe(probe.schemas).container(keyedBy: type) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        EncodingProbe(probe.schemas).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { probe }
    mutating func superEncoder(forKey key: Key) -> any Encoder { probe }
}

private struct EncodedItems: UnkeyedEncodingContainer {
    let probe: EncodingProbe
    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(probe: EncodingProbe) { self.probe = probe }

    mutating func encodeNil() { count += 1 }

    mutating func encode<Value: Encodable>(_ value: Value) {
        count += 1
        probe.single = ["type": "array", "items": probe.schemas.schema(of: Value.self, value)]
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        EncodingProbe(probe.schemas).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        EncodingProbe(probe.schemas).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { probe }
}

private struct EncodedSingle: SingleValueEncodingContainer {
    let probe: EncodingProbe
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { probe.single = ["type": "null"] }

    mutating func encode<Value: Encodable>(_ value: Value) {
        probe.single = probe.schemas.schema(of: Value.self, value)
    }
}

// MARK: - Decoding

/// Answers every question with a value that fits, and notes the members and the types that are asked for.
private final class DecodingProbe: Decoder {
    let schemas: JSONSchemas
    let text: String
    var members: SeenMembers?
    var single: JSONValue?
    /// The members for which a type has asked whether they are there.
    var optional: Set<String> = []

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ schemas: JSONSchemas, text: String) {
        self.schemas = schemas
        self.text = text
    }

    var schema: JSONValue {
        guard var object = members?.schema else { return single ?? [:] }
        object["additionalProperties"] = false
        return object
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        members = members ?? SeenMembers()
        return KeyedDecodingContainer(DecodedMembers(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw RoostError.notFound("Lists are decoded as a whole.")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { DecodedSingle(probe: self) }
}

private struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: DecodingProbe
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        probe.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool {
        probe.optional.insert(key.stringValue)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let name = key.stringValue
        let (value, schema) = try probe.schemas.probe(type, text: probe.text)
        let isOptional = probe.optional.contains(name)
        probe.members?.add(
            name, isOptional ? JSONSchemas.nullable(schema) : schema, isRequired: !isOptional)
        return value
    }

    func nestedContainer<Other: CodingKey>(
        keyedBy type: Other.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Other> {
        DecodingProbe(probe.schemas, text: probe.text).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try probe.unkeyedContainer()
    }

    func superDecoder() -> any Decoder { probe }
    func superDecoder(forKey key: Key) -> any Decoder { probe }
}

private struct DecodedSingle: SingleValueDecodingContainer {
    let probe: DecodingProbe
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (value, schema) = try probe.schemas.probe(type, text: probe.text)
        probe.single = schema
        return value
    }
}
