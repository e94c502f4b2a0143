extension GraphQLSchema {
    private static let pull = "PullRequest"

    mutating func addPullRequest() {
        addPullTexts()
        addPullNumbers()
        addPullStates()
        addPullPeople()
        addPullConnections()
        addPullReviews()
        addTimeline()
    }

    private mutating func addPullTexts() {
        typealias Pull = SimulatedPull
        add(Self.pull, of: Pull.self, "id") { pull, _ in .string(pull.nodeID) }
        add(Self.pull, of: Pull.self, "fullDatabaseId") { pull, _ in .string(String(pull.id)) }
        add(Self.pull, of: Pull.self, "title") { pull, _ in .string(pull.title) }
        for name in ["body", "bodyText"] {
            add(Self.pull, of: Pull.self, name) { pull, _ in .string(pull.body) }
        }
        for name in ["url", "permalink"] {
            add(Self.pull, of: Pull.self, name) { pull, call in .string(call.world.place.page(pull)) }
        }
        add(Self.pull, of: Pull.self, "headRefOid") { pull, _ in .string(pull.head.oid) }
        add(Self.pull, of: Pull.self, "headRefName") { pull, _ in .string("topic-\(pull.number)") }
        add(Self.pull, of: Pull.self, "baseRefName") { _, _ in .string("main") }
        add(Self.pull, of: Pull.self, "authorAssociation") { _, _ in .string("CONTRIBUTOR") }
        for name in ["createdAt", "publishedAt"] {
            add(Self.pull, of: Pull.self, name) { pull, _ in .time(pull.createdAt) }
        }
        add(Self.pull, of: Pull.self, "updatedAt") { pull, _ in .time(pull.updatedAt) }
        add(Self.pull, of: Pull.self, "closedAt") { pull, _ in .time(pull.endedAt) }
        add(Self.pull, of: Pull.self, "mergedAt") { pull, _ in
            .time(pull.state == .merged ? pull.endedAt : nil)
        }
    }

    private mutating func addPullNumbers() {
        typealias Pull = SimulatedPull
        add(Self.pull, of: Pull.self, "number") { pull, _ in .int(pull.number) }
        add(Self.pull, of: Pull.self, "databaseId") { pull, _ in .int(pull.id) }
        add(Self.pull, of: Pull.self, "additions") { pull, _ in .int(pull.additions) }
        add(Self.pull, of: Pull.self, "deletions") { pull, _ in .int(pull.deletions) }
        add(Self.pull, of: Pull.self, "changedFiles") { pull, _ in .int(pull.changedFiles) }
        add(Self.pull, of: Pull.self, "totalCommentsCount") { pull, _ in .int(pull.commentCount) }
    }

    private mutating func addPullStates() {
        typealias Pull = SimulatedPull
        add(Self.pull, of: Pull.self, "state") { pull, _ in .string(pull.state.rawValue) }
        add(Self.pull, of: Pull.self, "isDraft") { pull, _ in .bool(pull.isDraft) }
        add(Self.pull, of: Pull.self, "closed") { pull, _ in .bool(pull.state != .open) }
        add(Self.pull, of: Pull.self, "merged") { pull, _ in .bool(pull.state == .merged) }
        for name in ["locked", "isCrossRepository", "isInMergeQueue"] {
            add(Self.pull, of: Pull.self, name) { _, _ in .bool(false) }
        }
        add(Self.pull, of: Pull.self, "isReadByViewer") { _, _ in .bool(true) }
        add(Self.pull, of: Pull.self, "reviewDecision") { pull, _ in .string(pull.reviewDecision) }
        add(Self.pull, of: Pull.self, "mergeable") { pull, call in
            guard call.world.knowsMergeable(pull) else { return .string("UNKNOWN") }
            return .string(pull.hasConflict ? "CONFLICTING" : "MERGEABLE")
        }
        add(Self.pull, of: Pull.self, "mergeStateStatus") { pull, call in
            guard call.world.knowsMergeable(pull) else { return .string("UNKNOWN") }
            return .string(pull.hasConflict ? "DIRTY" : pull.isDraft ? "DRAFT" : "CLEAN")
        }
        add(Self.pull, of: Pull.self, "viewerDidAuthor") { pull, call in
            .bool(pull.author?.login == call.world.caller.login)
        }
        add(Self.pull, of: Pull.self, "repository", "Repository") { pull, call in
            .object("Repository", call.world.repositories.repository(number: pull.repository.number))
        }
        add(Self.pull, of: Pull.self, "statusCheckRollup", "StatusCheckRollup") { pull, call in
            pull.checks.checks.isEmpty
                ? .null : .object("StatusCheckRollup", Head(pull: pull, now: call.world.moment.now))
        }
    }

    private mutating func addPullPeople() {
        typealias Pull = SimulatedPull
        add(Self.pull, of: Pull.self, "author", "Actor") { pull, _ in .actor(pull.author) }
        add(Self.pull, of: Pull.self, "mergedBy", "Actor") { pull, _ in .actor(pull.mergedBy) }
        connect(Self.pull, of: Pull.self, "assignees", "User") { pull, _ in
            pull.assignee.map { [.actor($0)] } ?? []
        }
        connect(Self.pull, of: Pull.self, "participants", "User") { pull, _ in
            let people = [pull.author].compactMap { $0 } + pull.comments.map(\.author)
            return Set(people).filter { !$0.isBot }.sorted { $0.number < $1.number }.map { .actor($0) }
        }
        add(Self.pull, of: Pull.self, "viewerLatestReview", "PullRequestReview") { pull, call in
            let review = pull.reviews.last { $0.author.login == call.world.caller.login }
            return .object("PullRequestReview", review.map { Reviewed(pull: pull, review: $0) })
        }
        add(Self.pull, of: Pull.self, "viewerLatestReviewRequest", "ReviewRequest") { pull, call in
            let request = pull.requests.last { $0.reviewer.asks(call.world.caller.login ?? "") }
            return .object("ReviewRequest", request)
        }
    }

    private mutating func addPullConnections() {
        typealias Pull = SimulatedPull
        connect(Self.pull, of: Pull.self, "labels", "Label", arguments: ["orderBy"]) { pull, _ in
            pull.labels.map { .object("Label", $0) }
        }
        connect(Self.pull, of: Pull.self, "comments", "IssueComment", arguments: ["orderBy"]) { pull, _ in
            pull.comments.map { .object("IssueComment", $0) }
        }
        connect(Self.pull, of: Pull.self, "commits", "PullRequestCommit") { pull, _ in
            pull.commits.indices.map { .object("PullRequestCommit", Committed(pull: pull, index: $0)) }
        }
        connect(Self.pull, of: Pull.self, "reviewRequests", "ReviewRequest") { pull, _ in
            pull.requests.map { .object("ReviewRequest", $0) }
        }
        connect(Self.pull, of: Pull.self, "reviewThreads", "PullRequestReviewThread") { pull, _ in
            pull.threads.map { .object("PullRequestReviewThread", $0) }
        }
    }

    private mutating func addPullReviews() {
        typealias Pull = SimulatedPull
        let review = "PullRequestReview"
        connect(Self.pull, of: Pull.self, "reviews", review, arguments: ["states", "author"]) { pull, call in
            let states = call["states"].map { $0.items.compactMap(\.text) }
            let author = call["author"]?.text?.lowercased()
            return pull.reviews.filter {
                states?.contains($0.state.rawValue) != false && (author == nil || $0.author.login == author)
            }.map { .object(review, Reviewed(pull: pull, review: $0)) }
        }
        connect(Self.pull, of: Pull.self, "latestReviews", review) { pull, _ in
            pull.latestReviews.map { .object(review, Reviewed(pull: pull, review: $0)) }
        }
        connect(Self.pull, of: Pull.self, "latestOpinionatedReviews", review, arguments: ["writersOnly"]) {
            pull, _ in
            pull.opinions.map { .object(review, Reviewed(pull: pull, review: $0)) }
        }
    }

    /// Moments in order; `itemTypes` chooses among them.
    private mutating func addTimeline() {
        typealias Pull = SimulatedPull
        let connection = "PullRequestTimelineItemsConnection"
        connect(
            Self.pull, of: Pull.self, "timelineItems", "PullRequestTimelineItems", named: connection,
            arguments: ["itemTypes", "since", "skip"]
        ) { pull, call in
            let wanted = call["itemTypes"].map { Set($0.items.compactMap(\.text)) }
            var items: [(at: Int, kind: String, value: GraphQLValue)] = []
            items += pull.requestEvents.map {
                ($0.at, "REVIEW_REQUESTED_EVENT", .object("ReviewRequestedEvent", $0))
            }
            items += pull.comments.map { ($0.at, "ISSUE_COMMENT", .object("IssueComment", $0)) }
            items += pull.reviews.map {
                ($0.at, "PULL_REQUEST_REVIEW", .object("PullRequestReview", Reviewed(pull: pull, review: $0)))
            }
            items += pull.commits.indices.map {
                (
                    pull.commits[$0].at, "PULL_REQUEST_COMMIT",
                    .object("PullRequestCommit", Committed(pull: pull, index: $0))
                )
            }
            return items.filter { wanted?.contains($0.kind) != false }.sorted { $0.at < $1.at }.map(\.value)
        }
        for name in ["filteredCount", "pageCount"] {
            add(connection, of: GraphQLPage.self, name) { page, _ in
                .int(name == "pageCount" ? page.items.count : page.total)
            }
        }
    }

    /// A review with the pull request that it belongs to.
    struct Reviewed: Sendable {
        let pull: SimulatedPull
        let review: SimulatedReview
    }

    struct Committed: Sendable {
        let pull: SimulatedPull
        let index: Int
        var commit: SimulatedPull.Commit { pull.commits[index] }
        var isHead: Bool { index == pull.commits.count - 1 }
    }

    /// The checks of a pull request's head, at a moment.
    struct Head: Sendable {
        let pull: SimulatedPull
        let now: Int
    }
}

extension GraphQLValue {
    static func actor(_ person: SimulatedPerson?) -> GraphQLValue {
        .object(person?.isBot == true ? "Bot" : "User", person)
    }

    static func reviewer(_ reviewer: SimulatedReviewer, _ world: GraphQLWorld) -> GraphQLValue {
        switch reviewer {
        case .person(let person): return actor(person)
        case .team(let team):
            guard world.caller.scopes != nil else {
                return .failure(
                    GraphQLError(
                        message: "Resource not accessible by personal access token", type: "FORBIDDEN",
                        isPartial: true))
            }
            return .object("Team", team)
        }
    }
}
