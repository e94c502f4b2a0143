/// What an operation uses of what its document declares: variables, fragments, directives.
struct GraphQLUses {
    private(set) var errors: [GraphQLError] = []
    private let document: GraphQLDocument
    private let name: String
    private var variables: [String: GraphQLLexer.Place] = [:]
    private var fragments: Set<String> = []

    static func errors(
        of operation: GraphQLDocument.Operation, in document: GraphQLDocument
    ) -> [GraphQLError] {
        var uses = GraphQLUses(document, operation.name ?? "anonymous query")
        uses.walk(operation.selections)
        uses.compare(with: operation.variables.map(\.name))
        return uses.errors
    }

    private init(_ document: GraphQLDocument, _ name: String) {
        self.document = document
        self.name = name
    }

    private mutating func walk(_ selections: [GraphQLDocument.Selection]) {
        for selection in selections {
            switch selection {
            case .field(let field, let directives):
                for (_, value) in field.arguments { note(value, field.place) }
                note(directives, field.place)
                walk(field.selections)
            case .inline(_, let inner, let directives, let place):
                note(directives, place)
                walk(inner)
            case .spread(let name, let directives, let place):
                note(directives, place)
                guard fragments.insert(name).inserted else { continue }
                walk(document.fragments[name]?.selections ?? [])
            }
        }
    }

    private mutating func note(_ directives: [GraphQLDocument.Directive], _ place: GraphQLLexer.Place) {
        for directive in directives {
            for (_, value) in directive.arguments { note(value, place) }
            guard !["skip", "include"].contains(directive.name) else { continue }
            refuse("Directive @\(directive.name) is not defined", "undefinedDirective", place)
        }
    }

    private mutating func note(_ value: GraphQLInput, _ place: GraphQLLexer.Place) {
        switch value {
        case .variable(let name): variables[name] = variables[name] ?? place
        case .list(let items): for item in items { note(item, place) }
        case .object(let members): for (_, item) in members { note(item, place) }
        default: break
        }
    }

    private mutating func compare(with declared: [String]) {
        for (variable, place) in variables.sorted(by: { $0.key < $1.key }) where !declared.contains(variable)
        {
            refuse("Variable $\(variable) is used by \(name) but not declared", "variableNotDefined", place)
        }
        for variable in declared where variables[variable] == nil {
            refuse("Variable $\(variable) is declared by \(name) but not used", "variableNotUsed", nil)
        }
        // Another operation of the same document may use them.
        guard document.operations.count == 1 else { return }
        for fragment in document.fragments.keys.sorted() where !fragments.contains(fragment) {
            refuse("Fragment \(fragment) was defined, but not used", "useAndDefineFragment", nil)
        }
    }

    private mutating func refuse(_ message: String, _ code: String, _ place: GraphQLLexer.Place?) {
        errors.append(GraphQLError(message: message, code: code, place: place))
    }
}
