import Foundation
import TextFormats

struct GraphQLPullResponse: Sendable {
    /// Returns true if GitHub refused access to some of a search's results (SAML, an organisation's rules).
    func forbids(_ search: PullSearch) -> Bool {
        problems.contains { $0.type == "FORBIDDEN" && ($0.alias == nil || $0.alias == search.alias) }
    }

    package var login: String?
    private(set) var budget: RateBudget?
    private(set) var cost = 1
    package var pages: [String: PullPage] = [:]
    package var problems: [GraphQLEnvelope.Problem] = []
    package var mergeable: [String: PullRequest.Mergeable] = [:]
    /// From `Details`, by node id.
    var details: [String: FetchedPull] = [:]
    /// From `Checks`, by node id.
    var running: [String: PullBuilder] = [:]
    var threads: [String: PullBuilder] = [:]
    var hasNodes = false
    var hasData = false
    /// True for an object with `data` or `errors`, unlike a proxy's page or other JSON.
    package var isGraphQL = false

    package init(_ body: Data, now: Date) throws {
        let envelope = try GraphQLEnvelope(body, now: now) { try readField($1, &$0, now) }
        problems += envelope.problems
        (budget, cost) = (envelope.budget, envelope.cost)
        (hasData, isGraphQL) = (envelope.hasData, envelope.isGraphQL)
    }

    private mutating func readField(_ name: String, _ reader: inout JSONReader, _ now: Date) throws {
        switch name {
        case "viewer": login = try reader.string(of: "login")
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

    private mutating func node(_ reader: inout JSONReader) throws {
        var (id, mergeability): (String?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "id": id = try reader.string()
            case "mergeable": mergeability = try reader.string()
            default: break
            }
        }
        if let id, let mergeability { mergeable[id] = try? PullBuilder.mergeable(mergeability) }
    }

    private mutating func detail(_ reader: inout JSONReader, _ now: Date, hasThreads: Bool) throws {
        guard details.count < PullFetchResult.maximum, try !reader.isNull() else { return }
        switch try reader.attempt({ try GraphQLPullParser.read(&$0, now: now) }) {
        case .success(let facts):
            guard var facts, let id = facts.nodeId else { return }
            (facts.detailedAt, facts.hasThreads) = (now, hasThreads)
            details[id] = facts
        case .failure(let refused): problems.append(.init(message: refused.refusal.description))
        }
    }

    private static func part(_ reader: inout JSONReader, _ add: (String, PullBuilder) -> Void) throws {
        if let part = try GraphQLPullParser.fields(&reader), let id = part.id { add(id, part) }
    }

    private static func page(_ reader: inout JSONReader, _ now: Date) throws -> PullPage {
        var page = PullPage()
        page.isPresent = try reader.object { reader, name in
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
}
