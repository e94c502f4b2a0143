/// What people do to pull requests by REST: comments, reviews, requests, merges and their state.
///
/// Source: docs.github.com, "REST API endpoints for pull requests", "... pull request reviews", "... issue comments" and
/// "... workflow runs".
struct GitHubActs {
    let world: GitHubWorld
    let caller: GitHubCaller
    let baseURL: GitHubBaseURL

    static let notMergeable = GitHubResponse.failure(405, "Pull Request is not mergeable")
    static let otherHead = GitHubResponse.failure(
        409, "Head branch was modified. Review and try the merge again.")

    static let missingScope: SimulatedResponse = {
        var answer = GitHubResponse.notFound
        answer.headers.append(.init("X-Accepted-OAuth-Scopes", "public_repo, repo"))
        return answer
    }()

    /// The errors of most refusals are texts.
    static func unprocessable(_ reason: String) -> SimulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.key("message")
            json.string("Unprocessable Entity")
            json.key("errors")
            json.array { $0.string(reason) }
            json.key("status")
            json.string("422")
        }
        return GitHubResponse.plain(422, json.bytes)
    }

    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        let path = request.path
        guard path.count >= 5, path[0] == "repos" else { return GitHubResponse.notFound }
        guard let person = caller.person else { return GitHubResponse.needsSignIn }
        if path[3] == "actions" { return run(path, request.method) }
        guard ["pulls", "issues"].contains(path[3]),
            let pull = world.moment().pull(key: "\(path[1])/\(path[2])#\(path[4])"),
            caller.canSee(pull.repository)
        else { return GitHubResponse.notFound }
        guard mayWrite(pull.repository) else { return Self.missingScope }
        let act = Act(pull: pull, person: person, body: RawJSON(request.body[...]))
        switch (request.method, path[3], Array(path.dropFirst(5))) {
        case ("POST", "issues", ["comments"]): return comment(act)
        case ("PATCH", "pulls", []): return change(act)
        case ("PUT", "pulls", ["merge"]): return merge(act)
        case ("PUT", "pulls", ["update-branch"]): return update(act)
        case ("POST", "pulls", ["reviews"]): return review(act)
        case ("POST", "pulls", ["requested_reviewers"]): return requestReview(act)
        case ("POST", "pulls", let rest)
        where rest.count == 3 && rest[0] == "comments" && rest[2] == "replies":
            return reply(act, to: Int(rest[1]) ?? 0)
        default: return GitHubResponse.notFound
        }
    }

    private struct Act {
        let pull: SimulatedPull
        let person: SimulatedPerson
        let body: RawJSON?

        func text(_ name: String) -> String { body?[name]?.string ?? "" }
    }

    private func mayWrite(_ repository: SimulatedRepository) -> Bool {
        caller.scopes == nil || caller.has("repo") || !repository.isPrivate && caller.has("public_repo")
    }

    private func done(_ act: Act, _ events: [PullEvent], status: Int, anchor: String = "")
        -> SimulatedResponse
    {
        guard world.add(events, to: act.pull.key) != nil else {
            return Self.unprocessable("This pull request is not open")
        }
        var json = JSONWriter()
        json.object { json in
            json.key("html_url")
            json.string(baseURL.page(act.pull) + anchor)
        }
        return GitHubResponse.plain(status, json.bytes)
    }

    private func comment(_ act: Act) -> SimulatedResponse {
        let text = act.text("body")
        guard !text.isEmpty else { return Self.unprocessable("Body cannot be blank") }
        let id = act.pull.id * 10 + act.pull.comments.count
        return done(act, [.comment(by: act.person, text: text)], status: 201, anchor: "#issuecomment-\(id)")
    }

    private func reply(_ act: Act, to comment: Int) -> SimulatedResponse {
        let index = (comment - act.pull.id * 10 - 100_000) / 100
        guard act.pull.threads.indices.contains(index) else { return GitHubResponse.notFound }
        let text = act.text("body")
        guard !text.isEmpty else { return Self.unprocessable("Body cannot be blank") }
        return done(
            act, [.answer(thread: index, by: act.person, text: text)], status: 201,
            anchor: "#discussion_r\(comment + act.pull.threads[index].comments.count)")
    }

    private func change(_ act: Act) -> SimulatedResponse {
        switch act.text("state") {
        case "closed": done(act, act.pull.state == .open ? [.close] : [], status: 200)
        case "open": done(act, act.pull.state == .closed ? [.reopen] : [], status: 200)
        default: Self.unprocessable("state is not included in the list")
        }
    }

    private func merge(_ act: Act) -> SimulatedResponse {
        guard act.pull.state == .open, !act.pull.isDraft, !act.pull.hasConflict else {
            return Self.notMergeable
        }
        guard act.text("sha") == act.pull.head.oid else { return Self.otherHead }
        guard ["merge", "squash", "rebase"].contains(act.text("merge_method")) else {
            return Self.unprocessable("merge_method is not included in the list")
        }
        guard world.add([.merge(by: act.person)], to: act.pull.key) != nil else { return Self.notMergeable }
        let sha = act.pull.head.oid
        return GitHubResponse.plain(
            200,
            Array(#"{"sha":"\#(sha)","merged":true,"message":"Pull Request successfully merged"}"#.utf8))
    }

    private func update(_ act: Act) -> SimulatedResponse {
        guard act.text("expected_head_sha") == act.pull.head.oid else {
            return Self.unprocessable("expected head sha didn’t match current head ref.")
        }
        return done(act, [.push(commits: 1, additions: 0, deletions: 0, files: 0)], status: 202)
    }

    private func review(_ act: Act) -> SimulatedResponse {
        let states: [String: SimulatedReview.State] = [
            "APPROVE": .approved, "REQUEST_CHANGES": .changesRequested, "COMMENT": .commented,
        ]
        guard let state = states[act.text("event")] else {
            return Self.unprocessable("event is not included in the list")
        }
        guard act.pull.author != act.person || state == .commented else {
            let verb = state == .approved ? "approve" : "request changes on"
            return Self.unprocessable("Can not \(verb) your own pull request")
        }
        let threads = (act.body?["comments"]?.elements ?? []).map { comment in
            PullEvent.thread(by: act.person, text: comment["body"]?.string ?? "")
        }
        guard state == .approved || !act.text("body").isEmpty || !threads.isEmpty else {
            return Self.unprocessable("Body cannot be blank")
        }
        let review = PullEvent.writtenReview(by: act.person, state, text: act.text("body"))
        return done(act, [review] + threads, status: 200, anchor: "#pullrequestreview-\(act.pull.id)")
    }

    private func requestReview(_ act: Act) -> SimulatedResponse {
        let names = { (list: String) in (act.body?[list]?.elements ?? []).compactMap(\.string) }
        let people = names("reviewers").map { SimulatedCast.person($0).map(SimulatedReviewer.person) }
        let owner = act.pull.repository.owner
        let teams = names("team_reviewers").map {
            SimulatedCast.team("\(owner)/\($0)").map(SimulatedReviewer.team)
        }
        let reviewers = (people + teams).compactMap { $0 }
        guard !reviewers.isEmpty, reviewers.count == people.count + teams.count else {
            return Self.unprocessable(
                "Reviews may only be requested from collaborators. One or more of the users or teams you "
                    + "specified is not a collaborator of the repository.")
        }
        return done(act, reviewers.map(PullEvent.request), status: 201)
    }

    /// Running the failed jobs again makes them pass.
    private func run(_ path: [String], _ method: String) -> SimulatedResponse {
        guard method == "POST", path.count == 7, path[4] == "runs", path[6] == "rerun-failed-jobs",
            let pull = world.moment().pulls.first(where: { "\($0.id)" == path[5] }),
            pull.repository.fullName.lowercased() == "\(path[1])/\(path[2])".lowercased(),
            caller.canSee(pull.repository)
        else { return GitHubResponse.notFound }
        guard mayWrite(pull.repository) else { return Self.missingScope }
        guard world.add([.pass], to: pull.key) != nil else { return GitHubResponse.notFound }
        return GitHubResponse.plain(201, Array("{}".utf8))
    }
}
