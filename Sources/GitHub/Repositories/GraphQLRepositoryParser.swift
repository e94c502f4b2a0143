import Foundation
import TextFormats

/// GraphQL's answer to the question for repositories.
struct GraphQLRepositoryParser: Sendable {
    /// What could be read; GitHub answers null for what is gone or not to be seen.
    package private(set) var found: [FetchedRepository] = []
    package private(set) var refused = 0
    /// An object with `data` that has a list of nodes.
    private(set) var hasNodes = false
    /// What GitHub said beside it.
    package private(set) var problem: String?
    /// The host's schema is another one, or the token may not use it.
    private(set) var isLack = false

    private static let maximumDescriptionLength = 65_536

    /// Throws `JSONReader.Malformed`.
    package init(_ body: Data, now: Date) throws {
        var reader = JSONReader(body)
        try reader.object { reader, name in
            switch name {
            case "data":
                try reader.object { reader, name in
                    if name == "nodes" { hasNodes = try reader.list { try add(&$0, now) } }
                }
            case "errors": try reader.list { try note(&$0) }
            default: break
            }
        }
        try reader.end()
    }

    private mutating func note(_ reader: inout JSONReader) throws {
        var (message, type): (String?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "message": message = try reader.string(atMost: 65_536)
            case "type": type = try reader.string()
            case "extensions": try reader.object { if $1 == "code", type == nil { type = try $0.string() } }
            default: break
            }
        }
        let words = String((message ?? type ?? "").unicodeScalars.prefix(200)).sanitized
        problem = problem ?? words
        let isUnknown = words.containsBytes("doesn't exist on type") || type == "undefinedField"
        isLack = isLack || isUnknown || type == "INSUFFICIENT_SCOPES"
    }

    private mutating func add(_ reader: inout JSONReader, _ now: Date) throws {
        guard found.count + refused < RepositoryQuery.maximum, try !reader.isNull() else { return }
        switch try reader.attempt({ try Self.node(&$0, now) }) {
        case .success(let node): if let node { found.append(node) }
        case .failure: refused += 1
        }
    }

    /// Nil for a node of another kind, which comes as an empty object.
    private static func node(_ reader: inout JSONReader, _ now: Date) throws -> FetchedRepository? {
        var draft = RepositoryBuilder()
        draft.saysParent = true
        var isEmpty = true
        var open: [Int] = []
        try reader.object { reader, name in
            isEmpty = false
            if try !plain(name, &reader, &draft) { try connection(name, &reader, &draft, &open) }
        }
        guard !isEmpty else { return nil }
        // REST counts both as open issues.
        draft.openIssues = open.count == 2 ? open.reduce(0, +) : nil
        let found = try draft.found(now: now)
        guard found.detail != nil else { throw ValidationError(field: "stargazerCount", why: "is missing") }
        return found
    }

    private static func plain(
        _ name: String, _ reader: inout JSONReader, _ draft: inout RepositoryBuilder
    ) throws -> Bool {
        switch name {
        case "databaseId": draft.id = try reader.int()
        case "id": draft.nodeId = try reader.string()
        case "name": draft.name = try reader.string()
        case "nameWithOwner": draft.fullName = try reader.string()
        case "description": draft.description = try reader.string(atMost: maximumDescriptionLength)
        case "isFork": draft.fork = try reader.bool()
        case "isPrivate": draft.isPrivate = try reader.bool()
        case "visibility": draft.visibility = try reader.isNull() ? nil : reader.string() ?? ""
        case "url": draft.htmlURL = try reader.string()
        case "stargazerCount": draft.stars = try reader.count()
        case "forkCount": draft.forks = try reader.count()
        case "isArchived": draft.archived = try reader.bool()
        case "pushedAt": draft.pushedAt = try reader.string().flatMap(ISO8601.parse)
        case "createdAt": draft.createdAt = try reader.string().flatMap(ISO8601.parse)
        case "homepageUrl": draft.homepage = try reader.string()
        default: return false
        }
        return true
    }

    private static func connection(
        _ name: String, _ reader: inout JSONReader, _ draft: inout RepositoryBuilder, _ open: inout [Int]
    ) throws {
        switch name {
        case "owner": try owner(&reader, &draft)
        case "issues", "pullRequests":
            try reader.object { if $1 == "totalCount", let count = try $0.count() { open.append(count) } }
        case "primaryLanguage": draft.language = try text("name", &reader)
        case "defaultBranchRef": draft.defaultBranch = try text("name", &reader)
        case "parent": draft.parent = try text("nameWithOwner", &reader)
        case "licenseInfo":
            try reader.object { reader, name in
                switch name {
                case "spdxId": draft.licence = try reader.string()
                case "name": draft.licenceName = try reader.string()
                default: break
                }
            }
        case "repositoryTopics":
            var topics: [String] = []
            try reader.nodes { node in
                try node.object {
                    if $1 == "topic", let topic = try text("name", &$0) { topics.append(topic) }
                }
            }
            draft.topics = topics
        default: break
        }
    }

    private static func owner(_ reader: inout JSONReader, _ draft: inout RepositoryBuilder) throws {
        try reader.object { reader, name in
            switch name {
            case "__typename": draft.ownerType = try reader.string()
            case "login": draft.login = try reader.string()
            case "avatarUrl": draft.avatarURL = try reader.string()
            default: break
            }
        }
    }

    /// One text of an object; nil for null.
    private static func text(_ field: String, _ reader: inout JSONReader) throws -> String? {
        var text: String?
        try reader.object { if $1 == field { text = try $0.string() } }
        return text
    }
}
