extension PullQuery {
    /// One pull request with all that its page shows, except its files.
    ///
    /// Costs one point: eight lists that are requested once (labels, review requests, two lists of reviews, commits,
    /// checks, issues and the timeline), the threads, and the comments of up to 100 threads are 109 requests, which
    /// GitHub divides by 100 and rounds. It can return at most 5,500 nodes of 500,000. (docs.github.com, "Rate limits
    /// and query limits for the GraphQL API")
    static func page(_ options: Options = Options()) -> String {
        """
        query PullDetails($owner: String!, $name: String!, $number: Int!) {
          rateLimit { cost limit remaining resetAt }
          repository(owner: $owner, name: $name) {
            mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed isArchived
            pullRequest(number: $number) { __typename ...Overview ...Page }
          }
        }
        \(overview(options))
        \(pageFields(options))
        """
    }

    private static let person = "{ __typename login avatarUrl }"

    private static func pageFields(_ options: Options) -> String {
        let reviewer =
            "requestedReviewer { __typename ... on User { login avatarUrl }"
            + (options.hasTeams ? " ... on Team { combinedSlug } }" : " }")
        let isRequired = options.hasMergeState ? " isRequired(pullRequestNumber: $number)" : ""
        let workflow = options.hasMergeState ? " checkSuite { workflowRun { workflow { name } } }" : ""
        let rights = options.hasMergeState ? " viewerCanUpdateBranch viewerCanEnableAutoMerge" : ""
        let issues =
            options.hasMergeState
            ? """

              closingIssuesReferences(first: 20) {
                nodes { number title url closed repository { nameWithOwner } }
              }
            """ : ""
        return """
            fragment Page on PullRequest {
              additions deletions changedFiles bodyHTML baseRefName baseRefOid headRefName isCrossRepository
              headRepository { nameWithOwner }
              viewerCanUpdate viewerDidAuthor\(rights)
              labels(first: 20) { nodes { name color } }
              reviewRequests(first: 50) { nodes { \(reviewer) } }
              latestReviews(first: 50) { nodes { state submittedAt author \(person) commit { oid } } }
              latestOpinionatedReviews(first: 50) {
                nodes { state submittedAt author \(person) commit { oid } }
              }
              commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { nodes {
                __typename
                ... on CheckRun {
                  name status conclusion startedAt completedAt detailsUrl\(isRequired)\(workflow)
                }
                ... on StatusContext { context state createdAt targetUrl\(isRequired) }
              } } } } } }\(issues)
              timelineItems(itemTypes: [ISSUE_COMMENT, PULL_REQUEST_REVIEW, PULL_REQUEST_COMMIT, \
            HEAD_REF_FORCE_PUSHED_EVENT, REVIEW_REQUESTED_EVENT, REVIEW_REQUEST_REMOVED_EVENT, \
            RENAMED_TITLE_EVENT, READY_FOR_REVIEW_EVENT, CONVERT_TO_DRAFT_EVENT, CLOSED_EVENT, REOPENED_EVENT, \
            MERGED_EVENT], last: 100) { totalCount nodes {
                __typename
                ... on IssueComment { id createdAt url isMinimized bodyHTML author \(person) }
                ... on PullRequestReview { id state submittedAt url bodyHTML author \(person) }
                ... on PullRequestCommit {
                  pushed: commit { oid committedDate messageHeadline author { name user { login } } }
                }
                ... on HeadRefForcePushedEvent {
                  createdAt actor \(person) beforeCommit { oid } afterCommit { oid }
                }
                ... on ReviewRequestedEvent { createdAt actor \(person) \(reviewer) }
                ... on ReviewRequestRemovedEvent { createdAt actor \(person) \(reviewer) }
                ... on RenamedTitleEvent { createdAt actor \(person) previousTitle currentTitle }
                ... on ReadyForReviewEvent { createdAt actor \(person) }
                ... on ConvertToDraftEvent { createdAt actor \(person) }
                ... on ClosedEvent { createdAt actor \(person) }
                ... on ReopenedEvent { createdAt actor \(person) }
                ... on MergedEvent { createdAt actor \(person) commit { oid } }
              } }
              reviewThreads(last: 100) { nodes {
                id path line startLine diffSide isResolved isOutdated
                comments(first: 50) { nodes {
                  id createdAt url isMinimized state bodyHTML diffHunk author \(person)
                  pullRequestReview { id }
                } }
              } }
            }
            """
    }
}
