/// GitHub's REST responses, after User-Agent, token and limit have been checked.
struct GitHubREST {
    let moment: GitHubMoment
    let repositories: RepositoryMoment
    let caller: GitHubCaller
    let baseURL: GitHubBaseURL
    let budgets: GitHubBudgets

    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        let path = request.path
        let pages = RepositoryEndpoints(moment: repositories, caller: caller, baseURL: baseURL)
        if let answer = pages.answer(request) { return answer }
        let pullPages = PullPageEndpoints(moment: moment, caller: caller, baseURL: baseURL)
        if let answer = pullPages.answer(request) { return answer }
        switch path.first {
        case "user" where path.count == 1: return user()
        case "user" where path == ["user", "teams"]: return teams(request)
        case "users" where path.count == 2:
            return SimulatedCast.person(path[1]).map { json(person: $0) } ?? GitHubResponse.notFound
        case "search" where path == ["search", "issues"]: return search(request)
        case "rate_limit" where path.count == 1: return limits()
        case "repos" where path.count == 5 && ["pulls", "issues"].contains(path[3]):
            return pull(path, request)
        case "repos" where path.count == 5 && path[3...] == ["actions", "runs"]: return runs(request)
        case nil: return GitHubResponse.json(Array(#"{"current_user_url":"\#(baseURL.api)/user"}"#.utf8))
        default: return GitHubResponse.notFound
        }
    }

    private func user() -> SimulatedResponse {
        caller.person.map { json(person: $0) } ?? GitHubResponse.needsSignIn
    }

    private func json(person: SimulatedPerson) -> SimulatedResponse {
        var json = JSONWriter(capacity: 2_048)
        PersonJSON(baseURL: baseURL).whole(person, &json)
        return GitHubResponse.json(json.bytes)
    }

    /// Needs `user`, `repo` or `read:org` (docs.github.com, "List teams for the authenticated user").
    private func teams(_ request: GitHubRequest) -> SimulatedResponse {
        guard let login = caller.login else { return GitHubResponse.needsSignIn }
        guard caller.scopes != nil else { return GitHubResponse.notAccessible("members=read") }
        guard caller.has("user", "repo", "read:org", "write:org", "admin:org") else {
            return GitHubResponse.failure(
                403, "You need at least read:org scope or user scope to list your teams.")
        }
        let page = RESTPage(request, standard: 30)
        let all = SimulatedCast.teams(of: login)
        var json = JSONWriter(capacity: 4_096)
        json.array { json in
            for team in page.cut(all) { PersonJSON(baseURL: baseURL).team(team, &json) }
        }
        return page.linked(GitHubResponse.json(json.bytes), total: all.count, baseURL)
    }

    private func search(_ request: GitHubRequest) -> SimulatedResponse {
        do {
            let found = try SimulatedPullSearch(moment: moment, caller: caller)
                .results(request["q"] ?? "", sort: request["sort"], order: request["order"])
            return page(found, request)
        } catch {
            return GitHubResponse.refused(error as? SimulatedPullSearch.Failure ?? .missing)
        }
    }

    private func page(_ found: [SimulatedPull], _ request: GitHubRequest) -> SimulatedResponse {
        let page = RESTPage(request, standard: 30)
        guard page.first < 1_000 else { return GitHubResponse.searchLimitExceeded }
        let items = PullEncoder(baseURL: baseURL, now: moment.now)
        var json = JSONWriter(capacity: 200_000)
        json.object { json in
            json.key("total_count")
            json.number(found.count)
            json.key("incomplete_results")
            json.raw("false")
            json.key("items")
            json.array { json in
                for pull in page.cut(Array(found.prefix(1_000))) { items.searchItem(pull, &json) }
            }
        }
        return page.linked(GitHubResponse.json(json.bytes), total: min(found.count, 1_000), baseURL)
    }

    private func limits() -> SimulatedResponse {
        let windows = GitHubBudgets.resources.map { ($0, budgets.spend(0, on: $0, by: caller.login)) }
        var json = JSONWriter()
        func write(_ window: GitHubBudgets.Window, _ json: inout JSONWriter) {
            json.raw(
                #"{"limit":\#(window.limit),"used":\#(window.used),"remaining":\#(window.remaining),"#
                    + #""reset":\#(window.resetSecond)}"#)
        }
        json.object { json in
            json.key("resources")
            json.object { json in
                for (name, window) in windows {
                    json.key(name)
                    write(window, &json)
                }
            }
            json.key("rate")
            write(windows[0].1, &json)
        }
        return GitHubResponse.graphQL(json.bytes)
    }

    /// One workflow for each head. Its number is the pull request's.
    private func runs(_ request: GitHubRequest) -> SimulatedResponse {
        let (path, head) = (request.path, request["head_sha"] ?? "")
        let found = moment.pulls.filter {
            $0.head.oid == head && $0.repository.fullName.lowercased() == "\(path[1])/\(path[2])".lowercased()
                && caller.canSee($0.repository)
        }
        var json = JSONWriter(capacity: 1_024)
        json.object { json in
            json.key("total_count")
            json.number(found.count)
            json.key("workflow_runs")
            json.array { json in
                for pull in found {
                    let states = pull.checks.checks.map { $0.state(at: moment.now) }
                    let hasFailed = states.contains { ["FAILURE", "TIMED_OUT", "CANCELLED"].contains($0) }
                    json.object { json in
                        json.key("id")
                        json.number(pull.id)
                        json.key("conclusion")
                        json.string(hasFailed ? "failure" : "success")
                    }
                }
            }
        }
        return GitHubResponse.json(json.bytes)
    }

    private func pull(_ path: [String], _ request: GitHubRequest) -> SimulatedResponse {
        guard let pull = moment.pull(key: "\(path[1])/\(path[2])#\(path[4])"), caller.canSee(pull.repository)
        else { return GitHubResponse.notFound }
        var json = JSONWriter(capacity: 8_192)
        var items = PullEncoder(baseURL: baseURL, now: moment.now)
        items.hasHTML = request.acceptsHTML
        if path[3] == "issues" { items.searchItem(pull, &json) } else { items.whole(pull, &json) }
        return GitHubResponse.json(json.bytes)
    }
}
