import GitHub
import TextFormats

/// A repository of the JSON interface, by the model's names; what is not known is left out.
struct RepositoryJSON: Encodable {
    private let id: RepositoryID
    private let nodeId: String?
    private let name, fullName: String
    private let owner: Owner
    private let description: String?
    private let fork: Bool
    private let htmlURL: String
    private let detail: DetailJSON?
    private let fetchedAt: String?

    init(_ item: RepositoryItem) {
        let repository = item.repository
        id = repository.id
        nodeId = repository.nodeId
        name = repository.name
        fullName = repository.fullName
        owner = repository.owner
        description = repository.description
        fork = repository.fork
        htmlURL = repository.htmlURL
        detail = item.detail.map(DetailJSON.init)
        fetchedAt = item.fetchedAt.map(ISO8601.milliseconds)
    }

    private struct DetailJSON: Encodable {
        let stars, forks, openIssues: Int
        let language, licence: String?
        let topics: [String]
        let archived: Bool
        let defaultBranch, pushedAt, createdAt: String
        let homepage, parent: String?

        init(_ detail: RepositoryDetail) {
            stars = detail.stars
            forks = detail.forks
            openIssues = detail.openIssues
            language = detail.language
            licence = detail.licence
            topics = detail.topics
            archived = detail.archived
            defaultBranch = detail.defaultBranch
            pushedAt = ISO8601.milliseconds(detail.pushedAt)
            createdAt = ISO8601.milliseconds(detail.createdAt)
            homepage = detail.homepage
            parent = detail.parent
        }
    }
}
