/// Finds what GitHub refuses before it looks at anything: unknown fields and types, missing selections, and
/// scopes that a token lacks.
struct GraphQLValidator {
    let schema: GraphQLSchema
    let document: GraphQLDocument
    let caller: GitHubCaller
    private(set) var errors: [GraphQLError] = []
    /// Fragments being walked: one that holds itself is refused.
    private var open: Set<String> = []

    init(_ document: GraphQLDocument, _ schema: GraphQLSchema, _ caller: GitHubCaller) {
        self.document = document
        self.schema = schema
        self.caller = caller
    }

    static func errors(
        of operation: GraphQLDocument.Operation, in document: GraphQLDocument, _ schema: GraphQLSchema,
        _ caller: GitHubCaller
    ) -> [GraphQLError] {
        var validator = GraphQLValidator(document, schema, caller)
        validator.walk(operation.selections, on: "Query", ["query\(operation.name.map { " \($0)" } ?? "")"])
        return validator.errors + GraphQLUses.errors(of: operation, in: document)
    }

    private mutating func walk(_ selections: [GraphQLDocument.Selection], on type: String, _ path: [String]) {
        for selection in selections {
            switch selection {
            case .field(let field, _): check(field, on: type, path)
            case .inline(let condition, let inner, _, let place):
                let target = condition ?? type
                guard knows(target, place, path) else { continue }
                walk(inner, on: target, path + ["... on \(target)"])
            case .spread(let name, _, let place):
                guard let fragment = document.fragments[name], open.insert(name).inserted else {
                    let isCircle = document.fragments[name] != nil
                    errors.append(
                        GraphQLError(
                            message: "Fragment \(name) "
                                + (isCircle ? "contains an infinite loop" : "was used, but not defined"),
                            code: isCircle ? "infiniteLoop" : "useAndDefineFragment", place: place,
                            path: path))
                    continue
                }
                if knows(fragment.type, place, path) {
                    walk(fragment.selections, on: fragment.type, path + ["... \(name)"])
                }
                open.remove(name)
            }
        }
    }

    private mutating func knows(_ type: String, _ place: GraphQLLexer.Place, _ path: [String]) -> Bool {
        if schema.knows(type) { return true }
        errors.append(
            GraphQLError(
                message: "No such type \(type), so it can't be a fragment condition", code: "undefinedType",
                place: place, path: path))
        return false
    }

    private mutating func check(_ field: GraphQLDocument.Field, on type: String, _ path: [String]) {
        let here = path + [field.key]
        if field.name == "__typename" { return }
        guard let found = schema.definition(field.name, of: type) else {
            let isUnion = GraphQLSchema.unions.contains(type)
            let message =
                isUnion
                ? "Selections can't be made directly on unions (see selections on \(type))"
                : "Field '\(field.name)' doesn't exist on type '\(type)'"
            errors.append(
                GraphQLError(
                    message: message, code: isUnion ? "selectionMismatch" : "undefinedField",
                    place: field.place, path: here))
            return
        }
        for (name, _) in field.arguments where !found.arguments.contains(name) {
            errors.append(
                GraphQLError(
                    message: "Field '\(field.name)' doesn't accept argument '\(name)'",
                    code: "argumentNotAccepted", place: field.place, path: here + [name]))
        }
        checkArguments(field, on: type, here)
        checkScopes(field, on: type)
        checkSelections(field, found, here)
    }

    private mutating func checkArguments(
        _ field: GraphQLDocument.Field, on type: String, _ path: [String]
    ) {
        let missing = GraphQLArguments.required(by: field.name, on: type).filter { name in
            !field.arguments.contains { $0.name == name }
        }
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            errors.append(
                GraphQLError(
                    message: "Field '\(field.name)' is missing required arguments: \(names)",
                    code: "missingRequiredArguments", place: field.place, path: path))
        }
        for (name, value) in field.arguments {
            guard let wanted = GraphQLArguments.type(of: name, field.name, on: type),
                !wanted.takes(value, isLiteral: true)
            else { continue }
            errors.append(
                GraphQLError(
                    message: "Argument '\(name)' on Field '\(field.name)' has an invalid value "
                        + "(\(value.literal)). Expected type '\(wanted.text)'.",
                    code: "argumentLiteralsIncompatible", place: field.place, path: path + [name]))
        }
    }

    private mutating func checkSelections(
        _ field: GraphQLDocument.Field, _ found: GraphQLField, _ path: [String]
    ) {
        guard let type = found.type else {
            guard !field.selections.isEmpty else { return }
            errors.append(
                GraphQLError(
                    message:
                        "Selections can't be made on scalars (field '\(field.name)' returns a scalar "
                        + "but has selections)",
                    code: "selectionMismatch", place: field.place, path: path))
            return
        }
        guard field.selections.isEmpty else { return walk(field.selections, on: type, path) }
        errors.append(
            GraphQLError(
                message: "Field must have selections (field '\(field.name)' returns \(type) but has no "
                    + "selections. Did you mean '\(field.name) { ... }'?)", code: "selectionMismatch",
                place: field.place, path: path))
    }

    /// Teams are told apart only with `read:org`; classic tokens without it are refused the whole query.
    private mutating func checkScopes(_ field: GraphQLDocument.Field, on type: String) {
        guard type == "Team", field.name != "id", let scopes = caller.scopes, !caller.seesTeams else {
            return
        }
        let granted = scopes.map { "'\($0)'" }.joined(separator: ", ")
        errors.append(
            GraphQLError(
                message: "Your token has not been granted the required scopes to execute this query. The "
                    + "'\(field.name)' field requires one of the following scopes: ['read:org', "
                    + "'read:discussion'], "
                    + "but your token has only been granted the: [\(granted)] scopes. Please modify "
                    + "your token's "
                    + "scopes at: https://github.com/settings/tokens.", type: "INSUFFICIENT_SCOPES",
                place: field.place))
    }
}
