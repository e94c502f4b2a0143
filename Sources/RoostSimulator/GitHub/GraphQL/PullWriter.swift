/// Writes pull requests as the operation `Inbox` asks for them, for one caller.
struct PullWriter {
    let repositories: RepositoryMoment
    let caller: GitHubCaller
    let place: GitHubBaseURL
    let now: Int
    let hasTeams: Bool
    let mergeable: (SimulatedPull) -> String
    /// One for each value that the caller may not see.
    private(set) var errors: [GraphQLError] = []

    init(
        repositories: RepositoryMoment, caller: GitHubCaller, place: GitHubBaseURL, now: Int, hasTeams: Bool,
        mergeable: @escaping (SimulatedPull) -> String
    ) {
        (self.repositories, self.caller, self.place) = (repositories, caller, place)
        (self.now, self.hasTeams, self.mergeable) = (now, hasTeams, mergeable)
    }

    /// - Parameter path: where the pull request is in the answer
    mutating func node(_ pull: SimulatedPull, includesThreads: Bool, at path: [GraphQLError.Step])
        -> SimulatedPullNode
    {
        let name = repositories.repository(number: pull.repository.number)?.fullName
        return SimulatedPullNode(
            id: pull.nodeID, number: pull.number, title: pull.title, url: place.page(pull),
            state: pull.state.rawValue, isDraft: pull.isDraft, createdAt: GitHubBaseURL.time(pull.createdAt),
            updatedAt: GitHubBaseURL.time(pull.updatedAt), additions: pull.additions,
            deletions: pull.deletions, changedFiles: pull.changedFiles, reviewDecision: pull.reviewDecision,
            mergeable: mergeable(pull),
            totalCommentsCount: pull.commentCount, headRefOid: pull.head.oid,
            author: pull.author.map { ActorNode($0, avatarUrl: place.avatar($0.number)) },
            repository: .init(nameWithOwner: name ?? pull.repository.fullName),
            labels: Connection(pull.labels.prefix(10).map { .init(name: $0.name, color: $0.color) }),
            statusCheckRollup: pull.checks.state(at: now).map { .init(state: $0) },
            commits: Connection(pull.commits.suffix(1).map { .init(commit: head(of: pull, $0)) }),
            reviewRequests: requests(pull.requests.prefix(20), path + [.name("reviewRequests")]),
            timelineItems: requests(
                pull.requestEvents.suffix(10), path + [.name("timelineItems")], isEvent: true),
            viewerLatestReview: pull.reviews.last(where: { $0.author.login == caller.login })
                .map { review($0, hasAuthor: false, hasCommit: true) },
            latestOpinionatedReviews: Connection(
                pull.opinions.prefix(20).map { review($0, hasAuthor: true, hasCommit: true) }),
            reviews: Connection(
                pull.reviews.suffix(20).map { review($0, hasAuthor: true, hasCommit: false) }),
            comments: Connection(pull.comments.suffix(10).map(comment)),
            reviewThreads: Connection(
                pull.threads.suffix(50).map { .init(isResolved: $0.isResolved) },
                totalCount: pull.threads.count),
            threads: includesThreads
                ? Connection(
                    pull.threads.suffix(15).map {
                        .init(
                            isResolved: $0.isResolved,
                            comments: Connection($0.comments.suffix(10).map(comment)))
                    }) : nil)
    }

    private func head(of pull: SimulatedPull, _ commit: SimulatedPull.Commit) -> SimulatedPullNode.Head {
        let checks = pull.checks.checks
        return SimulatedPullNode.Head(
            committedDate: GitHubBaseURL.time(commit.at),
            statusCheckRollup: checks.isEmpty
                ? nil
                : .init(
                    contexts: .init(
                        checkRunCountsByState: counts(checks.filter { !$0.isContext }),
                        statusContextCountsByState: counts(checks.filter(\.isContext)))))
    }

    private func counts(_ checks: [CheckSchedule.Check]) -> [SimulatedPullNode.StateCount] {
        Dictionary(grouping: checks) { $0.state(at: now) }.sorted { $0.key < $1.key }
            .map { .init(state: $0.key, count: $0.value.count) }
    }

    private mutating func requests(
        _ requests: ArraySlice<SimulatedPull.Request>, _ path: [GraphQLError.Step], isEvent: Bool = false
    ) -> Connection<SimulatedPullNode.ReviewRequest> {
        var nodes: [SimulatedPullNode.ReviewRequest] = []
        for (place, request) in requests.enumerated() {
            let path = path + [.name("nodes"), .place(place), .name("requestedReviewer")]
            nodes.append(
                .init(
                    createdAt: isEvent ? GitHubBaseURL.time(request.at) : nil,
                    requestedReviewer: reviewer(request.reviewer, path)))
        }
        return Connection(nodes)
    }

    /// Fine-grained tokens see no teams.
    private mutating func reviewer(
        _ reviewer: SimulatedReviewer, _ path: [GraphQLError.Step]
    ) -> SimulatedPullNode.Reviewer? {
        switch reviewer {
        case .person(let person):
            return person.isBot
                ? .init(__typename: "Bot") : .init(__typename: "User", login: person.login)
        case .team(let team):
            guard caller.scopes != nil else {
                errors.append(
                    GraphQLError(
                        message: "Resource not accessible by personal access token", type: "FORBIDDEN",
                        path: path))
                return nil
            }
            return .init(__typename: "Team", combinedSlug: hasTeams ? team.combinedSlug : nil)
        }
    }

    private func review(_ review: SimulatedReview, hasAuthor: Bool, hasCommit: Bool)
        -> SimulatedPullNode.Review
    {
        SimulatedPullNode.Review(
            state: review.state.rawValue, submittedAt: GitHubBaseURL.time(review.at),
            author: hasAuthor ? ActorNode(review.author) : nil,
            commit: hasCommit ? .init(oid: review.oid) : nil)
    }

    private func comment(_ comment: SimulatedComment) -> SimulatedPullNode.Comment {
        SimulatedPullNode.Comment(
            createdAt: GitHubBaseURL.time(comment.at), author: ActorNode(comment.author))
    }
}
