import Foundation
import TextFormats

/// GraphQL's answer to a request for the inbox, page by page and error by error.
struct GraphQLPullResponse: Sendable {
    struct Problem: Equatable, Sendable {
        package var message = ""
        package var type = ""
        /// The field of the request that it concerns.
        package var alias: String?

        /// The token may not ask for a field of this query.
        var lacksScope: Bool { type == "INSUFFICIENT_SCOPES" }

        /// GitHub gave up on a query: it took too long, or something broke there.
        var isOutage: Bool {
            let words = message.lowercased()
            return type == "TIMEOUT"
                || [
                    "something went wrong", "timed out", "timedout", "timeout",
                    "respond to your request in time",
                ]
                .contains { words.contains($0) }
        }

        /// The host's schema is older than this query.
        var isUnknownField: Bool {
            ["undefinedField", "undefinedType", "argumentNotAccepted", "selectionMismatch"].contains(type)
                || message.containsBytes("doesn't exist on type")
                || message.containsBytes("doesn't accept argument")
        }

        /// Whether it is about one of these fields.
        func names(_ fields: [String]) -> Bool { fields.contains { message.containsBytes("'\($0)'") } }
    }

    /// Whether GitHub refused access to some of what a search found (SAML, an organisation's rules).
    func forbids(_ search: PullSearch) -> Bool {
        problems.contains { $0.type == "FORBIDDEN" && ($0.alias == nil || $0.alias == search.alias) }
    }

    package var login: String?
    package var budget: RateBudget?
    package var cost = 1
    package var pages: [String: PullPage] = [:]
    package var problems: [Problem] = []
    /// Of `nodes`: whether each can be merged.
    package var mergeable: [String: PullRequest.Mergeable] = [:]
    /// Of `Details`, by their ids.
    var details: [String: FetchedPull] = [:]
    /// Of `Checks`, by their ids: those whose checks were asked for, and those whose threads were.
    var running: [String: PullBuilder] = [:]
    var threads: [String: PullBuilder] = [:]
    /// Whether there is any list of nodes by their ids.
    var hasNodes = false
    var hasData = false
    /// An object with `data` or `errors`; a proxy's page or another JSON is none.
    package var isGraphQL = false

    /// Throws `JSONReader.Malformed`.
    package init(_ body: Data, now: Date) throws {
        var reader = JSONReader(body)
        try reader.object { reader, name in
            switch name {
            case "data":
                isGraphQL = true
                hasData = try reader.object { try readField($1, &$0, now) }
            case "errors": isGraphQL = try reader.list { problems.append(try Self.problem(&$0)) } || isGraphQL
            default: break
            }
        }
        try reader.end()
    }

    private mutating func readField(_ name: String, _ reader: inout JSONReader, _ now: Date) throws {
        switch name {
        case "viewer": login = try GraphQLPullParser.actor(&reader).login
        case "rateLimit": try rateLimit(&reader)
        case "nodes": try reader.list { try node(&$0) }
        case "discussed", "others":
            hasNodes = try reader.list { try detail(&$0, now, hasThreads: name == "discussed") } || hasNodes
        case "running":
            hasNodes = try reader.list { try Self.part(&$0) { running[$0] = $1 } } || hasNodes
        case "open":
            hasNodes = try reader.list { try Self.part(&$0) { threads[$0] = $1 } } || hasNodes
        default: pages[name] = try Self.page(&reader, now)
        }
    }

    private mutating func rateLimit(_ reader: inout JSONReader) throws {
        var (limit, remaining, reset): (Int?, Int?, Date?) = (nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "cost": cost = max(1, try reader.count() ?? 1)
            case "limit": limit = try reader.count()
            case "remaining": remaining = try reader.count()
            case "resetAt": reset = try GraphQLPullParser.time(&reader)
            default: break
            }
        }
        guard let limit, let remaining, let reset else { return }
        budget = RateBudget(resource: "graphql", limit: limit, remaining: remaining, resetAt: reset)
    }

    private mutating func node(_ reader: inout JSONReader) throws {
        var (id, word): (String?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "id": id = try reader.string()
            case "mergeable": word = try reader.string()
            default: break
            }
        }
        if let id, let word { mergeable[id] = try? PullBuilder.mergeable(word) }
    }

    /// One that is null, or malformed, stays as it was known.
    private mutating func detail(_ reader: inout JSONReader, _ now: Date, hasThreads: Bool) throws {
        guard details.count < PullFetchResult.maximum, try !reader.isNull() else { return }
        switch try reader.attempt({ try GraphQLPullParser.read(&$0, now: now) }) {
        case .success(let facts):
            guard var facts, let id = facts.nodeId else { return }
            (facts.detailedAt, facts.hasThreads) = (now, hasThreads)
            details[id] = facts
        case .failure(let refused): problems.append(Problem(message: refused.refusal.description))
        }
    }

    private static func part(_ reader: inout JSONReader, _ take: (String, PullBuilder) -> Void) throws {
        if let part = try GraphQLPullParser.fields(&reader), let id = part.id { take(id, part) }
    }

    private static func page(_ reader: inout JSONReader, _ now: Date) throws -> PullPage {
        var page = PullPage()
        page.isThere = try reader.object { reader, name in
            switch name {
            case "issueCount": page.total = try reader.count() ?? 0
            case "pageInfo": page.next = try next(&reader)
            case "nodes": try reader.list { try page.add(&$0) { try GraphQLPullParser.read(&$0, now: now) } }
            case "edges":
                try reader.list { edge in
                    try edge.object { reader, name in
                        if name == "node" {
                            try page.add(&reader) { try GraphQLPullParser.read(&$0, now: now) }
                        }
                    }
                }
            default: break
            }
        }
        return page
    }

    private static func next(_ reader: inout JSONReader) throws -> String? {
        var (hasNext, cursor): (Bool?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "hasNextPage": hasNext = try reader.bool()
            case "endCursor": cursor = try reader.string()
            default: break
            }
        }
        return hasNext == true ? cursor : nil
    }

    private static func cut(_ text: String) -> String { String(text.unicodeScalars.prefix(300)) }

    private static func problem(_ reader: inout JSONReader) throws -> Problem {
        var problem = Problem()
        try reader.object { reader, name in
            switch name {
            case "message": problem.message = Self.cut(try reader.string(atMost: 65_536) ?? "").sanitized
            case "type": problem.type = try reader.string() ?? ""
            case "path":
                var isFirst = true
                try reader.list {
                    if isFirst { problem.alias = try $0.string() }
                    isFirst = false
                }
            case "extensions":
                try reader.object { reader, name in
                    if name == "code", problem.type.isEmpty { problem.type = try reader.string() ?? "" }
                }
            default: break
            }
        }
        return problem
    }
}
