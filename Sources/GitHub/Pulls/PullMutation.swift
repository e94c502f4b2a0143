/// The acts that GitHub offers only by GraphQL. Values are passed as variables, never in the text.
enum PullMutation {
    static let resolve = """
        mutation ResolveThread($thread: ID!) {
          resolveReviewThread(input: {threadId: $thread}) { thread { isResolved } }
        }
        """

    static let unresolve = """
        mutation UnresolveThread($thread: ID!) {
          unresolveReviewThread(input: {threadId: $thread}) { thread { isResolved } }
        }
        """

    static let markReady = """
        mutation MarkReady($pull: ID!) {
          markPullRequestReadyForReview(input: {pullRequestId: $pull}) { pullRequest { isDraft } }
        }
        """

    static let autoMerge = """
        mutation AutoMerge($pull: ID!, $method: PullRequestMergeMethod!, $head: GitObjectID!) {
          enablePullRequestAutoMerge(
            input: {pullRequestId: $pull, mergeMethod: $method, expectedHeadOid: $head}
          ) { pullRequest { id } }
        }
        """

    static let stopAutoMerge = """
        mutation StopAutoMerge($pull: ID!) {
          disablePullRequestAutoMerge(input: {pullRequestId: $pull}) { pullRequest { id } }
        }
        """

    /// For tests against GitHub's schema.
    static let all = [resolve, unresolve, markReady, autoMerge, stopAutoMerge]
}
