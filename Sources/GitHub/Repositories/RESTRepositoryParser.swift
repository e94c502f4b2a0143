import Foundation
import RoostSupport
import TextFormats

/// Parses REST's responses: the list of all repositories, searches, stars, and single repositories.
enum RESTRepositoryParser {
    package struct List: Sendable {
        package var found: [FetchedRepository] = []
        /// Parallel to `found`; only for stars.
        var starredAt: [Date] = []
        package private(set) var refusals = RefusedRepositories()
        package var refused: Int { refusals.count }
        package var why: String?
        /// Only for searches.
        package var total: Int?
        package var isIncomplete = false

        fileprivate mutating func refuse(_ refusal: ValidationError, named name: String? = nil) {
            refusals.add(.init(name: name, refusal))
            why = why ?? refusal.description
        }
    }

    /// No real page has more; caps memory for hostile responses.
    private static let maximumItems = 1_000
    private static let maximumTopics = 100

    /// `GET /repositories`. Throws `ValidationError` or `JSONReader.Malformed` if the body isn't a list.
    package static func list(_ body: Data, now: Date) throws -> List {
        var list = List()
        var reader = JSONReader(body)
        guard try reader.list({ try add(&$0, to: &list, now) }) else {
            throw ValidationError(field: "list", why: "is not a list")
        }
        try reader.end()
        return list
    }

    /// `GET /search/repositories`. Throws like `list`.
    package static func search(_ body: Data, now: Date) throws -> List {
        var list = List()
        var hasItems = false
        var reader = JSONReader(body)
        try reader.object { reader, name in
            switch name {
            case "total_count": list.total = try reader.count()
            case "incomplete_results": list.isIncomplete = try reader.bool() ?? false
            case "items": hasItems = try reader.list { try add(&$0, to: &list, now) }
            default: break
            }
        }
        try reader.end()
        guard hasItems else { throw ValidationError(field: "items", why: "is missing") }
        return list
    }

    /// `GET /user/starred` as `application/vnd.github.star+json`. Throws like `list`.
    package static func stars(_ body: Data, now: Date) throws -> List {
        var list = List()
        var reader = JSONReader(body)
        let isList = try reader.list { reader in
            guard list.found.count + list.refused < maximumItems else { return }
            var probe = reader
            switch try reader.attempt({ try star(&$0, now: now) }) {
            case .success(let star):
                list.found.append(star.found)
                list.starredAt.append(star.at)
            case .failure(let refused): list.refuse(refused.refusal, named: try starredName(&probe))
            }
        }
        guard isList else { throw ValidationError(field: "list", why: "is not a list") }
        try reader.end()
        return list
    }

    /// `GET /repos/OWNER/NAME`. Throws `ValidationError` and `JSONReader.Malformed`.
    package static func detail(_ body: Data, now: Date) throws -> FetchedRepository {
        var reader = JSONReader(body)
        let found = try item(&reader, now: now, isWhole: true)
        try reader.end()
        guard found.detail != nil else { throw ValidationError(field: "stargazers_count", why: "is missing") }
        return found
    }

    private static func starredName(_ reader: inout JSONReader) throws -> String? {
        var (fullName, name): (String?, String?)
        try reader.object { reader, member in
            guard member == "repo" else { return }
            try reader.object { reader, member in
                switch member {
                case "full_name": fullName = try reader.string()
                case "name": name = try reader.string()
                default: break
                }
            }
        }
        return fullName ?? name
    }

    private static func add(_ reader: inout JSONReader, to list: inout List, _ now: Date) throws {
        guard list.found.count + list.refused < maximumItems else { return }
        switch try reader.attempt({ try item(&$0, now: now) }) {
        case .success(let found): list.found.append(found)
        case .failure(let refused): list.refuse(refused.refusal)
        }
    }

    private static func star(
        _ reader: inout JSONReader, now: Date
    ) throws -> (found: FetchedRepository, at: Date) {
        var found: FetchedRepository?
        var at: Date?
        try reader.object { reader, name in
            switch name {
            case "starred_at": at = try reader.time()
            case "repo": found = try item(&reader, now: now)
            default: break
            }
        }
        guard let found else { throw ValidationError(field: "item", why: "is missing") }
        guard let at else { throw ValidationError(field: "starred_at", why: "is missing") }
        return (found, ClockSkew.clamped(at, now: now).date)
    }

    /// - Parameter isWhole: whether the response names a fork's parent
    static func item(_ reader: inout JSONReader, now: Date, isWhole: Bool = false) throws -> FetchedRepository
    {
        var draft = RepositoryBuilder()
        draft.hasParentField = isWhole
        let isObject = try reader.object { reader, name in
            if try !draft.read(name, &reader) { try read(name, &reader, &draft) }
        }
        guard isObject else { throw ValidationError(field: "item", why: "is not an object") }
        return try draft.found(now: now)
    }

    private static func read(
        _ name: String, _ reader: inout JSONReader, _ draft: inout RepositoryBuilder
    ) throws {
        switch name {
        case "id": draft.id = try reader.int()
        case "node_id": draft.nodeId = try reader.string()
        case "html_url": draft.htmlURL = try reader.string()
        case "open_issues_count": draft.openIssues = try reader.count()
        case "language": draft.language = try reader.string()
        case "default_branch": draft.defaultBranch = try reader.string()
        case "topics":
            var topics: [String] = []
            let isList = try reader.list {
                if topics.count < maximumTopics, let topic = try $0.string() { topics.append(topic) }
            }
            draft.topics = isList ? topics : nil
        case "parent": draft.parent = try reader.string(of: "full_name")
        default: break
        }
    }
}
