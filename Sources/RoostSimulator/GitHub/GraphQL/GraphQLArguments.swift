/// The types of the arguments that the simulator reads.
///
/// Source: the published schema of GitHub's GraphQL API.
enum GraphQLArguments {
    /// Nil: not known, and anything passes.
    static func type(of argument: String, _ field: String, on type: String) -> GraphQLType? {
        own["\(type).\(field)"]?.first { $0.0 == argument }?.1 ?? common[argument]
    }

    /// In the schema's order.
    static func required(by field: String, on type: String) -> [String] {
        (own["\(type).\(field)"] ?? []).filter(\.1.isRequired).map(\.0)
    }

    private static let text = GraphQLType.required(.named("String"))
    private static let id = GraphQLType.required(.named("ID"))

    private static let own: [String: [(String, GraphQLType)]] = [
        "Query.search": [("query", text), ("type", .required(.named("SearchType")))],
        "Query.node": [("id", id)], "Query.nodes": [("ids", .required(.list(id)))],
        "Query.repository": [("owner", text), ("name", text)], "Query.user": [("login", text)],
        "Repository.pullRequest": [("number", .required(.named("Int")))],
    ]

    private static let common: [String: GraphQLType] = [
        "first": .named("Int"), "last": .named("Int"), "after": .named("String"), "before": .named("String"),
        "size": .named("Int"), "skip": .named("Int"), "dryRun": .named("Boolean"),
        "followRenames": .named("Boolean"), "writersOnly": .named("Boolean"),
    ]
}
