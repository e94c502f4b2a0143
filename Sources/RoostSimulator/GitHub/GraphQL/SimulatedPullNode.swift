/// A pull request as the operation `Inbox` asks for it.
struct SimulatedPullNode: Encodable {
    struct Name: Encodable { let nameWithOwner: String }

    struct Label: Encodable {
        let name: String
        let color: String
    }

    struct Rollup: Encodable { let state: String? }

    struct StateCount: Encodable {
        let state: String
        let count: Int
    }

    struct Contexts: Encodable {
        let checkRunCountsByState: [StateCount]
        let statusContextCountsByState: [StateCount]
    }

    struct Checks: Encodable { let contexts: Contexts }

    struct Head: Encodable {
        let committedDate: String
        @Nullable var statusCheckRollup: Checks?
    }

    struct PullRequestCommit: Encodable { let commit: Head }

    struct Reviewer: Encodable {
        let __typename: String
        /// Of a user.
        var login: String?
        /// Of a team, where it is asked for.
        var combinedSlug: String?
    }

    struct ReviewRequest: Encodable {
        /// Of an event.
        var createdAt: String?
        @Nullable var requestedReviewer: Reviewer?
    }

    struct Commit: Encodable { let oid: String }

    struct Review: Encodable {
        let state: String
        let submittedAt: String
        /// Nil where it is not asked for, as `commit`.
        var author: ActorNode?
        var commit: Commit?
    }

    struct Comment: Encodable {
        let createdAt: String
        let author: ActorNode
    }

    struct Thread: Encodable {
        let isResolved: Bool
        /// In the talk.
        var comments: Connection<Comment>?
    }

    let __typename = "PullRequest"
    let id: String
    let number: Int
    let title: String
    let url: String
    let state: String
    let isDraft: Bool
    let createdAt: String
    let updatedAt: String
    let additions: Int
    let deletions: Int
    let changedFiles: Int
    @Nullable var reviewDecision: String?
    let mergeable: String
    let totalCommentsCount: Int
    let headRefOid: String
    @Nullable var author: ActorNode?
    let repository: Name
    let labels: Connection<Label>
    @Nullable var statusCheckRollup: Rollup?
    let commits: Connection<PullRequestCommit>
    let reviewRequests: Connection<ReviewRequest>
    let timelineItems: Connection<ReviewRequest>
    @Nullable var viewerLatestReview: Review?
    let latestOpinionatedReviews: Connection<Review>
    let reviews: Connection<Review>
    let comments: Connection<Comment>
    let reviewThreads: Connection<Thread>
    /// Nil where it is not asked for.
    var threads: Connection<Thread>?
}

/// Whether a pull request can be merged, as the operation `Mergeable` asks for it.
struct MergeableNode: Encodable {
    let id: String
    let mergeable: String
}
