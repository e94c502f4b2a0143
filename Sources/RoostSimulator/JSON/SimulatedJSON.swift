/// A JSON value for answers whose shape only one place knows.
enum SimulatedJSON: Encodable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case null
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([SimulatedJSON])
    case object([String: SimulatedJSON])

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ number: Int?) { self = number.map { .number($0) } ?? .null }

    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }
    init(arrayLiteral items: SimulatedJSON...) { self = .list(items) }
    init(dictionaryLiteral members: (String, SimulatedJSON)...) {
        self = .object(Dictionary(members) { $1 })
    }

    /// A connection of GitHub's GraphQL.
    static func nodes(_ nodes: [SimulatedJSON], totalCount: Int? = nil) -> SimulatedJSON {
        .object(["nodes": .list(nodes)].merging(totalCount.map { ["totalCount": .number($0)] } ?? [:]) { $1 })
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
        case .list(let items): try items.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .text(let text): try text.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .flag(let flag): try flag.encode(to: encoder)
        }
    }
}
