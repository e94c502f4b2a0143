import Foundation
import RoostSupport
import TextFormats

/// Reads REST's repositories: of the list of all, of searches, of stars, and alone.
enum RESTRepositoryParser {
    /// What one answer lists.
    package struct List: Sendable {
        package var found: [FetchedRepository] = []
        /// Of stars: when, in step with `found`.
        var starredAt: [Date] = []
        /// Malformed items, left out.
        package private(set) var refusals = RefusedRepositories()
        package var refused: Int { refusals.count }
        /// Why the first of them was, for the log.
        package var why: String?
        /// Of a search.
        package var total: Int?
        package var isIncomplete = false

        fileprivate mutating func refuse(_ refusal: ValidationError, named name: String? = nil) {
            refusals.add(.init(name: name, refusal))
            why = why ?? refusal.description
        }
    }

    /// No page has more; one of nothing but crumbs would fill the memory.
    private static let maximumItems = 1_000
    private static let maximumDescriptionLength = 65_536
    private static let maximumTopics = 100

    /// `GET /repositories`. Throws `ValidationError` or `JSONReader.Malformed` for what is no list.
    package static func list(_ body: Data, now: Date) throws -> List {
        var list = List()
        var reader = JSONReader(body)
        guard try reader.list({ try add(&$0, to: &list, now) }) else {
            throw ValidationError(field: "list", why: "is none")
        }
        try reader.end()
        return list
    }

    /// `GET /search/repositories`. Throws as `list`.
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

    /// `GET /user/starred` as `application/vnd.github.star+json`. Throws as `list`.
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
        guard isList else { throw ValidationError(field: "list", why: "is none") }
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

    /// What a star that was refused calls its repository.
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
            case "starred_at": at = try reader.string().flatMap(ISO8601.parse)
            case "repo": found = try item(&reader, now: now)
            default: break
            }
        }
        guard let found else { throw ValidationError(field: "item", why: "is missing") }
        guard let at else { throw ValidationError(field: "starred_at", why: "is missing") }
        return (found, ClockSkew.clamped(at, now: now).date)
    }

    /// - Parameter isWhole: whether the answer would name a parent if there were one
    static func item(_ reader: inout JSONReader, now: Date, isWhole: Bool = false) throws -> FetchedRepository
    {
        var draft = RepositoryBuilder()
        draft.saysParent = isWhole
        let isObject = try reader.object { reader, name in
            if try !list(name, &reader, &draft) { try detail(name, &reader, &draft) }
        }
        guard isObject else { throw ValidationError(field: "item", why: "is no object") }
        return try draft.found(now: now)
    }

    private static func list(
        _ name: String, _ reader: inout JSONReader, _ draft: inout RepositoryBuilder
    ) throws -> Bool {
        switch name {
        case "id": draft.id = try reader.int()
        case "node_id": draft.nodeId = try reader.string()
        case "name": draft.name = try reader.string()
        case "full_name": draft.fullName = try reader.string()
        case "private": draft.isPrivate = try reader.bool()
        // A word that is no word is not "public" either.
        case "visibility": draft.visibility = try reader.isNull() ? nil : reader.string() ?? ""
        case "description": draft.description = try reader.string(atMost: maximumDescriptionLength)
        case "fork": draft.fork = try reader.bool()
        case "html_url": draft.htmlURL = try reader.string()
        case "owner":
            try reader.object { reader, name in
                switch name {
                case "login": draft.login = try reader.string()
                case "type": draft.ownerType = try reader.string()
                case "avatar_url": draft.avatarURL = try reader.string()
                default: break
                }
            }
        default: return false
        }
        return true
    }

    private static func detail(
        _ name: String, _ reader: inout JSONReader, _ draft: inout RepositoryBuilder
    ) throws {
        switch name {
        case "stargazers_count": draft.stars = try reader.count()
        case "forks_count": draft.forks = try reader.count()
        case "open_issues_count": draft.openIssues = try reader.count()
        case "language": draft.language = try reader.string()
        case "archived": draft.archived = try reader.bool()
        case "default_branch": draft.defaultBranch = try reader.string()
        case "pushed_at": draft.pushedAt = try reader.string().flatMap(ISO8601.parse)
        case "created_at": draft.createdAt = try reader.string().flatMap(ISO8601.parse)
        case "homepage": draft.homepage = try reader.string()
        case "topics":
            var topics: [String] = []
            let isList = try reader.list {
                if topics.count < maximumTopics, let topic = try $0.string() { topics.append(topic) }
            }
            draft.topics = isList ? topics : nil
        case "parent":
            try reader.object { if $1 == "full_name" { draft.parent = try $0.string() } }
        case "license":
            try reader.object { reader, name in
                switch name {
                case "spdx_id": draft.licence = try reader.string()
                case "name": draft.licenceName = try reader.string()
                default: break
                }
            }
        default: break
        }
    }
}
