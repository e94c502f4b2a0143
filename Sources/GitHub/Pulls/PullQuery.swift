/// The GraphQL documents that Roost sends to GitHub; values travel as variables, never in the text.
///
/// GitHub counts a query's points by the lists in it, each as often as it may be asked for, whatever it holds. So one
/// document finds out what there is, without a list in it; others tell the rest of what has changed.
enum PullQuery {
    /// How much is asked for: less where the token may not, or GitHub cannot in time.
    package struct Extent: Equatable, Sendable {
        /// Pull requests a search and request, 1 to 100.
        package var pageSize = 100
        /// Teams' names need `read:org`: without it GitHub refuses the whole query.
        package var hasTeams = true
        /// Merge queue and auto-merge, which older Enterprise servers do not have.
        package var hasMergeState = true

        package init(pageSize: Int = 100, hasTeams: Bool = true, hasMergeState: Bool = true) {
            self.pageSize = pageSize
            self.hasTeams = hasTeams
            self.hasMergeState = hasMergeState
        }

        /// Pull requests a request of which everything is asked.
        var detailCount: Int { max(1, pageSize / 2) }
    }

    /// One search of a request. `alias` is its name in the answer: letters and digits.
    package struct Search: Equatable, Sendable {
        package let alias: String
        package let isContinued: Bool

        package init(alias: String, isContinued: Bool = false) {
            self.alias = alias
            self.isContinued = isContinued
        }
    }

    /// All searches in one document: `$q0`, `$q1` ... are what is searched for, `$a0` ... the cursors to go on from. It
    /// has no lists within its lists, and costs one point.
    package static func inbox(_ searches: [Search], _ extent: Extent = Extent()) -> String {
        let variables = searches.enumerated().map { place, search in
            "$q\(place): String!" + (search.isContinued ? ", $a\(place): String!" : "")
        }
        let fields = searches.enumerated().map { place, search in
            """
              \(search.alias): search(query: $q\(place), type: ISSUE, first: \(extent.pageSize)\
            \(search.isContinued ? ", after: $a\(place)" : "")) {
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
            \(overview(extent))
            """
    }

    /// All that is asked of the pull requests `$discussed` and `$others`; of the first also the words on the code, which
    /// tell whether somebody answered.
    package static func details(_ extent: Extent = Extent()) -> String {
        """
        query Details($discussed: [ID!]!, $others: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          discussed: nodes(ids: $discussed) {
            __typename ... on PullRequest { ...Overview ...Lists ...Checks ...Threads }
          }
          others: nodes(ids: $others) { __typename ... on PullRequest { ...Overview ...Lists ...Checks } }
        }
        \(overview(extent))
        \(lists(extent))
        \(ownChecks)
        \(threads)
        """
    }

    /// What changes while `updatedAt` does not: the checks of `$running`, and whether the threads of `$open` are
    /// resolved.
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

    /// Whether the pull requests `$ids` can be merged; GitHub finds that out only once it was asked.
    package static let mergeable = """
        query Mergeable($ids: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          nodes(ids: $ids) { ... on PullRequest { id mergeable } }
        }
        """

    /// One document of every kind, for checking against GitHub's schema.
    package static var all: [String] {
        let searches = [Search(alias: "asked"), Search(alias: "own1", isContinued: true)]
        let extents = [Extent(), Extent(pageSize: 20, hasTeams: false), Extent(hasMergeState: false)]
        return extents.flatMap { [inbox(searches, $0), details($0)] } + [
            inbox([Search(alias: "yours", isContinued: true)]), checks, mergeable,
        ]
    }

    /// The fields that `Extent.hasMergeState` adds.
    static let mergeState = ["isInMergeQueue", "autoMergeRequest"]

    /// What tells whether something changed, and what changes by itself.
    private static func overview(_ extent: Extent) -> String {
        let mergeState = extent.hasMergeState ? " isInMergeQueue autoMergeRequest { enabledAt }" : ""
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

    /// Not seen are: reviewers beyond the hundred that GitHub allows, all but the last 30 events, 30 reviews and 50
    /// comments.
    private static func lists(_ extent: Extent) -> String {
        let reviewer =
            "requestedReviewer { __typename ... on User { login }"
            + (extent.hasTeams ? " ... on Team { combinedSlug } }" : " }")
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

    /// `contexts` is not asked for beside `state`: it would change it. Its counts come without the checks themselves;
    /// that no list is taken without a limit is GitHub's rule. When checks ended is told by their suites, the last 20,
    /// and by the commit's statuses, since a list of all checks of many pull requests is more than GitHub answers in
    /// time.
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

    /// Of the last 15 threads all but the last 30 comments of each. A comment on the code names its review: what is
    /// resolved in threads needs no answer as a review either.
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
