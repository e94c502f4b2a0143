/// The exact documents that Roost sends about pull requests.
enum PullDocument {
    /// Optional parts: some tokens may not ask for teams, some hosts have no merge state.
    struct Options {
        var hasTeams = true
        var hasMergeState = true

        init(of text: String) {
            hasTeams = text.contains("combinedSlug")
            hasMergeState = text.contains("isInMergeQueue")
        }

        init() {}
    }

    static func details(_ options: Options) -> String {
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

    static let checks = """
        query Checks($running: [ID!]!, $open: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          running: nodes(ids: $running) { ... on PullRequest { id ...Checks } }
          open: nodes(ids: $open) {
            ... on PullRequest { id reviewThreads(last: 50) { totalCount nodes { isResolved } } }
          }
        }
        \(ownChecks)
        """

    static let mergeable = """
        query Mergeable($ids: [ID!]!) {
          rateLimit { cost limit remaining resetAt }
          nodes(ids: $ids) { ... on PullRequest { id mergeable } }
        }
        """

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

    static func lists(_ options: Options) -> String {
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

    static let ownChecks = """
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

    static let threads = """
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
