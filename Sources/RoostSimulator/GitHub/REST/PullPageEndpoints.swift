import Foundation

/// The parts of a pull request's page over REST: comments, reviews, files, checks, comparisons and pictures.
///
/// Source: docs.github.com, "REST API endpoints for pull requests", "... for checks" and "... for commits".
struct PullPageEndpoints {
    let moment: GitHubMoment
    let caller: GitHubCaller
    let baseURL: GitHubBaseURL

    func answer(_ request: GitHubRequest) -> SimulatedResponse? {
        let path = request.path
        guard path.count > 4, path[0] == "repos" else { return nil }
        let name = "\(path[1])/\(path[2])"
        switch (path[3], path.count, path.last) {
        case ("pulls", 6, "files"):
            return list(name, path[4], request) { story, _ in
                story.pull.files.map {
                    file($0, head: story.pull.head.oid, in: story.pull.repository.fullName)
                }
            }
        case ("pulls", 6, "reviews"):
            return list(name, path[4], request) { story, isHTML in
                story.reviews.map { review($0, isHTML) }
            }
        case ("pulls", 6, "comments"): return list(name, path[4], request, comments)
        case ("issues", 6, "comments"):
            return list(name, path[4], request) { story, isHTML in
                story.comments.map { comment($0, story, isHTML) }
            }
        case ("commits", 6, "check-runs"): return checks(name, path[4], isContext: false)
        case ("commits", 6, "status"): return checks(name, path[4], isContext: true)
        case ("compare", 5, _): return comparison(name, path[4])
        case ("contents", 5..., _): return contents(name, path.dropFirst(4).joined(separator: "/"), request)
        default: return nil
        }
    }

    private func list(
        _ name: String, _ number: String, _ request: GitHubRequest,
        _ items: (PullStory, Bool) -> [SimulatedJSON]
    ) -> SimulatedResponse {
        guard let pull = moment.pull(key: "\(name)#\(number)"), caller.canSee(pull.repository) else {
            return GitHubResponse.notFound
        }
        var all = items(PullStory(pull: pull, baseURL: baseURL), request.acceptsHTML)
        if request["direction"] == "desc" { all.reverse() }
        let page = RESTPage(request, standard: 30)
        return page.linked(Self.json(.list(Array(page.cut(all)))), total: all.count, baseURL)
    }

    private static func json(_ value: SimulatedJSON) -> SimulatedResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return GitHubResponse.json(Array(try encoder.encode(value)))
        } catch {
            return GitHubResponse.failure(500, "\(error)")
        }
    }

    // MARK: Comments

    private func user(_ person: SimulatedPerson?) -> SimulatedJSON {
        guard let person else { return .null }
        return [
            "login": .text(person.restLogin), "type": .text(person.isBot ? "Bot" : "User"),
            "avatar_url": .text(baseURL.avatar(person.number)),
        ]
    }

    private func text(_ html: String, _ isHTML: Bool) -> [String: SimulatedJSON] {
        isHTML ? ["body_html": .text(html)] : ["body": .text(html)]
    }

    private func comment(_ comment: PullStory.Comment, _ story: PullStory, _ isHTML: Bool) -> SimulatedJSON {
        let members: [String: SimulatedJSON] = [
            "id": .number(comment.id), "node_id": .text("IC_sim\(comment.id)"), "user": user(comment.author),
            "created_at": .text(GitHubBaseURL.time(comment.at)),
            "html_url": .text("\(baseURL.page(story.pull))#issuecomment-\(comment.id)"),
        ]
        return .object(members.merging(text(comment.html, isHTML)) { $1 })
    }

    private func review(_ review: PullStory.Review, _ isHTML: Bool) -> SimulatedJSON {
        let members: [String: SimulatedJSON] = [
            "id": .number(review.id), "node_id": .text("PRR_sim\(review.id)"), "user": user(review.author),
            "state": .text(review.state.rawValue), "submitted_at": .text(GitHubBaseURL.time(review.at)),
            "commit_id": .text(review.oid),
            "html_url": .text("\(baseURL.web)/#pullrequestreview-\(review.id)"),
        ]
        return .object(members.merging(text(review.html, isHTML)) { $1 })
    }

    private func comments(_ story: PullStory, _ isHTML: Bool) -> [SimulatedJSON] {
        let all = story.threads.flatMap { thread in
            thread.comments.map { (thread: thread, comment: $0, first: thread.comments[0].id) }
        }
        return all.sorted { ($0.comment.at, $0.comment.id) < ($1.comment.at, $1.comment.id) }.map { one in
            var members: [String: SimulatedJSON] = [
                "id": .number(one.comment.id), "node_id": .text("PRRC_sim\(one.comment.id)"),
                "user": user(one.comment.author), "created_at": .text(GitHubBaseURL.time(one.comment.at)),
                "html_url": .text("\(baseURL.page(story.pull))#discussion_r\(one.comment.id)"),
                "path": .text(one.thread.path), "line": SimulatedJSON(one.thread.line), "start_line": .null,
                "side": "RIGHT", "diff_hunk": .text(one.thread.hunk),
                "pull_request_review_id": .number(one.thread.review),
            ]
            if one.comment.id != one.first { members["in_reply_to_id"] = .number(one.first) }
            return .object(members.merging(text(one.comment.html, isHTML)) { $1 })
        }
    }

    // MARK: Files

    private func file(_ file: SimulatedFile, head: String, in name: String) -> SimulatedJSON {
        var members: [String: SimulatedJSON] = [
            "sha": .text(file.blob), "filename": .text(file.path), "status": .text(file.status.rawValue),
            "additions": .number(file.additions), "deletions": .number(file.deletions),
            "changes": .number(file.additions + file.deletions),
            "contents_url": .text("\(baseURL.api)/repos/\(name)/contents/\(file.path)?ref=\(head)"),
        ]
        if let previous = file.previousPath { members["previous_filename"] = .text(previous) }
        if let patch = file.patch { members["patch"] = .text(patch) }
        return .object(members)
    }

    /// Later commits change the last files.
    private func comparison(_ name: String, _ range: String) -> SimulatedResponse {
        let ends = range.components(separatedBy: "...")
        guard ends.count == 2, let pull = pull(name, head: ends[1]),
            let base = pull.commits.firstIndex(where: { $0.oid == ends[0] })
        else { return GitHubResponse.notFound }
        let newer = pull.commits.count - 1 - base
        let files = pull.files.suffix(newer)
        return Self.json([
            "status": .text(newer == 0 ? "identical" : "ahead"), "ahead_by": .number(newer), "behind_by": 0,
            "total_commits": .number(newer),
            "files": .list(files.map { file($0, head: ends[1], in: name) }),
        ])
    }

    private func pull(_ name: String, head: String) -> SimulatedPull? {
        moment.pulls.first {
            $0.head.oid == head && $0.repository.fullName.lowercased() == name.lowercased()
                && caller.canSee($0.repository)
        }
    }

    /// A file that a pull request changes, at its head.
    private func contents(_ name: String, _ path: String, _ request: GitHubRequest) -> SimulatedResponse {
        let file = pull(name, head: request["ref"] ?? "")?.files.first { $0.path == path }
        guard let text = file?.text, request.accept.contains("raw") else {
            return picture(name, path, request)
        }
        return GitHubResponse.json(Array(text.utf8), as: "application/vnd.github.raw")
    }

    /// PNG files exist at every commit; they look different at each.
    private func picture(_ name: String, _ path: String, _ request: GitHubRequest) -> SimulatedResponse {
        guard let repository = SimulatedRepository.named(name), caller.canSee(repository),
            path.hasSuffix(".png"), request.accept.contains("raw")
        else { return GitHubResponse.notFound }
        let seed = Fingerprint.text(Array("\(path)/\(request["ref"] ?? "main")".utf8)).prefix(8)
        return GitHubResponse.json(
            AvatarPNG.bytes(of: Int(seed, radix: 16) ?? 0, size: 160), as: "application/vnd.github.raw")
    }

    // MARK: Checks

    private func checks(_ name: String, _ commit: String, isContext: Bool) -> SimulatedResponse {
        guard let pull = pull(name, head: commit) else { return GitHubResponse.notFound }
        let checks = pull.checks.checks.filter { $0.isContext == isContext }
        let url = SimulatedJSON.text("\(baseURL.page(pull))/checks")
        let items = checks.map { check -> SimulatedJSON in
            guard !isContext else {
                return [
                    "context": .text(check.name), "state": .text(check.state(at: moment.now).lowercased()),
                    "updated_at": .text(GitHubBaseURL.time(check.changedAt(moment.now))), "target_url": url,
                ]
            }
            let status = check.status(at: moment.now)
            let (isOver, began) = (status == "COMPLETED", moment.now >= check.startsAt)
            return [
                "name": .text(check.name), "status": .text(status.lowercased()), "details_url": url,
                "conclusion": isOver ? .text(check.conclusion.lowercased()) : .null,
                "started_at": began ? .text(GitHubBaseURL.time(check.startsAt)) : .null,
                "completed_at": isOver ? .text(GitHubBaseURL.time(check.endsAt)) : .null,
            ]
        }
        return Self.json([
            "total_count": .number(items.count), isContext ? "statuses" : "check_runs": .list(items),
        ])
    }
}

extension GitHubRequest {
    /// Whether texts are requested as GitHub renders them: `application/vnd.github.html+json`.
    var acceptsHTML: Bool { accept.contains("github.html") || accept.contains("github.full") }
}
