/// A pull request with the parts requested by the operations `Inbox`, `Details` and `Checks`.
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
        var login: String?
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
        /// Nil if not requested; also `commit` and `id`.
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
        /// Threads in the simulated world have no review.
        @Nullable var pullRequestReview: Node?
    }

    struct Node: Encodable { let id: String }

    struct Thread: Encodable {
        let isResolved: Bool
        var comments: Connection<ThreadComment>?
    }

    struct Overview: Encodable {
        let __typename = "PullRequest"
        let number: Int
        let title: String
        let url: String
        let state: String
        let isDraft: Bool
        let createdAt: String
        let updatedAt: String
        @Nullable var reviewDecision: String?
        let mergeable: String
        let totalCommentsCount: Int
        let headRefOid: String
        /// Nil if not requested; also `autoMergeRequest`.
        var isInMergeQueue: Bool?
        var autoMergeRequest: Nullable<AutoMerge>?
        @Nullable var author: ActorNode?
        let repository: Name
        @Nullable var statusCheckRollup: Rollup?
    }

    struct Lists: Encodable {
        let additions: Int
        let deletions: Int
        let changedFiles: Int
        let labels: Connection<Label>
        let reviewRequests: Connection<ReviewRequest>
        let timelineItems: Connection<PullTimelineNode>
        @Nullable var viewerLatestReview: Review?
        let latestOpinionatedReviews: Connection<Review>
        let reviews: Connection<Review>
        let comments: Connection<Comment>
    }

    struct HeadChecks: Encodable {
        let headRefOid: String
        @Nullable var statusCheckRollup: Rollup?
        let commits: Connection<PullRequestCommit>
    }

    struct Resolutions: Encodable {
        let reviewThreads: Connection<Thread>
    }

    struct Threads: Encodable {
        let threads: Connection<Thread>
    }

    private enum CodingKeys: CodingKey { case id }

    let id: String
    var overview: Overview?
    var lists: Lists?
    var checks: HeadChecks?
    var resolutions: Resolutions?
    var threads: Threads?
    /// The fields of `PullPageNode`.
    var page: SimulatedJSON?

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try overview?.encode(to: encoder)
        try lists?.encode(to: encoder)
        try checks?.encode(to: encoder)
        try resolutions?.encode(to: encoder)
        try threads?.encode(to: encoder)
        try page?.encode(to: encoder)
    }
}

struct MergeableNode: Encodable {
    let id: String
    let mergeable: String
}
