/// An operation that Roost sends to GitHub's GraphQL.
///
/// Its document is known to the byte: what Roost asks for otherwise is refused, so that the two cannot drift apart.
enum GitHubOperation {
    case inbox(InboxDocument)
    case mergeable
    case repositories

    /// Nil for an operation, or a document, that Roost does not send.
    init?(name: String, document: String) {
        switch name {
        case "Inbox":
            guard let inbox = InboxDocument(document) else { return nil }
            self = .inbox(inbox)
        case "Mergeable" where document == Self.mergeableDocument: self = .mergeable
        case "Repositories" where document == Self.repositoriesDocument: self = .repositories
        default: return nil
        }
    }

    /// The requests that its lists take, added and divided by 100.
    ///
    /// Source: docs.github.com, "Rate limits and query limits for the GraphQL API".
    var points: Int {
        guard case .inbox(let inbox) = self else { return 1 }
        return max(1, (inbox.requests + 50) / 100)
    }

    /// Whether it asks for teams' names, which classic tokens without `read:org` may not.
    var hasTeams: Bool { if case .inbox(let inbox) = self { inbox.hasTeams } else { false } }

    /// The names of its variables, each a text or a list of texts.
    var variables: [String] {
        guard case .inbox(let inbox) = self else { return ["ids"] }
        return inbox.searches.enumerated().flatMap { place, search in
            search.isContinued ? ["q\(place)", "a\(place)"] : ["q\(place)"]
        }
    }

    private static let mergeableDocument = """
        query Mergeable($ids: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          nodes(ids: $ids) { ... on PullRequest { id mergeable } }
        }
        """

    private static let repositoriesDocument = """
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
}
