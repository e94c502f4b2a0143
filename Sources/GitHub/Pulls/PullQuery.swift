/// Roost's GraphQL queries. Values are passed as variables, never in the query's text. GitHub charges for each list as
/// often as it may occur in a response, however few items there are. So one query without lists finds what exists, and
/// others fetch the lists of what has changed.
enum PullQuery {
    /// How much is requested: less if the token lacks a scope, or GitHub times out.
    package struct Options: Equatable, Sendable {
        /// Pull requests per search and page, 1 to 100.
        package var pageSize = 100
        /// Team names need `read:org`. Without it, GitHub rejects the whole query.
        package var hasTeams = true
        /// Merge queue, auto-merge and the newer fields of a page, which older Enterprise servers lack.
        package var hasMergeState = true

        package init(pageSize: Int = 100, hasTeams: Bool = true, hasMergeState: Bool = true) {
            self.pageSize = pageSize
            self.hasTeams = hasTeams
            self.hasMergeState = hasMergeState
        }

        var detailCount: Int { max(1, pageSize / 2) }
    }

    /// One search of a query. `alias` has letters and digits only.
    package struct Search: Equatable, Sendable {
        package let alias: String
        package let isContinued: Bool

        package init(alias: String, isContinued: Bool = false) {
            self.alias = alias
            self.isContinued = isContinued
        }
    }

    /// All searches in one query: `$q0`, `$q1` ... are the search texts, `$a0` ... the cursors. Costs one point,
    /// because it has no nested lists.
    package static func inbox(_ searches: [Search], _ options: Options = Options()) -> String {
        let variables = searches.enumerated().map { index, search in
            "$q\(index): String!" + (search.isContinued ? ", $a\(index): String!" : "")
        }
        let fields = searches.enumerated().map { index, search in
            """
              \(search.alias): search(query: $q\(index), type: ISSUE, first: \(options.pageSize)\
            \(search.isContinued ? ", after: $a\(index)" : "")) {
                issueCount
                pageInfo { hasNextPage endCursor }
                nodes { __typename ... on PullRequest { ...Overview } }
              }
            """
        }
        return """
            query Inbox(\(variables.joined(separator: ", "))) {
              viewer { login }
              rateLimit { cost limit remaining resetAt }
            \(fields.joined(separator: "\n"))
            }
            \(overview(options))
            """
    }

    /// Everything about the pull requests `$discussed` and `$others`. Those in `$discussed` include code threads, which
    /// show whether someone answered.
    package static func details(_ options: Options = Options()) -> String {
        """
        query Details($discussed: [ID!]!, $others: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          discussed: nodes(ids: $discussed) {
            __typename ... on PullRequest { ...Overview ...Lists ...Checks ...Threads }
          }
          others: nodes(ids: $others) { __typename ... on PullRequest { ...Overview ...Lists ...Checks } }
        }
        \(overview(options))
        \(lists(options))
        \(ownChecks)
        \(threads)
        """
    }

    /// What changes without a new `updatedAt`: the checks of `$running`, and the resolution of the threads of `$open`.
    package static let checks = """
        query Checks($running: [ID!]!, $open: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          running: nodes(ids: $running) { ... on PullRequest { id ...Checks } }
          open: nodes(ids: $open) {
            ... on PullRequest { id reviewThreads(last: 50) { totalCount nodes { isResolved } } }
          }
        }
        \(ownChecks)
        """

    /// The mergeability of `$ids`. GitHub only determines it once asked.
    package static let mergeable = """
        query Mergeable($ids: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          nodes(ids: $ids) { ... on PullRequest { id mergeable } }
        }
        """

    /// For tests against GitHub's schema.
    package static var all: [String] {
        let searches = [Search(alias: "asked"), Search(alias: "own1", isContinued: true)]
        let variants = [Options(), Options(pageSize: 20, hasTeams: false), Options(hasMergeState: false)]
        return variants.flatMap { [inbox(searches, $0), details($0), page($0)] } + [
            inbox([Search(alias: "yours", isContinued: true)]), checks, mergeable,
        ]
    }

    static let mergeState = ["isInMergeQueue", "autoMergeRequest"]

    /// Fields that show changes, and fields that change without one.
    static func overview(_ options: Options) -> String {
        let mergeState = options.hasMergeState ? " isInMergeQueue autoMergeRequest { enabledAt }" : ""
        return """
            fragment Overview on PullRequest {
              id number title url state isDraft createdAt updatedAt
              reviewDecision mergeable totalCommentsCount headRefOid\(mergeState)
              author { __typename login avatarUrl }
              repository { nameWithOwner viewerPermission }
              statusCheckRollup { state }
            }
            """
    }

    /// Leaves out reviewers beyond GitHub's limit of 100, and all but the last 30 events, 30 reviews and 50 comments.
    private static func lists(_ options: Options) -> String {
        let reviewer =
            "requestedReviewer { __typename ... on User { login }"
            + (options.hasTeams ? " ... on Team { combinedSlug } }" : " }")
        return """
            fragment Lists on PullRequest {
              additions deletions changedFiles
              labels(first: 10) { nodes { name color } }
              reviewRequests(first: 100) { nodes { \(reviewer) } }
              timelineItems(itemTypes: [REVIEW_REQUESTED_EVENT, ASSIGNED_EVENT, READY_FOR_REVIEW_EVENT, \
            REVIEW_DISMISSED_EVENT], last: 30) { nodes {
                __typename
                ... on ReviewRequestedEvent { createdAt \(reviewer) }
                ... on AssignedEvent { createdAt assignee { __typename ... on User { login } } }
                ... on ReadyForReviewEvent { createdAt }
                ... on ReviewDismissedEvent {
                  createdAt previousReviewState pullRequestCommit { id } review { author { __typename login } }
                }
              } }
              viewerLatestReview { state submittedAt commit { oid } }
              latestOpinionatedReviews(first: 20) {
                nodes { state submittedAt author { __typename login } commit { oid } }
              }
              reviews(last: 30) { nodes { id state submittedAt author { __typename login } commit { oid } } }
              comments(last: 50) { totalCount nodes { createdAt author { __typename login } } }
              reviewThreads(last: 50) { totalCount nodes { isResolved } }
            }
            """
    }

    /// Does not request `contexts` next to `state`, which would change it. Counts come without the checks; GitHub
    /// requires a limit on every list. The end of checks comes from the last 20 suites and the commit's statuses: a
    /// list of all checks of many pull requests would time out.
    private static let ownChecks = """
        fragment Checks on PullRequest {
          headRefOid
          statusCheckRollup { state }
          commits(last: 1) { nodes { commit {
            committedDate
            checkSuites(last: 20) { nodes { conclusion updatedAt } }
            status { contexts { state createdAt } }
            statusCheckRollup { contexts(first: 1) {
              checkRunCountsByState { state count } statusContextCountsByState { state count }
            } }
          } } }
        }
        """

    /// The last 30 comments of each of the last 15 threads. Code comments name their review: a review whose threads are
    /// resolved needs no answer.
    private static let threads = """
        fragment Threads on PullRequest {
          threads: reviewThreads(last: 15) { nodes {
            isResolved
            comments(last: 30) { nodes {
              createdAt author { __typename login } pullRequestReview { id }
            } }
          } }
        }
        """
}

/// A search of the inbox. Its results show how a pull request concerns the user.
package enum PullSearch: Hashable, Sendable {
    /// A review is requested, by name or through a team, and not given yet.
    case reviewRequested
    /// Only by name. Not needed if GraphQL returns the reviewers.
    case reviewRequestedByName
    /// Through one team. Not needed if GraphQL returns the reviewers.
    case team(String)
    /// Another author's, assigned to the user.
    case assigned
    case reviewed, commented, yours, mentions
    case own(Int64)

    package var query: String {
        let open = "is:open is:pr archived:false"
        return switch self {
        case .reviewRequested: "\(open) review-requested:@me"
        case .reviewRequestedByName: "\(open) user-review-requested:@me"
        case .team(let name): "\(open) team-review-requested:\(name)"
        case .assigned: "\(open) assignee:@me -author:@me"
        case .reviewed: "\(open) reviewed-by:@me -author:@me"
        case .commented: "\(open) commenter:@me -author:@me"
        case .yours: "\(open) author:@me"
        case .mentions: "\(open) mentions:@me"
        case .own: ""
        }
    }

    package var alias: String {
        switch self {
        case .reviewRequested: "asked"
        case .reviewRequestedByName: "askedByName"
        case .team: "team"
        case .assigned: "assigned"
        case .reviewed: "reviewed"
        case .commented: "commented"
        case .yours: "yours"
        case .mentions: "mentions"
        case .own(let id): "own\(id)"
        }
    }

    package static let standard: [PullSearch] = [
        .reviewRequested, .assigned, .reviewed, .commented, .yours, .mentions,
    ]

    /// Whether code threads are needed to see who answered. A reviewer may have commented only on the code, and GitHub
    /// does not document that `commenter:` finds such comments.
    var includesThreads: Bool { self == .commented || self == .reviewed || self == .yours }
}

struct PullSearchQuery: Hashable, Sendable {
    package let search: PullSearch
    package let query: String

    package init(_ search: PullSearch) {
        self.search = search
        query = search.query
    }

    /// Adds `is:pr` to an own section's query if missing.
    package init(_ section: OwnSection) {
        search = .own(section.id)
        let terms = section.query.lowercased().words
        let hasTypeQualifier = terms.contains { ["is:pr", "type:pr", "is:pull-request"].contains($0) }
        query = hasTypeQualifier ? section.query : "is:pr \(section.query)"
    }
}
