/// What a variable is declared to be: `[ID!]!`.
indirect enum GraphQLType: Equatable {
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

    /// Whether a value given as JSON may stand for it (section 3.5; a single value stands for a list of one).
    ///
    /// Types that are not scalars here are taken to be enumerations or input objects.
    func takes(_ value: GraphQLInput) -> Bool {
        switch (self, value) {
        case (.required(let type), _): value != .null && type.takes(value)
        case (_, .null): true
        case (.list(let type), .list(let items)): items.allSatisfy { type.takes($0) }
        case (.list(let type), _): type.takes(value)
        case (.named(let name), _): Self.takes(name, value)
        }
    }

    private static func takes(_ name: String, _ value: GraphQLInput) -> Bool {
        switch (name, value) {
        case ("Int", .number(let text)): Int32(text) != nil
        case ("Float", .number): true
        case ("ID", .number(let text)): Int(text) != nil
        case ("String", .string), ("ID", .string), ("Boolean", .bool): true
        case ("Int", _), ("Float", _), ("ID", _), ("String", _), ("Boolean", _): false
        case (_, .string), (_, .word), (_, .object): true
        default: false
        }
    }
}
