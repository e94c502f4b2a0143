import Foundation

/// The answer to an operation: its data, and what is wrong beside it or instead of it.
struct GraphQLResponse<Content: Encodable>: Encodable {
    private let data: Content?
    private let errors: [GraphQLError]?

    init(_ data: Content?, _ errors: [GraphQLError] = []) {
        self.data = data
        self.errors = errors.isEmpty ? nil : errors
    }

    /// As GitHub sends it: status 200, whatever is wrong.
    var response: SimulatedResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return GitHubResponse.graphQL(Array(try encoder.encode(self)))
        } catch {
            return GitHubResponse.failure(500, "\(error)")
        }
    }
}

/// What is wrong with an operation, or with one member of its answer, as GitHub words it.
struct GraphQLError: Error, Encodable {
    /// A member's name, or a place in a list.
    enum Step: Encodable {
        case name(String)
        case place(Int)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .name(let name): try container.encode(name)
            case .place(let place): try container.encode(place)
            }
        }
    }

    let message: String
    /// "NOT_FOUND", "RATE_LIMITED"; nil for what the request itself does wrong.
    var type: String?
    /// To the member that is null; nil where there is no data at all.
    var path: [Step]?
    var extensions: [String: String]?

    /// As an answer without data.
    var response: SimulatedResponse { GraphQLResponse<String>(nil, [self]).response }
}

/// A member that is null where it has no value; a plain optional would leave it out.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// The part of a connection that is asked for.
struct Connection<Node: Encodable>: Encodable {
    /// Of all; nil where it is not asked for.
    var totalCount: Int?
    let nodes: [Node]

    init(_ nodes: [Node], totalCount: Int? = nil) {
        self.nodes = nodes
        self.totalCount = totalCount
    }
}

/// The user, bot or organisation that did something or owns it.
struct ActorNode: Encodable {
    let __typename: String
    let login: String
    /// Nil where it is not asked for.
    var avatarUrl: String?
}

extension ActorNode {
    init(_ person: SimulatedPerson, avatarUrl: String? = nil) {
        self.init(__typename: person.isBot ? "Bot" : "User", login: person.login, avatarUrl: avatarUrl)
    }
}

/// The caller's budget, after the operation was paid for.
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
