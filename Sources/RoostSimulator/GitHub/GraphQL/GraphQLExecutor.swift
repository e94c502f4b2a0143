/// Answers a valid query (spec.graphql.org, October 2021, section 6).
struct GraphQLExecutor {
    let schema: GraphQLSchema
    let document: GraphQLDocument
    let variables: [String: GraphQLInput]
    let world: GraphQLWorld
    private(set) var errors: [GraphQLError] = []

    init(
        _ document: GraphQLDocument, _ schema: GraphQLSchema, _ variables: [String: GraphQLInput],
        _ world: GraphQLWorld
    ) {
        self.document = document
        self.schema = schema
        self.variables = variables
        self.world = world
    }

    mutating func write(_ operation: GraphQLDocument.Operation, _ json: inout JSONWriter) {
        let root = GraphQLObject(type: "Query", value: GraphQLSchema.Root())
        write(root, operation.selections, [], &json)
    }

    private mutating func write(
        _ object: GraphQLObject, _ selections: [GraphQLDocument.Selection], _ path: [String],
        _ json: inout JSONWriter
    ) {
        var fields: [(key: String, fields: [GraphQLDocument.Field])] = []
        collect(selections, of: object.type, &fields)
        json.object { json in
            for (key, same) in fields {
                guard let field = same.first else { continue }
                json.key(key)
                if field.name == "__typename" {
                    json.string(object.type)
                    continue
                }
                let value = resolve(field, of: object, path + [key])
                write(value, same.flatMap(\.selections), path + [key], &json)
            }
        }
    }

    private mutating func resolve(
        _ field: GraphQLDocument.Field, of object: GraphQLObject, _ path: [String]
    ) -> GraphQLValue {
        guard let found = schema.definition(field.name, of: object.type) else { return .null }
        let arguments = Dictionary(
            field.arguments.map { ($0.name, filled($0.value)) }, uniquingKeysWith: { first, _ in first })
        do {
            return try found.resolve(object.value, GraphQLCall(arguments: arguments, world: world))
        } catch var error as GraphQLError {
            error.path = path
            error.place = field.place
            errors.append(error)
        } catch {
            errors.append(
                GraphQLError(message: "Something went wrong while executing your query.", path: path))
        }
        return .null
    }

    private mutating func write(
        _ value: GraphQLValue, _ selections: [GraphQLDocument.Selection], _ path: [String],
        _ json: inout JSONWriter
    ) {
        switch value {
        case .null: json.raw("null")
        case .string(let text): json.string(text)
        case .int(let number): json.number(number)
        case .bool(let bool): json.raw(bool ? "true" : "false")
        case .object(let object): write(object, selections, path, &json)
        case .list(let items):
            json.array { json in
                for (index, item) in items.enumerated() {
                    write(item, selections, path + [String(index)], &json)
                }
            }
        case .failure(var error):
            error.path = path
            errors.append(error)
            json.raw("null")
        }
    }

    /// Fields under the name that they are answered by, fragments that fit unfolded (section 6.3.2).
    private func collect(
        _ selections: [GraphQLDocument.Selection], of type: String,
        _ fields: inout [(key: String, fields: [GraphQLDocument.Field])]
    ) {
        for selection in selections {
            switch selection {
            case .field(let field, let directives):
                guard isWanted(directives) else { continue }
                if let index = fields.firstIndex(where: { $0.key == field.key }) {
                    fields[index].fields.append(field)
                } else {
                    fields.append((field.key, [field]))
                }
            case .inline(let condition, let inner, let directives, _):
                guard isWanted(directives), condition.map({ GraphQLSchema.fits(type, $0) }) ?? true else {
                    continue
                }
                collect(inner, of: type, &fields)
            case .spread(let name, let directives, _):
                guard isWanted(directives), let fragment = document.fragments[name],
                    GraphQLSchema.fits(type, fragment.type)
                else { continue }
                collect(fragment.selections, of: type, &fields)
            }
        }
    }

    private func isWanted(_ directives: [GraphQLDocument.Directive]) -> Bool {
        directives.allSatisfy { directive in
            let isSet = directive.arguments.first { $0.name == "if" }.map { filled($0.value) } == .bool(true)
            return directive.name == "skip" ? !isSet : directive.name == "include" ? isSet : true
        }
    }

    private func filled(_ value: GraphQLInput) -> GraphQLInput {
        switch value {
        case .variable(let name): variables[name] ?? .null
        case .list(let items): .list(items.map(filled))
        case .object(let members): .object(members.mapValues(filled))
        default: value
        }
    }
}
