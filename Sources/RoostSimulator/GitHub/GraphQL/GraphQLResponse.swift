import TextFormats

struct GraphQLResponse<Content: Encodable>: Encodable {
    private let data: Content?
    private let errors: [GraphQLError]?

    init(_ data: Content?, _ errors: [GraphQLError] = []) {
        self.data = data
        self.errors = errors.isEmpty ? nil : errors
    }

    /// Status 200 even with errors, like GitHub.
    var response: SimulatedResponse {
        do {
            return GitHubResponse.graphQL(try StableJSON.bytes(of: self))
        } catch {
            return GitHubResponse.failure(500, "\(error)")
        }
    }
}

/// An error of an operation or of one member, in GitHub's wording.
struct GraphQLError: Error, Encodable {
    enum Step: Encodable {
        case name(String)
        case index(Int)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .name(let name): try container.encode(name)
            case .index(let index): try container.encode(index)
            }
        }
    }

    let message: String
    /// "NOT_FOUND", "RATE_LIMITED"; nil for errors in the request itself.
    var type: String?
    /// The path of the null member, or nil without data.
    var path: [Step]?
    var extensions: [String: String]?

    var response: SimulatedResponse { GraphQLResponse<String>(nil, [self]).response }
}

/// Encodes nil as null; a plain optional would omit the member.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// The requested part of a connection.
struct Connection<Node: Encodable>: Encodable {
    var totalCount: Int?
    let nodes: [Node]

    init(_ nodes: [Node], totalCount: Int? = nil) {
        self.nodes = nodes
        self.totalCount = totalCount
    }
}

struct ActorNode: Encodable {
    let __typename: String
    let login: String
    var avatarUrl: String?
}

extension ActorNode {
    init(_ person: SimulatedPerson, avatarUrl: String? = nil) {
        self.init(__typename: person.isBot ? "Bot" : "User", login: person.login, avatarUrl: avatarUrl)
    }
}

struct RateLimitNode: Encodable {
    let cost: Int
    let limit: Int
    let remaining: Int
    let resetAt: String

    init(_ window: GitHubBudgets.Window, cost: Int) {
        self.cost = cost
        limit = window.limit
        remaining = window.remaining
        resetAt = GitHubBaseURL.time(window.resetsAt)
    }
}
