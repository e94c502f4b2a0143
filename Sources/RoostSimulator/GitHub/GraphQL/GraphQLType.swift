/// What a variable is declared to be: `[ID!]!`.
indirect enum GraphQLType: Equatable, Sendable {
    case named(String)
    case list(GraphQLType)
    case required(GraphQLType)

    var text: String {
        switch self {
        case .named(let name): name
        case .list(let type): "[\(type.text)]"
        case .required(let type): "\(type.text)!"
        }
    }

    var isRequired: Bool { if case .required = self { true } else { false } }

    /// Whether a value may stand for it (section 3.5; a single value stands for a list of one).
    ///
    /// Types that are not scalars here are taken to be enumerations or input objects. In a query's own text
    /// an enumeration's name has no quotes, among the variables it has.
    func takes(_ value: GraphQLInput, isLiteral: Bool = false) -> Bool {
        switch (self, value) {
        case (_, .variable): true
        case (.required(let type), _): value != .null && type.takes(value, isLiteral: isLiteral)
        case (_, .null): true
        case (.list(let type), .list(let items)):
            items.allSatisfy { type.takes($0, isLiteral: isLiteral) }
        case (.list(let type), _): type.takes(value, isLiteral: isLiteral)
        case (.named(let name), .string):
            ["String", "ID"].contains(name) || !isLiteral && !Self.isScalar(name)
        case (.named(let name), _): Self.takes(name, value)
        }
    }

    private static func isScalar(_ name: String) -> Bool {
        ["Int", "Float", "ID", "String", "Boolean"].contains(name)
    }

    private static func takes(_ name: String, _ value: GraphQLInput) -> Bool {
        switch (name, value) {
        case ("Int", .number(let text)): Int32(text) != nil
        case ("Float", .number): true
        case ("ID", .number(let text)): Int(text) != nil
        case ("Boolean", .bool): true
        case (_, .word), (_, .object): !isScalar(name)
        default: false
        }
    }
}
