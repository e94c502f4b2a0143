/// A GraphQL operation that Roost sends to GitHub.
///
/// Documents must match byte for byte, so that Roost and the simulator cannot drift apart.
enum GitHubOperation {
    case inbox(InboxDocument)
    case details(PullDocument.Options)
    /// One pull request for its page.
    case page(PullDocument.Options)
    case checks
    case mergeable
    case repositories

    init?(name: String, document: String) {
        switch name {
        case "Inbox":
            guard let inbox = InboxDocument(document) else { return nil }
            self = .inbox(inbox)
        case "Details":
            let options = PullDocument.Options(of: document)
            guard document == PullDocument.details(options) else { return nil }
            self = .details(options)
        case "PullDetails":
            let options = PullDocument.Options(of: document)
            guard document == PullDocument.page(options) else { return nil }
            self = .page(options)
        case "Checks" where document == PullDocument.checks: self = .checks
        case "Mergeable" where document == PullDocument.mergeable: self = .mergeable
        case "Repositories" where document == Self.repositoriesDocument: self = .repositories
        default: return nil
        }
    }

    /// The cost: the requests needed to fill its lists, divided by 100. A search is one request, a list of
    /// nodes is one, and each nested list is one per parent. Each pull request has ten lists. Discussions add
    /// their threads, and the comments of fifteen of them. Checks have three: the last commit, its suites and
    /// its contexts. A page has eight lists, the threads, and the comments of up to a hundred of them.
    ///
    /// Source: docs.github.com, "Rate limits and query limits for the GraphQL API".
    ///
    /// - Parameter count: the number of ids in a variable
    func points(_ count: (_ variable: String) -> Int) -> Int {
        let requests =
            switch self {
            case .inbox(let inbox): inbox.searches.count
            case .details: 2 + count("discussed") * (10 + 1 + 15) + count("others") * 10
            case .page: 8 + 1 + 100
            case .checks: 2 + count("running") * 3 + count("open")
            case .mergeable, .repositories: 1
            }
        return max(1, (requests + 50) / 100)
    }

    /// Whether it asks for team names, which a classic token without `read:org` may not.
    var hasTeams: Bool {
        switch self {
        case .details(let options), .page(let options): options.hasTeams
        default: false
        }
    }

    var variables: [String] {
        switch self {
        case .inbox(let inbox):
            inbox.searches.enumerated().flatMap { index, search in
                search.isContinued ? ["q\(index)", "a\(index)"] : ["q\(index)"]
            }
        case .details: ["discussed", "others"]
        case .page: ["owner", "name", "number"]
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
