/// A JSON value whose objects keep the order of their members.
package enum JSONValue: Sendable, Equatable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([JSONValue])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let name: String
        package var value: JSONValue
    }

    /// A member of an object; nil if this is none or lacks it. Setting nil removes it.
    package subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            var changed = members
            let index = changed.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): changed[index].value = value
            case (let index?, nil): changed.remove(at: index)
            case (nil, let value?): changed.append(Member(name: name, value: value))
            case (nil, nil): break
            }
            self = .object(changed)
        }
    }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }
    package var items: [JSONValue] { if case .list(let items) = self { items } else { [] } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var number: Int? { if case .number(let number) = self { number } else { nil } }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .number(number) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(arrayLiteral items: JSONValue...) { self = .list(items) }
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSONValue: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var values = encoder.container(keyedBy: Name.self)
            for member in members { try values.encode(member.value, forKey: Name(stringValue: member.name)) }
        case .list(let items):
            var values = encoder.unkeyedContainer()
            for item in items { try values.encode(item) }
        case .text(let text):
            var value = encoder.singleValueContainer()
            try value.encode(text)
        case .number(let number):
            var value = encoder.singleValueContainer()
            try value.encode(number)
        case .flag(let flag):
            var value = encoder.singleValueContainer()
            try value.encode(flag)
        }
    }
}
