/// Builds pull requests as requested by Roost's operations, for one caller.
struct PullWriter {
    let repositories: RepositoryMoment
    let caller: GitHubCaller
    let baseURL: GitHubBaseURL
    let now: Int
    let options: PullDocument.Options
    let mergeable: (SimulatedPull) -> String
    private(set) var errors: [GraphQLError] = []

    /// Returns all parts.
    ///
    /// - Parameter path: where the pull request is in the response
    mutating func details(_ pull: SimulatedPull, hasThreads: Bool, at path: [GraphQLError.Step])
        -> SimulatedPullNode
    {
        SimulatedPullNode(
            id: pull.nodeID, overview: overviewPart(pull), lists: lists(pull, path),
            checks: checksPart(pull), resolutions: resolutionsPart(pull),
            threads: hasThreads ? threadsPart(pull) : nil)
    }

    func overview(_ pull: SimulatedPull) -> SimulatedPullNode {
        SimulatedPullNode(id: pull.nodeID, overview: overviewPart(pull))
    }

    func checks(_ pull: SimulatedPull) -> SimulatedPullNode {
        SimulatedPullNode(id: pull.nodeID, checks: checksPart(pull))
    }

    func resolutions(_ pull: SimulatedPull) -> SimulatedPullNode {
        SimulatedPullNode(id: pull.nodeID, resolutions: resolutionsPart(pull))
    }

    func page(_ pull: SimulatedPull) -> SimulatedPullNode {
        let page = PullPageNode(
            story: PullStory(pull: pull, baseURL: baseURL), caller: caller, now: now, options: options,
            permission: permission(in: pull.repository))
        return SimulatedPullNode(id: pull.nodeID, overview: overviewPart(pull), page: page.fields)
    }

    private func overviewPart(_ pull: SimulatedPull) -> SimulatedPullNode.Overview {
        let name = repositories.repository(number: pull.repository.number)?.fullName
        return SimulatedPullNode.Overview(
            number: pull.number, title: pull.title, url: baseURL.page(pull),
            state: pull.state.rawValue, isDraft: pull.isDraft, createdAt: GitHubBaseURL.time(pull.createdAt),
            updatedAt: GitHubBaseURL.time(pull.updatedAt), reviewDecision: pull.reviewDecision,
            mergeable: mergeable(pull),
            totalCommentsCount: pull.commentCount, headRefOid: pull.head.oid,
            isInMergeQueue: options.hasMergeState ? pull.isInMergeQueue : nil,
            autoMergeRequest: options.hasMergeState
                ? Nullable(wrappedValue: pull.autoMergeAt.map { .init(enabledAt: GitHubBaseURL.time($0)) })
                : nil,
            author: pull.author.map { ActorNode($0, avatarUrl: baseURL.avatar($0.number)) },
            repository: .init(
                nameWithOwner: name ?? pull.repository.fullName,
                viewerPermission: permission(in: pull.repository)),
            statusCheckRollup: pull.checks.state(at: now).map { .init(state: $0) })
    }

    private mutating func lists(_ pull: SimulatedPull, _ path: [GraphQLError.Step])
        -> SimulatedPullNode.Lists
    {
        SimulatedPullNode.Lists(
            additions: pull.additions, deletions: pull.deletions, changedFiles: pull.changedFiles,
            labels: Connection(pull.labels.prefix(10).map { .init(name: $0.name, color: $0.color) }),
            reviewRequests: requests(pull.requests.prefix(100), path + [.name("reviewRequests")]),
            timelineItems: timeline(pull, path + [.name("timelineItems")]),
            viewerLatestReview: pull.reviews.last(where: { $0.author.login == caller.login })
                .map { review($0, hasAuthor: false, hasCommit: true) },
            latestOpinionatedReviews: Connection(
                pull.opinions.prefix(20).map { review($0, hasAuthor: true, hasCommit: true) }),
            reviews: Connection(
                pull.reviews.enumerated().suffix(30).map { index, one in
                    var node = review(one, hasAuthor: true, hasCommit: true)
                    node.id = "PRR_sim\(pull.id)_\(index)"
                    return node
                }),
            comments: Connection(pull.comments.suffix(50).map(comment), totalCount: pull.comments.count))
    }

    private func checksPart(_ pull: SimulatedPull) -> SimulatedPullNode.HeadChecks {
        SimulatedPullNode.HeadChecks(
            headRefOid: pull.head.oid,
            statusCheckRollup: pull.checks.state(at: now).map { .init(state: $0) },
            commits: Connection(pull.commits.suffix(1).map { .init(commit: head(of: pull, $0)) }))
    }

    private func resolutionsPart(_ pull: SimulatedPull) -> SimulatedPullNode.Resolutions {
        SimulatedPullNode.Resolutions(
            reviewThreads: Connection(
                pull.threads.suffix(50).map { .init(isResolved: $0.isResolved) },
                totalCount: pull.threads.count))
    }

    private func threadsPart(_ pull: SimulatedPull) -> SimulatedPullNode.Threads {
        SimulatedPullNode.Threads(
            threads: Connection(
                pull.threads.suffix(15).map {
                    .init(
                        isResolved: $0.isResolved,
                        comments: Connection($0.comments.suffix(30).map(threadComment)))
                }))
    }

    private func head(of pull: SimulatedPull, _ commit: SimulatedPull.Commit) -> SimulatedPullNode.Head {
        let checks = pull.checks.checks
        return SimulatedPullNode.Head(
            committedDate: GitHubBaseURL.time(commit.at),
            checkSuites: Connection(
                checks.filter { !$0.isContext }.suffix(20).map {
                    .init(
                        conclusion: $0.status(at: now) == "COMPLETED" ? $0.conclusion : nil,
                        updatedAt: GitHubBaseURL.time($0.changedAt(now)))
                }),
            status: checks.contains(where: \.isContext)
                ? .init(
                    contexts: checks.filter(\.isContext).map {
                        .init(state: $0.state(at: now), createdAt: GitHubBaseURL.time($0.changedAt(now)))
                    }) : nil,
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
        _ requests: ArraySlice<SimulatedPull.Request>, _ path: [GraphQLError.Step]
    ) -> Connection<SimulatedPullNode.ReviewRequest> {
        var nodes: [SimulatedPullNode.ReviewRequest] = []
        for (index, request) in requests.enumerated() {
            let path = path + [.name("nodes"), .index(index), .name("requestedReviewer")]
            nodes.append(.init(requestedReviewer: reviewer(request.reviewer, path)))
        }
        return Connection(nodes)
    }

    private mutating func timeline(_ pull: SimulatedPull, _ path: [GraphQLError.Step])
        -> Connection<PullTimelineNode>
    {
        enum Event {
            case request(SimulatedReviewer)
            case other(PullTimelineNode)
        }
        var events = pull.requestEvents.map { (at: $0.at, event: Event.request($0.reviewer)) }
        events += pull.assignments.map { one in
            (one.at, .other(.assigned(at: GitHubBaseURL.time(one.at), one.person)))
        }
        events += [pull.readyAt].compactMap(\.self).map { at in
            (at, .other(.ready(at: GitHubBaseURL.time(at))))
        }
        events += pull.dismissals.map { one in
            let push = "PRC_sim\(one.oid)"
            return (
                one.at,
                .other(.dismissed(at: GitHubBaseURL.time(one.at), one.author, one.state, push: push))
            )
        }
        var nodes: [PullTimelineNode] = []
        for (index, event) in events.sorted(by: { $0.at < $1.at }).suffix(30).enumerated() {
            switch event.event {
            case .other(let node): nodes.append(node)
            case .request(let requestedReviewer):
                let path = path + [.name("nodes"), .index(index), .name("requestedReviewer")]
                let request = SimulatedPullNode.ReviewRequest(
                    requestedReviewer: reviewer(requestedReviewer, path))
                nodes.append(.requested(at: GitHubBaseURL.time(event.at), request))
            }
        }
        return Connection(nodes)
    }

    /// Members of the organisation's teams can write. Nil for signed-out callers.
    private func permission(in repository: SimulatedRepository) -> String? {
        caller.login.map { login in
            if repository.owner == login { return "ADMIN" }
            let teams = SimulatedCast.teams(of: login)
            return teams.contains { $0.organisation == repository.owner } ? "WRITE" : "READ"
        }
    }

    /// Teams are invisible to fine-grained tokens.
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
            return .init(__typename: "Team", combinedSlug: options.hasTeams ? team.combinedSlug : nil)
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

    private func threadComment(_ comment: SimulatedComment) -> SimulatedPullNode.ThreadComment {
        SimulatedPullNode.ThreadComment(
            createdAt: GitHubBaseURL.time(comment.at), author: ActorNode(comment.author),
            pullRequestReview: nil)
    }

    private func comment(_ comment: SimulatedComment) -> SimulatedPullNode.Comment {
        SimulatedPullNode.Comment(
            createdAt: GitHubBaseURL.time(comment.at), author: ActorNode(comment.author))
    }
}
