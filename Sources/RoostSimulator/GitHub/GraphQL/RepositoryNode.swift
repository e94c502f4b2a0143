/// A repository as requested by the operation `Repositories`.
struct RepositoryNode: Encodable {
    struct Count: Encodable { let totalCount: Int }

    struct Named: Encodable { let name: String }

    struct Topic: Encodable { let topic: Named }

    struct License: Encodable {
        let spdxId: String
        @Nullable var name: String?
    }

    struct Parent: Encodable { let nameWithOwner: String }

    let databaseId: Int
    let id: String
    let name: String
    let nameWithOwner: String
    let owner: ActorNode
    @Nullable var description: String?
    let isFork: Bool
    let isPrivate: Bool
    let visibility: String
    let url: String
    let stargazerCount: Int
    let forkCount: Int
    let issues: Count
    let pullRequests: Count
    @Nullable var primaryLanguage: Named?
    @Nullable var licenseInfo: License?
    let repositoryTopics: Connection<Topic>
    let isArchived: Bool
    @Nullable var defaultBranchRef: Named?
    @Nullable var pushedAt: String?
    let createdAt: String
    @Nullable var homepageUrl: String?
    @Nullable var parent: Parent?

    /// - Parameter parent: the repository it was forked from, if the caller may see that
    init(_ repository: RepositorySnapshot, parent: RepositorySnapshot?, _ baseURL: GitHubBaseURL) {
        let growth = repository.entry.growth
        (databaseId, id) = (repository.number, repository.nodeID)
        (name, nameWithOwner) = (repository.name, repository.fullName)
        owner = ActorNode(
            __typename: repository.owner.type, login: repository.owner.login,
            avatarUrl: baseURL.avatar(repository.owner.number))
        description = repository.description
        (isFork, isPrivate) = (repository.isFork, repository.isPrivate)
        visibility = repository.visibility.uppercased()
        url = baseURL.page(repository)
        (stargazerCount, forkCount) = (repository.stars, growth.forks)
        // In REST, `open_issues_count` is the sum of both.
        issues = Count(totalCount: growth.issues)
        pullRequests = Count(totalCount: growth.pulls)
        primaryLanguage = repository.language.map { Named(name: $0) }
        licenseInfo = repository.entry.licence.map { License(spdxId: $0, name: repository.licenceName) }
        repositoryTopics = Connection(repository.topics.prefix(20).map { Topic(topic: Named(name: $0)) })
        isArchived = repository.isArchived
        defaultBranchRef = repository.isEmpty ? nil : Named(name: repository.entry.defaultBranch)
        pushedAt = repository.pushedAt.map(GitHubBaseURL.time)
        createdAt = GitHubBaseURL.time(repository.createdAt)
        homepageUrl = repository.homepage
        self.parent = parent.map { Parent(nameWithOwner: $0.fullName) }
    }
}
