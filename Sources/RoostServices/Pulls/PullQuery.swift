/// The GraphQL documents that Roost sends to GitHub; values travel as variables, never in the text.
package enum PullQuery {
    /// How much is asked for: less where the token may not, or GitHub cannot in time.
    package struct Extent: Equatable, Sendable {
        /// Pull requests a search and request, 1 to 50.
        package var pageSize = 50
        /// Teams' names need `read:org`: without it GitHub refuses the whole query.
        package var hasTeams = true
        /// Merge queue and auto-merge, which older Enterprise servers do not have.
        package var hasMergeState = true

        package init(pageSize: Int = 50, hasTeams: Bool = true, hasMergeState: Bool = true) {
            self.pageSize = pageSize
            self.hasTeams = hasTeams
            self.hasMergeState = hasMergeState
        }
    }

    /// One search of a request. `alias` is its name in the answer: letters and digits.
    package struct Search: Equatable, Sendable {
        package let alias: String
        /// With the words on the code, which tell whether somebody answered.
        package let includesThreads: Bool
        package let isContinued: Bool
        /// How many it found the last time; nil where nobody knows.
        package let expected: Int?

        package init(
            alias: String, includesThreads: Bool = false, isContinued: Bool = false, expected: Int? = nil
        ) {
            self.alias = alias
            self.includesThreads = includesThreads
            self.isContinued = isContinued
            self.expected = expected
        }

        /// GitHub's points count what a page may hold, not what it holds: a short list asks for a short page.
        fileprivate func first(_ extent: Extent) -> Int {
            let roomy = expected.flatMap { expected in [10, 20, 35].first { $0 >= expected + 3 } }
            return min(extent.pageSize, isContinued ? extent.pageSize : roomy ?? extent.pageSize)
        }
    }

    /// All searches in one document: `$q0`, `$q1` ... are what is searched for, `$a0` ... the cursors to go on from.
    package static func inbox(_ searches: [Search], _ extent: Extent = Extent()) -> String {
        let variables = searches.enumerated().map { place, search in
            "$q\(place): String!" + (search.isContinued ? ", $a\(place): String!" : "")
        }
        let fields = searches.enumerated().map { place, search in
            """
              \(search.alias): search(query: $q\(place), type: ISSUE, first: \(search.first(extent))\
            \(search.isContinued ? ", after: $a\(place)" : "")) {
                issueCount
                pageInfo { hasNextPage endCursor }
                nodes { __typename ... on PullRequest { ...Facts\(search.includesThreads ? " ...Threads" : "") } }
              }
            """
        }
        let threads = searches.contains(where: \.includesThreads) ? "\n" + self.threads : ""
        return """
            query Inbox(\(variables.joined(separator: ", "))) {
              viewer { login }
              rateLimit { cost limit remaining resetAt }
            \(fields.joined(separator: "\n"))
            }
            \(facts(extent))\(threads)
            """
    }

    /// Whether the pull requests `$ids` can be merged; GitHub finds that out only once it was asked.
    package static let mergeable = """
        query Mergeable($ids: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          nodes(ids: $ids) { ... on PullRequest { id mergeable } }
        }
        """

    /// One document of every kind, for checking against GitHub's schema.
    package static var all: [String] {
        let searches = [
            Search(alias: "asked"), Search(alias: "commented", includesThreads: true),
            Search(alias: "own1", isContinued: true),
        ]
        return [
            inbox(searches), inbox(searches, Extent(pageSize: 10, hasTeams: false)),
            inbox(searches, Extent(hasMergeState: false)),
            inbox([Search(alias: "yours", isContinued: true)]), mergeable,
        ]
    }

    /// The fields that `Extent.hasMergeState` adds.
    static let mergeState = ["isInMergeQueue", "autoMergeRequest"]

    /// `contexts` is not asked for beside `state`: it would change it. Its counts come without the checks themselves;
    /// that no list is taken without a limit is GitHub's rule. When checks ended is told by their suites and by the
    /// commit's statuses, since a list of all checks of many pull requests is more than GitHub answers in time.
    ///
    /// A list costs points by how often it is asked for, not by its length. Not seen are: reviewers beyond the hundred
    /// that GitHub allows, all but the last 20 suites, 30 events, 30 reviews and 50 comments, and of the last 15 threads
    /// all but the last 30 comments of each.
    private static func facts(_ extent: Extent) -> String {
        let reviewer =
            "requestedReviewer { __typename ... on User { login }"
            + (extent.hasTeams ? " ... on Team { combinedSlug } }" : " }")
        let mergeState = extent.hasMergeState ? " isInMergeQueue autoMergeRequest { enabledAt }" : ""
        return """
            fragment Facts on PullRequest {
              id number title url state isDraft createdAt updatedAt additions deletions changedFiles
              reviewDecision mergeable totalCommentsCount headRefOid\(mergeState)
              author { __typename login avatarUrl }
              repository { nameWithOwner viewerPermission }
              labels(first: 10) { nodes { name color } }
              statusCheckRollup { state }
              commits(last: 1) { nodes { commit {
                committedDate
                checkSuites(last: 20) { nodes { conclusion updatedAt } }
                status { contexts { state createdAt } }
                statusCheckRollup { contexts(first: 1) {
                  checkRunCountsByState { state count } statusContextCountsByState { state count }
                } }
              } } }
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

    /// A comment on the code names its review: what is resolved in threads needs no answer as a review either.
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
