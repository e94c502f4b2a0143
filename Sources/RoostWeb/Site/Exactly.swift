import Foundation
import TextFormats

/// A value from JSON whose objects, at any depth, have no member that the value's type does not ask for.
struct Exactly<Value: Decodable>: Decodable {
    let value: Value

    /// Throws `UnknownMember`, and what decoding `Value` throws. A missing member is found before an unknown one.
    init(from decoder: any Decoder) throws {
        let watched = WatchedDecoder(decoder)
        value = try Value(from: watched)
        try watched.refuseUnknown()
    }
}

struct UnknownMember: Error {
    let path: [any CodingKey]
}

/// Remembers which members of its object were asked for.
private final class WatchedDecoder: Decoder {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let decoder: any Decoder
    /// Nil for anything but an object.
    private var asked: Set<String>?

    var codingPath: [any CodingKey] { decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

    init(_ decoder: any Decoder) { self.decoder = decoder }

    func ask(for name: some CodingKey) { asked?.insert(name.stringValue) }

    /// Names the first in alphabetical order, because the order of an object's members is not kept.
    func refuseUnknown() throws {
        guard let asked else { return }
        let names = try decoder.container(keyedBy: Name.self).allKeys.filter {
            !asked.contains($0.stringValue)
        }
        if let name = names.min(by: { $0.stringValue < $1.stringValue }) {
            throw UnknownMember(path: codingPath + [name])
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let members = try decoder.container(keyedBy: type)
        asked = asked ?? []
        return KeyedDecodingContainer(WatchedMembers(members: members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        WatchedItems(items: try decoder.unkeyedContainer())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try decoder.singleValueContainer()
    }
}

private struct WatchedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: KeyedDecodingContainer<Key>
    let decoder: WatchedDecoder

    var codingPath: [any CodingKey] { members.codingPath }
    var allKeys: [Key] { members.allKeys }

    func contains(_ key: Key) -> Bool {
        decoder.ask(for: key)
        return members.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        decoder.ask(for: key)
        return try members.decodeNil(forKey: key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        decoder.ask(for: key)
        do {
            return try members.decode(Exactly<Value>.self, forKey: key).value
        } catch  where !(error is DecodingError || error is UnknownMember || error is ValidationError) {
            // JSONDecoder does not say where it found a number that does not fit its type.
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(error)")
        }
    }

    // Objects that are read by hand are not watched.

    func nestedContainer<Other: CodingKey>(
        keyedBy type: Other.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Other> {
        decoder.ask(for: key)
        return try members.nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        decoder.ask(for: key)
        return try members.nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder { try members.superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.ask(for: key)
        return try members.superDecoder(forKey: key)
    }
}

private struct WatchedItems: UnkeyedDecodingContainer {
    var items: any UnkeyedDecodingContainer

    var codingPath: [any CodingKey] { items.codingPath }
    var count: Int? { items.count }
    var isAtEnd: Bool { items.isAtEnd }
    var currentIndex: Int { items.currentIndex }

    mutating func decodeNil() throws -> Bool { try items.decodeNil() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try items.decode(Exactly<Value>.self).value
    }

    mutating func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> { try items.nestedContainer(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try items.nestedUnkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try items.superDecoder() }
}
