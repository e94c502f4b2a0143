/// A pull request as the operation `Inbox` asks for it.
struct SimulatedPullNode: Encodable {
    struct Name: Encodable {
        let nameWithOwner: String
        @Nullable var viewerPermission: String?
    }

    struct AutoMerge: Encodable { let enabledAt: String }

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

    struct Suite: Encodable {
        /// Null until it has ended.
        @Nullable var conclusion: String?
        let updatedAt: String
    }

    struct StatusContext: Encodable {
        let state: String
        let createdAt: String
    }

    struct Status: Encodable { let contexts: [StatusContext] }

    struct Head: Encodable {
        let committedDate: String
        let checkSuites: Connection<Suite>
        @Nullable var status: Status?
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
        @Nullable var requestedReviewer: Reviewer?
    }

    struct Commit: Encodable { let oid: String }

    struct Review: Encodable {
        var id: String?
        let state: String
        let submittedAt: String
        /// Nil where it is not asked for, as `commit` and `id`.
        var author: ActorNode?
        var commit: Commit?
    }

    struct Comment: Encodable {
        let createdAt: String
        let author: ActorNode
    }

    struct ThreadComment: Encodable {
        let createdAt: String
        let author: ActorNode
        /// The world's threads begin without a review.
        @Nullable var pullRequestReview: Node?
    }

    struct Node: Encodable { let id: String }

    struct Thread: Encodable {
        let isResolved: Bool
        /// In the talk.
        var comments: Connection<ThreadComment>?
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
    /// Nil where it is not asked for, as `autoMergeRequest`.
    var isInMergeQueue: Bool?
    var autoMergeRequest: Nullable<AutoMerge>?
    @Nullable var author: ActorNode?
    let repository: Name
    let labels: Connection<Label>
    @Nullable var statusCheckRollup: Rollup?
    let commits: Connection<PullRequestCommit>
    let reviewRequests: Connection<ReviewRequest>
    let timelineItems: Connection<PullTimelineNode>
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
