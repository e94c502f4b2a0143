import Foundation
import TextFormats

/// The response to `RepositoryQuery.nodes`.
struct GraphQLRepositoryParser: Sendable {
    /// GitHub returns null for deleted and hidden repositories, which are left out.
    package private(set) var found: [FetchedRepository] = []
    package private(set) var refused = 0
    private(set) var hasNodes = false
    package private(set) var problem: String?
    /// True if the host's schema lacks a field, or the token lacks a scope.
    private(set) var isUnsupported = false

    package init(_ body: Data, now: Date) throws {
        let envelope = try GraphQLEnvelope(body, now: now) { reader, name in
            if name == "nodes" { hasNodes = try reader.list { try add(&$0, now) } }
        }
        problem = envelope.problems.first.map { $0.message.isEmpty ? $0.type : $0.message }
        isUnsupported = envelope.problems.contains { $0.isUnknownField || $0.isMissingScope }
    }

    private mutating func add(_ reader: inout JSONReader, _ now: Date) throws {
        guard found.count + refused < RepositoryQuery.maximum, try !reader.isNull() else { return }
        switch try reader.attempt({ try Self.node(&$0, now) }) {
        case .success(let node): if let node { found.append(node) }
        case .failure: refused += 1
        }
    }

    /// Returns nil for a node of another type, which is an empty object.
    private static func node(_ reader: inout JSONReader, _ now: Date) throws -> FetchedRepository? {
        var draft = RepositoryBuilder()
        draft.hasParentField = true
        var isEmpty = true
        var open: [Int] = []
        try reader.object { reader, name in
            isEmpty = false
            if try !draft.read(name, &reader) { try read(name, &reader, &draft, &open) }
        }
        guard !isEmpty else { return nil }
        // REST counts both as open issues.
        draft.openIssues = open.count == 2 ? open.reduce(0, +) : nil
        let found = try draft.found(now: now)
        guard found.detail != nil else { throw ValidationError(field: "stargazerCount", why: "is missing") }
        return found
    }

    private static func read(
        _ name: String, _ reader: inout JSONReader, _ draft: inout RepositoryBuilder, _ open: inout [Int]
    ) throws {
        switch name {
        case "databaseId": draft.id = try reader.int()
        case "id": draft.nodeId = try reader.string()
        case "url": draft.htmlURL = try reader.string()
        case "issues", "pullRequests":
            try reader.object { if $1 == "totalCount", let count = try $0.count() { open.append(count) } }
        case "primaryLanguage": draft.language = try reader.string(of: "name")
        case "defaultBranchRef": draft.defaultBranch = try reader.string(of: "name")
        case "parent": draft.parent = try reader.string(of: "nameWithOwner")
        case "repositoryTopics":
            var topics: [String] = []
            try reader.nodes { node in
                try node.object {
                    if $1 == "topic", let topic = try $0.string(of: "name") { topics.append(topic) }
                }
            }
            draft.topics = topics
        default: break
        }
    }
}

enum RepositoryQuery {
    /// GitHub charges one point for fifty.
    package static let maximum = 50

    package static let nodes = """
        query Repositories($ids: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          nodes(ids: $ids) { ... on Repository {
            databaseId id name nameWithOwner owner { __typename login avatarUrl } description isFork
            isPrivate visibility url stargazerCount forkCount issues(states: OPEN) { totalCount }
            pullRequests(states: OPEN) { totalCount } primaryLanguage { name } licenseInfo { spdxId name }
            repositoryTopics(first: 20) { nodes { topic { name } } } isArchived
            defaultBranchRef { name } pushedAt createdAt homepageUrl parent { nameWithOwner }
          } }
        }
        """

    package static func nodeId(of repository: Repository) -> String? {
        repository.nodeId.flatMap { isNodeId($0) ? $0 : nil }
    }

    /// True for 1 to 100 letters, digits and `_ + / = -`.
    static func isNodeId(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }
}
