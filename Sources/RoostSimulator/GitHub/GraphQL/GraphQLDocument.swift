/// A parsed query.
struct GraphQLDocument {
    struct Operation {
        let name: String?
        /// "query", "mutation" or "subscription".
        let kind: String
        let variables: [Variable]
        let selections: [Selection]
    }

    struct Variable {
        let name: String
        let type: GraphQLType
        let standard: GraphQLInput?
    }

    struct Field {
        let name: String
        let alias: String?
        let arguments: [(name: String, value: GraphQLInput)]
        let selections: [Selection]
        let place: GraphQLLexer.Place

        /// What the answer calls it.
        var key: String { alias ?? name }
    }

    struct Directive {
        let name: String
        let arguments: [(name: String, value: GraphQLInput)]
    }

    indirect enum Selection {
        case field(Field, [Directive])
        /// `... on Type { }`; without a type it holds for any.
        case inline(type: String?, [Selection], [Directive], GraphQLLexer.Place)
        case spread(String, [Directive], GraphQLLexer.Place)
    }

    struct Fragment {
        let type: String
        let selections: [Selection]
    }

    var operations: [Operation] = []
    var fragments: [String: Fragment] = [:]
}

/// A value in a query or among its variables.
indirect enum GraphQLInput: Sendable, Equatable {
    case variable(String)
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    /// An enumeration's name.
    case word(String)
    case list([GraphQLInput])
    case object([String: GraphQLInput])

    /// Of a string or an enumeration.
    var text: String? {
        switch self {
        case .string(let text), .word(let text): text
        default: nil
        }
    }

    var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// As it is written in a query.
    var literal: String {
        switch self {
        case .variable(let name): "$\(name)"
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let text), .word(let text): text
        case .string(let text): "\"\(text)\""
        case .list(let items): "[\(items.map(\.literal).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\($0.key): \($0.value.literal)" }.sorted().joined(separator: ", "))}"
        }
    }

    var items: [GraphQLInput] { if case .list(let items) = self { items } else { [self] } }

    /// From the JSON of the request's variables.
    init(_ json: RawJSON) {
        if let text = json.string {
            self = .string(text)
        } else if let elements = json.elements {
            self = .list(elements.map { GraphQLInput($0) })
        } else if let members = json.members {
            self = .object(
                Dictionary(
                    members.map { ($0.key, GraphQLInput($0.value)) }, uniquingKeysWith: { first, _ in first })
            )
        } else {
            switch json.text {
            case "true": self = .bool(true)
            case "false": self = .bool(false)
            case "null": self = .null
            default: self = .number(json.text)
            }
        }
    }
}

/// What is wrong with a query, as GitHub words it.
struct GraphQLError: Error {
    let message: String
    /// "NOT_FOUND", "RATE_LIMITED"; nil for what the query's own text did wrong.
    var type: String?
    var code: String?
    var place: GraphQLLexer.Place?
    /// Names and, in lists, numbers.
    var path: [String] = []
    /// The member is left null and the rest is answered; otherwise there is no `data`.
    var isPartial = false

    static func syntax(_ message: String, _ place: GraphQLLexer.Place) -> GraphQLError {
        GraphQLError(
            message: "\(message) at [\(place.line), \(place.column)]", code: "parseError", place: place)
    }
}
