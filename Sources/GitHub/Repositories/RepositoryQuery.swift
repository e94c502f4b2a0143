/// The GraphQL query for repositories' details, fifty at a time.
enum RepositoryQuery {
    /// GitHub counts fifty as one point.
    package static let maximum = 50

    /// The repositories `$ids` by their node ids.
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

    /// Returns a repository's node id if it has one that can be asked for.
    package static func nodeId(of repository: Repository) -> String? {
        repository.nodeId.flatMap { isNodeId($0) ? $0 : nil }
    }

    /// Whether a node id can be one: letters, figures and `_ + / = -`, 100 at most.
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
