/// A value that a field answers with.
enum GraphQLValue: Sendable {
    case null
    case string(String)
    case int(Int)
    case bool(Bool)
    case object(GraphQLObject)
    case list([GraphQLValue])
    /// Null, and the reason among the errors.
    case failure(GraphQLError)

    static func string(_ text: String?) -> GraphQLValue { text.map { .string($0) } ?? .null }
    static func time(_ moment: Int?) -> GraphQLValue { .string(moment.map(GitHubPlace.time)) }
    static func object(_ type: String, _ value: (any Sendable)?) -> GraphQLValue {
        value.map { .object(GraphQLObject(type: type, value: $0)) } ?? .null
    }
}

/// Something of the world under the name of its type.
struct GraphQLObject: Sendable {
    let type: String
    let value: any Sendable
}

/// One field of a type: what it leads to, what it takes, and how it is answered.
struct GraphQLField: Sendable {
    /// The type's name, whether alone or in a list; nil for scalars and enumerations.
    let type: String?
    let arguments: Set<String>
    /// Of a connection, which wants `first` or `last`.
    let isConnection: Bool
    let resolve: @Sendable (any Sendable, GraphQLCall) throws -> GraphQLValue
}

/// A field's arguments, with variables filled in, and the world that it is asked of.
struct GraphQLCall: Sendable {
    let arguments: [String: GraphQLInput]
    let world: GraphQLWorld

    subscript(name: String) -> GraphQLInput? {
        arguments[name].flatMap { if case .null = $0 { nil } else { $0 } }
    }
}

/// What queries are answered from.
struct GraphQLWorld: Sendable {
    let moment: GitHubMoment
    let repositories: RepositoryMoment
    let caller: GitHubCaller
    let place: GitHubPlace
    /// After this query was paid for.
    let budget: GitHubBudgets.Window
    let cost: Int
    /// How many it could have found at most.
    let nodes: Int
    /// Whether GitHub has worked out by now if this head merges.
    let knowsMergeable: @Sendable (SimulatedPull) -> Bool
}

/// The part of GitHub's schema that the simulator answers, by its true names.
///
/// Source: the published schema of GitHub's GraphQL API.
package struct GraphQLSchema: Sendable {
    var types: [String: [String: GraphQLField]] = [:]

    /// A union's or interface's concrete types.
    static let abstract: [String: Set<String>] = [
        "Actor": ["User", "Bot", "Organization", "Mannequin", "EnterpriseUserAccount"],
        "RepositoryOwner": ["User", "Organization"],
        "RequestedReviewer": ["User", "Bot", "Mannequin", "Team"],
        "SearchResultItem": [
            "PullRequest", "Issue", "Repository", "User", "Organization", "App", "Discussion",
            "MarketplaceListing",
        ],
        "Assignee": ["User", "Bot", "Mannequin", "Organization"],
        "StatusCheckRollupContext": ["CheckRun", "StatusContext"],
        "PullRequestTimelineItems": [
            "ReviewRequestedEvent", "IssueComment", "PullRequestReview", "PullRequestCommit",
            "ReadyForReviewEvent", "HeadRefForcePushedEvent", "ReviewDismissedEvent", "MergedEvent",
            "ClosedEvent",
        ],
        "Node": [
            "PullRequest", "User", "Bot", "Organization", "Team", "Repository", "PullRequestReview",
            "IssueComment", "Commit", "Label", "CheckRun", "StatusContext", "ReviewRequest",
            "PullRequestReviewThread", "PullRequestReviewComment",
        ],
        "Comment": ["IssueComment", "PullRequestReview", "PullRequestReviewComment", "PullRequest"],
    ]

    /// Unions have no fields of their own but `__typename`.
    static let unions: Set = [
        "RequestedReviewer", "SearchResultItem", "StatusCheckRollupContext", "PullRequestTimelineItems",
        "Assignee",
    ]

    static let github: GraphQLSchema = {
        var schema = GraphQLSchema()
        schema.addQuery()
        schema.addPullRequest()
        schema.addReviews()
        schema.addChecks()
        schema.addPeople()
        schema.addRepository()
        schema.addInterfaces()
        return schema
    }()

    func definition(_ name: String, of type: String) -> GraphQLField? { types[type]?[name] }

    /// Whether an object of the type fits a fragment's condition.
    static func fits(_ type: String, _ condition: String) -> Bool {
        type == condition || abstract[condition]?.contains(type) == true
    }

    /// Whether a fragment may ask for this type at all.
    func knows(_ type: String) -> Bool {
        types[type] != nil || Self.abstract[type] != nil
            || Self.abstract.values.contains { $0.contains(type) }
    }
}

extension GraphQLSchema {
    /// Every field that can be asked for, as "Type.field" with its arguments in alphabetical order.
    package static var outline: [String: [String]] {
        var outline: [String: [String]] = [:]
        for (type, fields) in github.types {
            for (name, field) in fields { outline["\(type).\(name)"] = field.arguments.sorted() }
        }
        return outline
    }

    /// A field of objects that hold a `Value`; `arguments` beside the four of a connection.
    mutating func add<Value: Sendable>(
        _ type: String, of value: Value.Type, _ name: String, _ leadsTo: String? = nil,
        arguments: Set<String> = [],
        _ resolve: @escaping @Sendable (Value, GraphQLCall) throws -> GraphQLValue
    ) {
        types[type, default: [:]][name] = GraphQLField(
            type: leadsTo, arguments: arguments, isConnection: false
        ) { object, call in
            guard let object = object as? Value else { return .null }
            return try resolve(object, call)
        }
    }

    /// A connection to all that `items` answers, cut to a page.
    mutating func connect<Value: Sendable>(
        _ type: String, of value: Value.Type, _ name: String, _ node: String, named connection: String? = nil,
        arguments: Set<String> = [], reach: Int = .max,
        _ items: @escaping @Sendable (Value, GraphQLCall) throws -> [GraphQLValue]
    ) {
        let connection = connection ?? "\(node)Connection"
        addConnection(connection, to: node)
        types[type, default: [:]][name] = GraphQLField(
            type: connection, arguments: arguments.union(["first", "last", "after", "before"]),
            isConnection: true
        ) { object, call in
            guard let object = object as? Value else { return .null }
            let page = try GraphQLPage(try items(object, call), call, field: name, reach: reach)
            return .object(connection, page)
        }
    }

    mutating func addConnection(_ connection: String, to node: String) {
        guard types[connection] == nil else { return }
        let edge = connection.replacing("Connection", with: "Edge")
        add(connection, of: GraphQLPage.self, "totalCount") { page, _ in .int(page.total) }
        add(connection, of: GraphQLPage.self, "nodes", node) { page, _ in .list(page.items) }
        add(connection, of: GraphQLPage.self, "pageInfo", "PageInfo") { page, _ in .object("PageInfo", page) }
        add(connection, of: GraphQLPage.self, "edges", edge) { page, _ in .list(page.edges(edge)) }
        add(edge, of: GraphQLPage.Edge.self, "cursor") { edge, _ in .string(edge.cursor) }
        add(edge, of: GraphQLPage.Edge.self, "node", node) { edge, _ in edge.node }
    }
}
