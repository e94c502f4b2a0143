/// An operation that Roost sends to GitHub's GraphQL.
///
/// Its document is known to the byte: what Roost asks for otherwise is refused, so that the two cannot drift apart.
enum GitHubOperation {
    case inbox(InboxDocument)
    case details(PullDocument.Extent)
    case checks
    case mergeable
    case repositories

    /// Nil for an operation, or a document, that Roost does not send.
    init?(name: String, document: String) {
        switch name {
        case "Inbox":
            guard let inbox = InboxDocument(document) else { return nil }
            self = .inbox(inbox)
        case "Details":
            let extent = PullDocument.Extent(of: document)
            guard document == PullDocument.details(extent) else { return nil }
            self = .details(extent)
        case "Checks" where document == PullDocument.checks: self = .checks
        case "Mergeable" where document == PullDocument.mergeable: self = .mergeable
        case "Repositories" where document == Self.repositoriesDocument: self = .repositories
        default: return nil
        }
    }

    /// The requests that its lists take, added and divided by 100: a search is one, a list of nodes is one, and each list
    /// in them one for each of its parents. Ten lists belong to each pull request; the talk adds its threads, and the
    /// comments of fifteen of them. Of checks there are three: the last commit, its suites and its contexts.
    ///
    /// Source: docs.github.com, "Rate limits and query limits for the GraphQL API".
    ///
    /// - Parameter count: how many ids a variable has
    func points(_ count: (_ variable: String) -> Int) -> Int {
        let requests =
            switch self {
            case .inbox(let inbox): inbox.searches.count
            case .details: 2 + count("discussed") * (10 + 1 + 15) + count("others") * 10
            case .checks: 2 + count("running") * 3 + count("open")
            case .mergeable, .repositories: 1
            }
        return max(1, (requests + 50) / 100)
    }

    /// Whether it asks for teams' names, which classic tokens without `read:org` may not.
    var hasTeams: Bool { if case .details(let extent) = self { extent.hasTeams } else { false } }

    /// The names of its variables, each a text or a list of texts.
    var variables: [String] {
        switch self {
        case .inbox(let inbox):
            inbox.searches.enumerated().flatMap { place, search in
                search.isContinued ? ["q\(place)", "a\(place)"] : ["q\(place)"]
            }
        case .details: ["discussed", "others"]
        case .checks: ["running", "open"]
        case .mergeable, .repositories: ["ids"]
        }
    }

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
