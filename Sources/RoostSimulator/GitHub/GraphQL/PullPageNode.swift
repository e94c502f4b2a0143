/// The answer to the operation `PullDetails`, next to the fields of `SimulatedPullNode.Overview`.
struct PullPageNode {
    let story: PullStory
    let caller: GitHubCaller
    let now: Int
    let options: PullDocument.Options
    /// The caller's permission in the repository: "READ", "WRITE", "ADMIN".
    let permission: String?

    private var pull: SimulatedPull { story.pull }
    private var baseURL: GitHubBaseURL { story.baseURL }

    var fields: SimulatedJSON {
        var fields: [String: SimulatedJSON] = [
            "additions": .number(pull.additions), "deletions": .number(pull.deletions),
            "changedFiles": .number(pull.changedFiles), "bodyHTML": .text(story.descriptionHTML),
            "baseRefName": "main", "baseRefOid": .text(story.baseCommit),
            "headRefName": .text(story.headBranch), "isCrossRepository": .flag(isFromFork),
            "headRepository": .object(["nameWithOwner": .text(headRepository)]),
            "viewerCanUpdate": .flag(isAuthor || canWrite), "viewerDidAuthor": .flag(isAuthor),
            "labels": .nodes(
                pull.labels.prefix(20).map { ["name": .text($0.name), "color": .text($0.color)] }),
            "reviewRequests": .nodes(
                pull.requests.prefix(50).map { ["requestedReviewer": reviewer($0.reviewer)] }),
            "latestReviews": .nodes(latestReviews),
            "latestOpinionatedReviews": .nodes(
                pull.opinions.map { verdict($0.author, $0.state, $0.at, $0.oid) }),
            "commits": .nodes(pull.commits.suffix(1).map { _ in ["commit": checks] }),
            "timelineItems": timeline,
            "reviewThreads": .nodes(story.threads.suffix(100).map(thread)),
        ]
        guard options.hasMergeState else { return .object(fields) }
        fields["viewerCanUpdateBranch"] = .flag(canWrite && pull.state == .open)
        fields["viewerCanDisableAutoMerge"] = .flag(
            canWrite && pull.state == .open && pull.autoMergeAt != nil)
        fields["viewerCanEnableAutoMerge"] = .flag(canWrite && pull.state == .open && pull.autoMergeAt == nil)
        fields["closingIssuesReferences"] = .nodes(
            story.issue.map { issue in
                [
                    [
                        "number": .number(issue.number), "title": .text(issue.title),
                        "url": .text("\(baseURL.page(pull.repository))/issues/\(issue.number)"),
                        "closed": .flag(pull.state == .merged),
                        "repository": ["nameWithOwner": .text(pull.repository.fullName)],
                    ]
                ]
            } ?? [])
        return .object(fields)
    }

    private var isAuthor: Bool { caller.login != nil && pull.author?.login == caller.login }
    private var canWrite: Bool { permission == "WRITE" || permission == "ADMIN" }
    private var isFromFork: Bool { headRepository != pull.repository.fullName }

    /// A person without a team in the organisation works in a fork.
    private var headRepository: String {
        guard let author = pull.author, !author.isBot, pull.id % 4 == 3, author.login != pull.repository.owner
        else { return pull.repository.fullName }
        return "\(author.login)/\(pull.repository.name)"
    }

    private func person(_ person: SimulatedPerson?) -> SimulatedJSON {
        guard let person else { return .null }
        return [
            "__typename": .text(person.isBot ? "Bot" : "User"), "login": .text(person.login),
            "avatarUrl": .text(baseURL.avatar(person.number)),
        ]
    }

    /// Teams are invisible to fine-grained tokens.
    private func reviewer(_ reviewer: SimulatedReviewer) -> SimulatedJSON {
        switch reviewer {
        case .person(let one): return one.isBot ? ["__typename": "Bot"] : person(one)
        case .team(let team):
            guard caller.scopes != nil else { return .null }
            guard options.hasTeams else { return ["__typename": "Team"] }
            return ["__typename": "Team", "combinedSlug": .text(team.combinedSlug)]
        }
    }

    // MARK: Reviews

    private var latestReviews: [SimulatedJSON] {
        let reviews = story.reviews
        return reviews.indices.filter { index in
            !reviews[(index + 1)...].contains { $0.author == reviews[index].author }
        }.map { verdict(reviews[$0].author, reviews[$0].state, reviews[$0].at, reviews[$0].oid) }
    }

    private func verdict(
        _ author: SimulatedPerson, _ state: SimulatedReview.State, _ at: Int, _ oid: String
    ) -> SimulatedJSON {
        [
            "state": .text(state.rawValue), "submittedAt": .text(GitHubBaseURL.time(at)),
            "author": person(author), "commit": ["oid": .text(oid)],
        ]
    }

    private func thread(_ thread: PullStory.Thread) -> SimulatedJSON {
        [
            "id": .text("PRRT_sim\(thread.id)"), "path": .text(thread.path),
            "line": SimulatedJSON(thread.line), "startLine": .null, "diffSide": "RIGHT",
            "isResolved": .flag(thread.isResolved), "isOutdated": .flag(thread.line == nil),
            "comments": .nodes(
                thread.comments.prefix(50).map { comment in
                    [
                        "id": .text("PRRC_sim\(comment.id)"),
                        "createdAt": .text(GitHubBaseURL.time(comment.at)),
                        "url": .text("\(baseURL.page(pull))#discussion_r\(comment.id)"),
                        "isMinimized": false, "state": "SUBMITTED", "bodyHTML": .text(comment.html),
                        "diffHunk": .text(thread.hunk), "author": person(comment.author),
                        "pullRequestReview": ["id": .text("PRR_sim\(thread.review)")],
                    ]
                }),
        ]
    }

    // MARK: Checks

    private var checks: SimulatedJSON {
        let checks = pull.checks.checks
        guard !checks.isEmpty else { return ["statusCheckRollup": .null] }
        return ["statusCheckRollup": ["contexts": .nodes(checks.prefix(100).map(check))]]
    }

    private func check(_ check: CheckSchedule.Check) -> SimulatedJSON {
        let isOver = check.status(at: now) == "COMPLETED"
        let url = "\(baseURL.page(pull))/checks"
        var members: [String: SimulatedJSON]
        if check.isContext {
            members = [
                "__typename": "StatusContext", "context": .text(check.name),
                "state": .text(check.state(at: now)),
                "createdAt": .text(GitHubBaseURL.time(check.changedAt(now))), "targetUrl": .text(url),
            ]
        } else {
            let began = now >= check.startsAt
            members = [
                "__typename": "CheckRun", "name": .text(check.name), "status": .text(check.status(at: now)),
                "conclusion": isOver ? .text(check.conclusion) : .null,
                "startedAt": began ? .text(GitHubBaseURL.time(check.startsAt)) : .null,
                "completedAt": isOver ? .text(GitHubBaseURL.time(check.endsAt)) : .null,
                "detailsUrl": .text(url),
            ]
            if options.hasMergeState {
                members["checkSuite"] = ["workflowRun": ["workflow": ["name": "CI"]]]
            }
        }
        if options.hasMergeState { members["isRequired"] = .flag(["test", "lint"].contains(check.name)) }
        return .object(members)
    }

    // MARK: The timeline

    private var timeline: SimulatedJSON {
        let entries = story.timeline
        return .nodes(entries.suffix(100).map(node), totalCount: entries.count)
    }

    private func node(_ entry: PullStory.Entry) -> SimulatedJSON {
        let at = SimulatedJSON.text(GitHubBaseURL.time(entry.at))
        let author = person(pull.author)
        switch entry.event {
        case .comment(let comment):
            return [
                "__typename": "IssueComment", "id": .text("IC_sim\(comment.id)"), "createdAt": at,
                "url": .text("\(baseURL.page(pull))#issuecomment-\(comment.id)"), "isMinimized": false,
                "bodyHTML": .text(comment.html), "author": person(comment.author),
            ]
        case .review(let review):
            return [
                "__typename": "PullRequestReview", "id": .text("PRR_sim\(review.id)"),
                "state": .text(review.state.rawValue), "submittedAt": at,
                "url": .text("\(baseURL.page(pull))#pullrequestreview-\(review.id)"),
                "bodyHTML": .text(review.html), "author": person(review.author),
            ]
        case .commit(let oid, let headline, let author):
            let user: SimulatedJSON = author.map { ["login": .text($0.login)] } ?? .null
            return [
                "__typename": "PullRequestCommit",
                "pushed": [
                    "oid": .text(oid), "committedDate": at, "messageHeadline": .text(headline),
                    "author": ["name": .text(author?.name ?? "Someone"), "user": user],
                ],
            ]
        case .forcePush(let before, let after):
            return [
                "__typename": "HeadRefForcePushedEvent", "createdAt": at, "actor": author,
                "beforeCommit": ["oid": .text(before)], "afterCommit": ["oid": .text(after)],
            ]
        case .requested(let reviewer):
            return [
                "__typename": "ReviewRequestedEvent", "createdAt": at, "actor": author,
                "requestedReviewer": self.reviewer(reviewer),
            ]
        case .renamed(let from, let to):
            return [
                "__typename": "RenamedTitleEvent", "createdAt": at, "actor": author,
                "previousTitle": .text(from), "currentTitle": .text(to),
            ]
        case .ready: return ["__typename": "ReadyForReviewEvent", "createdAt": at, "actor": author]
        case .closed: return ["__typename": "ClosedEvent", "createdAt": at, "actor": author]
        case .merged(let by):
            return [
                "__typename": "MergedEvent", "createdAt": at, "actor": person(by),
                "commit": ["oid": .text(pull.head.oid)],
            ]
        }
    }
}
