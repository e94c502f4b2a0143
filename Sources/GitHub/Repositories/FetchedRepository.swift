import Foundation
import TextFormats

struct FetchedRepository: Equatable, Sendable {
    package let repository: Repository
    /// Nil if the response has no details, as in the list of all repositories.
    package let detail: RepositoryDetail?
    /// Searches and stars don't name a fork's parent; old responses lack topics.
    let hasParentField: Bool
    let hasTopicsField: Bool

    /// Fills in fields that this response lacks from the previous item.
    package func item(after old: RepositoryItem?, at now: Date) -> RepositoryItem {
        guard let detail else {
            return RepositoryItem(repository: repository, detail: old?.detail, fetchedAt: old?.fetchedAt)
        }
        var merged = detail
        if !hasTopicsField { merged.topics = old?.detail?.topics ?? [] }
        if !hasParentField { merged.parent = repository.fork ? old?.detail?.parent : nil }
        return RepositoryItem(repository: repository, detail: merged, fetchedAt: now)
    }
}

/// Collects a repository's fields, which REST and GraphQL name differently.
struct RepositoryBuilder {
    var id: Int?
    var nodeId: String?
    var name: String?
    var fullName: String?
    var owner = GitHubActor()
    var description: String?
    var fork: Bool?
    var htmlURL: String?
    var isPrivate: Bool?
    var visibility: String?
    var stars: Int?
    var forks: Int?
    var openIssues: Int?
    var language: String?
    var licence: String?
    var licenceName: String?
    var topics: [String]?
    var archived: Bool?
    var defaultBranch: String?
    var pushedAt: Date?
    var createdAt: Date?
    var homepage: String?
    var parent: String?
    var hasParentField = false

    private static let maximumDescriptionLength = 65_536

    /// Reads a member that has the same meaning in both. Returns false for any other.
    mutating func read(_ member: String, _ reader: inout JSONReader) throws -> Bool {
        switch member {
        case "name": name = try reader.string()
        case "full_name", "nameWithOwner": fullName = try reader.string()
        case "owner": owner = try GitHubActor(&reader)
        case "description": description = try reader.string(atMost: Self.maximumDescriptionLength)
        case "fork", "isFork": fork = try reader.bool()
        case "private", "isPrivate": isPrivate = try reader.bool()
        // A value that isn't a string isn't "public" either.
        case "visibility": visibility = try reader.isNull() ? nil : reader.string() ?? ""
        case "stargazers_count", "stargazerCount": stars = try reader.count()
        case "forks_count", "forkCount": forks = try reader.count()
        case "archived", "isArchived": archived = try reader.bool()
        case "pushed_at", "pushedAt": pushedAt = try reader.time()
        case "created_at", "createdAt": createdAt = try reader.time()
        case "homepage", "homepageUrl": homepage = try reader.string()
        case "license", "licenseInfo":
            try reader.object { reader, name in
                switch name {
                case "spdx_id", "spdxId": licence = try reader.string()
                case "name": licenceName = try reader.string()
                default: break
                }
            }
        default: return false
        }
        return true
    }

    func found(now: Date) throws -> FetchedRepository {
        FetchedRepository(
            repository: try repository(), detail: detail(now: now), hasParentField: hasParentField,
            hasTopicsField: topics != nil)
    }

    private func repository() throws -> Repository {
        guard let id, let name, let fullName, let fork, let htmlURL else {
            throw ValidationError(field: missingField, why: "is missing")
        }
        guard let login = owner.login else { throw ValidationError(field: "owner", why: "is missing") }
        guard let kind = owner.type.flatMap(Owner.Kind.init(rawValue:)) else {
            throw ValidationError(field: "owner.type", why: "is unknown")
        }
        // Anything that isn't clearly public counts as private.
        let isPublic = isPrivate == false && (visibility == nil || visibility?.lowercased() == "public")
        return try Repository(
            id: RepositoryID(id), nodeId: nodeId, name: name, fullName: fullName,
            owner: Owner(login: login, type: kind, avatarURL: owner.avatarURL), description: description,
            fork: fork, htmlURL: htmlURL, isPrivate: !isPublic)
    }

    private var missingField: String {
        let fields: [(String, Bool)] = [
            ("id", id == nil), ("name", name == nil), ("fullName", fullName == nil), ("fork", fork == nil),
            ("htmlURL", htmlURL == nil),
        ]
        return fields.first(where: \.1)?.0 ?? "field"
    }

    private func detail(now: Date) -> RepositoryDetail? {
        guard let stars, let forks, let openIssues, let createdAt else { return nil }
        let isNamed = licence.map { !$0.isBlank && $0 != "NOASSERTION" } ?? false
        return RepositoryDetail(
            stars: stars, forks: forks, openIssues: openIssues, language: language,
            licence: isNamed ? licence : licenceName, topics: topics ?? [], archived: archived ?? false,
            defaultBranch: defaultBranch ?? "", pushedAt: pushedAt ?? createdAt, createdAt: createdAt,
            homepage: homepage, parent: parent, now: now)
    }
}
