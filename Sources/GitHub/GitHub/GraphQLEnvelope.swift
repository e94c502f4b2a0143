import Foundation
import TextFormats

/// The part of a GraphQL response that is the same for every query: errors, rate limit and cost.
struct GraphQLEnvelope: Sendable {
    /// An item of `errors`.
    struct Problem: Equatable, Sendable {
        var message = ""
        var type = ""
        /// The field's alias in the query.
        var alias: String?
        fileprivate var hasPath = false

        init(message: String) { self.message = message }

        var isMissingScope: Bool { type == "INSUFFICIENT_SCOPES" }

        /// The type was RATE_LIMITED and is now RATE_LIMIT. A secondary limit has no type. Errors with a path don't
        /// count: their message may quote the user's search text.
        fileprivate var isLimit: Bool {
            type.hasPrefix("RATE_LIMIT") || !hasPath && GitHubFailure.isLimitMessage(message)
        }

        /// GitHub gave up on the query, because it took too long or an internal error occurred.
        var isOutage: Bool {
            let text = message.lowercased()
            return type == "TIMEOUT"
                || [
                    "something went wrong", "timed out", "timedout", "timeout",
                    "respond to your request in time",
                ]
                .contains { text.contains($0) }
        }

        /// The host's schema is older than the query.
        var isUnknownField: Bool {
            ["undefinedField", "undefinedType", "argumentNotAccepted", "selectionMismatch"].contains(type)
                || message.containsBytes("doesn't exist on type")
                || message.containsBytes("doesn't accept argument")
        }

        func mentions(_ fields: [String]) -> Bool { fields.contains { message.containsBytes("'\($0)'") } }
    }

    /// GitHub reports one for each result that it hides.
    private static let maximumProblems = 5_000

    var problems: [Problem] = []
    private(set) var budget: RateBudget?
    /// In points.
    private(set) var cost = 1
    private(set) var hasData = false
    /// True for an object with `data` or `errors`, unlike a proxy's page or other JSON.
    private(set) var isGraphQL = false
    /// The message of a rate limit. A secondary limit may have the shape of a REST error, without `errors`.
    private(set) var limit: String?

    /// Throws `JSONReader.Malformed`.
    ///
    /// - Parameter field: reads a field of `data`
    init(
        _ body: Data, now: Date, field: (inout JSONReader, String) throws -> Void = { _, _ in }
    ) throws {
        var message: String?
        var hasDataField = false
        var reader = JSONReader(body)
        try reader.object { reader, name in
            switch name {
            case "data":
                hasDataField = true
                hasData = try reader.object { reader, name in
                    if name == "rateLimit" { try readLimit(&reader, now) } else { try field(&reader, name) }
                }
            case "errors":
                isGraphQL = try reader.list { reader in
                    if problems.count < Self.maximumProblems { problems.append(try Problem(&reader)) }
                }
            case "message": message = try reader.string()
            default: break
            }
        }
        try reader.end()
        isGraphQL = isGraphQL || hasDataField
        limit =
            problems.first(where: \.isLimit)?.message
            ?? message.flatMap { !hasDataField && GitHubFailure.isLimitMessage($0) ? $0 : nil }
    }

    private mutating func readLimit(_ reader: inout JSONReader, _ now: Date) throws {
        var (limit, remaining, reset): (Int?, Int?, Date?) = (nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "cost": cost = max(1, try reader.count() ?? 1)
            case "limit": limit = try reader.count()
            case "remaining": remaining = try reader.count()
            case "resetAt": reset = try reader.time()
            default: break
            }
        }
        guard let limit, let remaining, let reset else { return }
        budget = RateBudget(
            resource: "graphql", limit: limit, remaining: remaining,
            resetAt: min(reset, now + RateBudget.maximumWindow))
    }
}

extension GraphQLEnvelope.Problem {
    fileprivate init(_ reader: inout JSONReader) throws {
        try reader.object { reader, name in
            switch name {
            case "message":
                let text = try reader.string(atMost: 65_536) ?? ""
                message = String(text.unicodeScalars.prefix(300)).sanitized
            case "type": type = try reader.string() ?? ""
            case "path":
                guard try !reader.isNull() else { return }
                hasPath = true
                try reader.list { if alias == nil { alias = try $0.string() } }
            case "extensions":
                let code = try reader.string(of: "code")
                if type.isEmpty { type = code ?? "" }
            default: break
            }
        }
    }
}
