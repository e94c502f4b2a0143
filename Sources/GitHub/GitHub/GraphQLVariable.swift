/// The value of a variable of a GraphQL document.
package enum GraphQLVariable: Encodable, Equatable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case list([String])

    package init(stringLiteral text: String) { self = .text(text) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let texts): try container.encode(texts)
        }
    }
}
