/// What a query costs, from its text alone.
///
/// Source: docs.github.com, "Rate limits and query limits for the GraphQL API": the requests that each
/// connection takes, added, divided by 100; and no more than 500,000 nodes.
struct GraphQLCost {
    private(set) var requests = 0
    private(set) var nodes = 0
    private let document: GraphQLDocument
    private let variables: [String: GraphQLInput]

    static let mostNodes = 500_000

    init(
        _ operation: GraphQLDocument.Operation, _ document: GraphQLDocument,
        _ variables: [String: GraphQLInput]
    ) {
        self.document = document
        self.variables = variables
        walk(operation.selections, parents: 1)
    }

    var points: Int { max(1, (requests + 50) / 100) }

    /// Stops where it is too much anyway.
    private mutating func walk(_ selections: [GraphQLDocument.Selection], parents: Int) {
        guard nodes <= Self.mostNodes else { return }
        for selection in selections {
            switch selection {
            case .field(let field, _):
                let count = size(of: field)
                if let count {
                    requests += parents
                    nodes += parents * count
                }
                walk(field.selections, parents: parents * max(1, count ?? 1))
            case .inline(_, let inner, _, _): walk(inner, parents: parents)
            case .spread(let name, _, _): walk(document.fragments[name]?.selections ?? [], parents: parents)
            }
        }
    }

    private func size(of field: GraphQLDocument.Field) -> Int? {
        guard let argument = field.arguments.first(where: { ["first", "last"].contains($0.name) }) else {
            return nil
        }
        var value = argument.value
        if case .variable(let name) = value { value = variables[name] ?? .null }
        return value.int.map { min(max(0, $0), 1_000) }
    }
}
