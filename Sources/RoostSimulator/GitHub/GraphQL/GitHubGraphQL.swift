/// GitHub's GraphQL: reads the request, refuses what GitHub refuses, and answers the rest.
struct GitHubGraphQL {
    let moment: GitHubMoment
    let repositories: RepositoryMoment
    let caller: GitHubCaller
    let place: GitHubPlace
    let budgets: GitHubBudgets
    let knowsMergeable: @Sendable (SimulatedPull) -> Bool

    /// With what it cost; `budgets` are not touched when the query is refused.
    func answer(_ request: GitHubRequest) -> SimulatedAnswer {
        guard caller.login != nil else {
            return GitHubAnswer.failure(401, "This endpoint requires you to be authenticated.", "/graphql")
        }
        guard let body = RawJSON(request.body[...]), body.members != nil else {
            return GitHubAnswer.failure(400, "Problems parsing JSON")
        }
        guard let text = body["query"]?.string else {
            return GitHubAnswer.failure(400, "A query attribute must be specified and must be a string.")
        }
        let given = body["variables"].map { GraphQLInput($0) }
        do {
            return try answer(text, name: body["operationName"]?.string, given)
        } catch let error as GraphQLError {
            return refused([error])
        } catch {
            return refused([GraphQLError(message: "Something went wrong while executing your query.")])
        }
    }

    private func answer(_ text: String, name: String?, _ given: GraphQLInput?) throws -> SimulatedAnswer {
        let document = try GraphQLParser.parse(text)
        guard name != nil || document.operations.count < 2 else {
            throw GraphQLError(message: "An operation name is required")
        }
        guard let operation = document.operations.first(where: { name == nil || $0.name == name }) else {
            throw GraphQLError(message: "No operation named \"\(name ?? "")\"")
        }
        guard operation.kind == "query" else {
            throw GraphQLError(message: "The simulated GitHub takes no \(operation.kind)")
        }
        let errors = GraphQLValidator.errors(of: operation, in: document, .github, caller)
        guard errors.isEmpty else { return refused(errors) }
        let variables = try variables(of: operation, given)
        let cost = GraphQLCost(operation, document, variables)
        guard cost.nodes <= GraphQLCost.mostNodes else {
            throw GraphQLError(
                message: "This query requests up to \(cost.nodes) possible nodes which exceeds the maximum "
                    + "limit of 500,000.", type: "MAX_NODE_LIMIT_EXCEEDED")
        }
        guard budgets.spend(0, on: "graphql", by: caller.login).remaining >= cost.points else {
            return Self.limited(caller)
        }
        let world = GraphQLWorld(
            moment: moment, repositories: repositories, caller: caller, place: place,
            budget: budgets.spend(cost.points, on: "graphql", by: caller.login), cost: cost.points,
            nodes: cost.nodes,
            knowsMergeable: knowsMergeable)
        return run(operation, document, variables, world)
    }

    private func run(
        _ operation: GraphQLDocument.Operation, _ document: GraphQLDocument,
        _ variables: [String: GraphQLInput], _ world: GraphQLWorld
    ) -> SimulatedAnswer {
        var executor = GraphQLExecutor(document, .github, variables, world)
        var data = JSONWriter(capacity: 262_144)
        executor.write(operation, &data)
        var json = JSONWriter(capacity: data.bytes.count + 256)
        json.object { json in
            json.key("data")
            json.raw(data.bytes)
            Self.write(executor.errors, &json)
        }
        return GitHubAnswer.graphQL(json.bytes)
    }

    private func variables(
        of operation: GraphQLDocument.Operation, _ given: GraphQLInput?
    ) throws -> [String: GraphQLInput] {
        var all: [String: GraphQLInput] = [:]
        if case .object(let members) = given { all = members }
        for variable in operation.variables {
            let value = all[variable.name] ?? variable.standard
            guard variable.type.takes(value ?? .null) else {
                throw GraphQLError(
                    message:
                        "Variable $\(variable.name) of type \(variable.type.text) was provided invalid value",
                    code: "variableMismatch")
            }
            all[variable.name] = value
        }
        return all
    }

    static func limited(_ caller: GitHubCaller) -> SimulatedAnswer {
        let words = "API rate limit exceeded for user ID \(caller.person?.number ?? 0)."
        return failure([GraphQLError(message: words, type: "RATE_LIMITED")])
    }

    private func refused(_ errors: [GraphQLError]) -> SimulatedAnswer { Self.failure(errors) }

    static func failure(_ errors: [GraphQLError]) -> SimulatedAnswer {
        var json = JSONWriter()
        json.object { json in write(errors, &json) }
        return GitHubAnswer.graphQL(json.bytes)
    }

    private static func write(_ errors: [GraphQLError], _ json: inout JSONWriter) {
        guard !errors.isEmpty else { return }
        json.key("errors")
        json.array { json in
            for error in errors {
                json.object { json in write(error, &json) }
            }
        }
    }

    private static func write(_ error: GraphQLError, _ json: inout JSONWriter) {
        if let type = error.type {
            json.key("type")
            json.string(type)
        }
        if !error.path.isEmpty {
            json.key("path")
            json.array { json in
                for part in error.path {
                    if let index = Int(part) { json.number(index) } else { json.string(part) }
                }
            }
        }
        if let code = error.code {
            json.key("extensions")
            json.object { json in
                json.key("code")
                json.string(code)
            }
        }
        if let place = error.place {
            json.key("locations")
            json.raw(#"[{"line":\#(place.line),"column":\#(place.column)}]"#)
        }
        json.key("message")
        json.string(error.message)
    }
}
