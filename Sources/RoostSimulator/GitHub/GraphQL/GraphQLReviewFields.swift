extension GraphQLSchema {
    mutating func addReviews() {
        addReview()
        addThreads()
        addComments()
        typealias Request = SimulatedPull.Request
        add("ReviewRequest", of: Request.self, "id") { request, _ in .string("RR_sim\(request.at)") }
        add("ReviewRequest", of: Request.self, "asCodeOwner") { request, _ in .bool(request.asCodeOwner) }
        for type in ["ReviewRequest", "ReviewRequestedEvent"] {
            add(type, of: Request.self, "requestedReviewer", "RequestedReviewer") { request, call in
                .reviewer(request.reviewer, call.world)
            }
        }
        add("ReviewRequestedEvent", of: Request.self, "id") { request, _ in .string("RRE_sim\(request.at)") }
        add("ReviewRequestedEvent", of: Request.self, "createdAt") { request, _ in .time(request.at) }
        add("ReviewRequestedEvent", of: Request.self, "actor", "Actor") { _, _ in .null }
    }

    private mutating func addReview() {
        let type = "PullRequestReview"
        add(type, of: Reviewed.self, "id") { item, _ in .string("PRR_sim\(item.review.number)") }
        add(type, of: Reviewed.self, "state") { item, _ in .string(item.review.state.rawValue) }
        add(type, of: Reviewed.self, "author", "Actor") { item, _ in .actor(item.review.author) }
        for name in ["submittedAt", "createdAt", "publishedAt", "updatedAt"] {
            add(type, of: Reviewed.self, name) { item, _ in .time(item.review.at) }
        }
        for name in ["body", "bodyText"] {
            add(type, of: Reviewed.self, name) { _, _ in .string("") }
        }
        add(type, of: Reviewed.self, "authorCanPushToRepository") { _, _ in .bool(true) }
        add(type, of: Reviewed.self, "viewerDidAuthor") { item, call in
            .bool(item.review.author.login == call.world.caller.login)
        }
        add(type, of: Reviewed.self, "authorAssociation") { _, _ in .string("MEMBER") }
        add(type, of: Reviewed.self, "url") { item, call in
            .string("\(call.world.place.page(item.pull))#pullrequestreview-\(item.review.number)")
        }
        add(type, of: Reviewed.self, "commit", "Commit") { item, _ in
            let index = item.pull.commits.firstIndex { $0.oid == item.review.oid }
            return .object("Commit", index.map { Committed(pull: item.pull, index: $0) })
        }
        add(type, of: Reviewed.self, "pullRequest", "PullRequest") { item, _ in
            .object("PullRequest", item.pull)
        }
        connect(type, of: Reviewed.self, "onBehalfOf", "Team") { _, _ in [] }
        connect(type, of: Reviewed.self, "comments", "PullRequestReviewComment") { _, _ in [] }
    }

    private mutating func addThreads() {
        typealias Thread = SimulatedPull.Thread
        let type = "PullRequestReviewThread"
        add(type, of: Thread.self, "id") { thread, _ in
            .string("PRRT_sim\(thread.comments.first?.number ?? 0)")
        }
        add(type, of: Thread.self, "isResolved") { thread, _ in .bool(thread.isResolved) }
        for name in ["isOutdated", "isCollapsed"] {
            add(type, of: Thread.self, name) { _, _ in .bool(false) }
        }
        add(type, of: Thread.self, "path") { _, _ in .string("Sources/main.swift") }
        connect(type, of: Thread.self, "comments", "PullRequestReviewComment", arguments: ["skip"]) {
            thread, _ in
            thread.comments.map { .object("PullRequestReviewComment", $0) }
        }
    }

    private mutating func addComments() {
        typealias Comment = SimulatedComment
        for type in ["IssueComment", "PullRequestReviewComment"] {
            add(type, of: Comment.self, "id") { comment, _ in .string("C_sim\(comment.number)") }
            add(type, of: Comment.self, "databaseId") { comment, _ in .int(comment.number) }
            add(type, of: Comment.self, "author", "Actor") { comment, _ in .actor(comment.author) }
            for name in ["body", "bodyText"] {
                add(type, of: Comment.self, name) { comment, _ in .string(comment.text) }
            }
            for name in ["createdAt", "publishedAt", "updatedAt"] {
                add(type, of: Comment.self, name) { comment, _ in .time(comment.at) }
            }
            add(type, of: Comment.self, "viewerDidAuthor") { comment, call in
                .bool(comment.author.login == call.world.caller.login)
            }
            add(type, of: Comment.self, "authorAssociation") { _, _ in .string("MEMBER") }
            add(type, of: Comment.self, "isMinimized") { _, _ in .bool(false) }
        }
    }
}
