struct GraphQLRequest {
    struct Rejection: Error {
        let answer: SimulatedResponse

        init(_ answer: SimulatedResponse) { self.answer = answer }
        init(_ error: GraphQLError) { answer = error.response }
    }

    let operation: GitHubOperation
    /// A string or number is stored as a list of one text.
    private var variables: [String: [String]] = [:]

    init(_ request: GitHubRequest) throws(Rejection) {
        guard let body = RawJSON(request.body[...]), body.members != nil else {
            throw Rejection(GitHubResponse.failure(400, "Problems parsing JSON"))
        }
        guard let document = body["query"]?.string else {
            throw Rejection(
                GitHubResponse.failure(400, "A query attribute must be specified and must be a string."))
        }
        let name = body["operationName"]?.string ?? ""
        guard let operation = GitHubOperation(name: name, document: document) else {
            throw Rejection(
                GraphQLError(
                    message: "The simulated GitHub does not know this document of the operation \"\(name)\": "
                        + "GitHubOperation has to follow what Roost sends.",
                    extensions: ["code": "unknownDocument"]))
        }
        self.operation = operation
        for variable in operation.variables {
            let value = body["variables"]?[variable]
            let text =
                variable == "number" ? value.flatMap { $0.number == nil ? nil : $0.text } : value?.string
            guard let texts = value?.elements?.map(\.string) ?? text.map({ [$0] }),
                !texts.contains(nil)
            else {
                throw Rejection(
                    GraphQLError(
                        message: "Variable $\(variable) was provided invalid value",
                        extensions: ["code": "variableMismatch"]))
            }
            variables[variable] = texts.compactMap { $0 }
        }
    }

    func text(_ variable: String) -> String { variables[variable]?.first ?? "" }

    func list(_ variable: String) -> [String] { variables[variable] ?? [] }
}
