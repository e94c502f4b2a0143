import Foundation
import TextFormats

/// A repository as one answer of GitHub's tells of it.
struct FetchedRepository: Equatable, Sendable {
    package let repository: Repository
    /// Nil where the answer has no figures, as in the list of all repositories.
    package let detail: RepositoryDetail?
    /// Searches and stars do not say of what it is a fork; old answers have no topics.
    let saysParent: Bool
    let saysTopics: Bool

    /// With what was known before of the things that this answer does not say.
    package func item(after old: RepositoryItem?, at now: Date) -> RepositoryItem {
        guard let detail else {
            return RepositoryItem(repository: repository, detail: old?.detail, fetchedAt: old?.fetchedAt)
        }
        let known = old?.detail
        let whole = RepositoryDetail(
            stars: detail.stars, forks: detail.forks, openIssues: detail.openIssues,
            language: detail.language, licence: detail.licence,
            topics: saysTopics ? detail.topics : known?.topics ?? [], archived: detail.archived,
            defaultBranch: detail.defaultBranch, pushedAt: detail.pushedAt, createdAt: detail.createdAt,
            homepage: detail.homepage,
            parent: saysParent ? detail.parent : repository.fork ? known?.parent : nil, now: now)
        return RepositoryItem(repository: repository, detail: whole, fetchedAt: now)
    }
}

/// A repository as it is read, field by field; REST and GraphQL name them differently.
struct RepositoryBuilder {
    var id: Int?
    var nodeId: String?
    var name: String?
    var fullName: String?
    var login: String?
    var ownerType: String?
    var avatarURL: String?
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
    var saysParent = false

    /// Throws `ValidationError`.
    func found(now: Date) throws -> FetchedRepository {
        FetchedRepository(
            repository: try repository(), detail: detail(now: now), saysParent: saysParent,
            saysTopics: topics != nil)
    }

    private func repository() throws -> Repository {
        guard let id, let name, let fullName, let fork, let htmlURL else {
            throw ValidationError(field: missing, why: "is missing")
        }
        guard let login else { throw ValidationError(field: "owner", why: "is missing") }
        guard let kind = ownerType.flatMap(Owner.Kind.init(rawValue:)) else {
            throw ValidationError(field: "owner.type", why: "is none that is known")
        }
        // Whatever does not say clearly that everybody may see it is not shown to everybody.
        let isPublic = isPrivate == false && (visibility == nil || visibility?.lowercased() == "public")
        return try Repository(
            id: RepositoryID(id), nodeId: nodeId, name: name, fullName: fullName,
            owner: Owner(login: login, type: kind, avatarURL: avatarURL), description: description,
            fork: fork, htmlURL: htmlURL, isPrivate: !isPublic)
    }

    private var missing: String {
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
