/// The document of the operation `Inbox`: several searches, and what is asked of each pull request that they find.
struct InboxDocument {
    struct Search {
        /// Its name in the answer.
        let alias: String
        /// How many a page holds.
        let first: Int
        /// Whether it goes on after a cursor.
        let isContinued: Bool
        /// With the words on the code.
        let includesThreads: Bool
    }

    /// The words of each are the variable `$q0`, `$q1` ..., the cursors `$a0` ...
    let searches: [Search]
    let hasTeams: Bool
    let hasMergeState: Bool

    /// Nil unless it is, byte by byte, the document of the searches that are found in it.
    init?(_ text: String) {
        let search =
            #/(\w+): search\(query: \$q\d+, type: ISSUE, first: (\d{1,3})(, after: \$a\d+)?\) \{\n.*\n.*\n.*\.\.\.Facts( \.\.\.Threads)? \} \}/#
        searches = text.matches(of: search).map { match in
            Search(
                alias: String(match.1), first: Int(match.2) ?? 0, isContinued: match.3 != nil,
                includesThreads: match.4 != nil)
        }
        hasTeams = text.contains("combinedSlug")
        hasMergeState = text.contains("isInMergeQueue")
        guard searches.allSatisfy({ (1...100).contains($0.first) }), self.text == text else { return nil }
    }

    /// What GitHub counts: a search is one request, each list in it one for each of its parents. Ten lists belong
    /// to each pull request; the talk adds its threads, and the comments of fifteen threads.
    var requests: Int { searches.reduce(0) { $0 + 1 + $1.first * ($1.includesThreads ? 10 + 1 + 15 : 10) } }

    private var text: String {
        let variables = searches.enumerated().map { place, search in
            "$q\(place): String!" + (search.isContinued ? ", $a\(place): String!" : "")
        }
        let fields = searches.enumerated().map { place, search in
            """
              \(search.alias): search(query: $q\(place), type: ISSUE, first: \(search.first)\
            \(search.isContinued ? ", after: $a\(place)" : "")) {
                issueCount
                pageInfo { hasNextPage endCursor }
                nodes { __typename ... on PullRequest { ...Facts\(search.includesThreads ? " ...Threads" : "") } }
              }
            """
        }
        return """
            query Inbox(\(variables.joined(separator: ", "))) {
              viewer { login }
              rateLimit { cost limit remaining resetAt }
            \(fields.joined(separator: "\n"))
            }
            \(facts)\(searches.contains(where: \.includesThreads) ? "\n" + Self.threads : "")
            """
    }

    private var facts: String {
        let reviewer =
            "requestedReviewer { __typename ... on User { login }"
            + (hasTeams ? " ... on Team { combinedSlug } }" : " }")
        let mergeState = hasMergeState ? " isInMergeQueue autoMergeRequest { enabledAt }" : ""
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
