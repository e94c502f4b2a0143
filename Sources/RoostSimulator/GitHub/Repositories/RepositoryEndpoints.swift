/// REST endpoints of repositories: `/repositories`, `/repos/...`, `/repositories/ID`, READMEs, searches and
/// stars.
struct RepositoryEndpoints {
    let moment: RepositoryMoment
    let caller: GitHubCaller
    let baseURL: GitHubBaseURL

    func answer(_ request: GitHubRequest) -> SimulatedResponse? {
        let path = request.path
        switch (path.first, path.count) {
        case ("repositories", 1): return list(request)
        case ("repositories", 2...3):
            return single(Int(path[1]).flatMap { moment.repository(number: $0) }, path.dropFirst(2), request)
        case ("repos", 3...4): return named("\(path[1])/\(path[2])", path.dropFirst(3), request)
        case ("search", 2) where path[1] == "repositories": return search(request)
        case ("user", 2) where path[1] == "starred":
            guard let login = caller.login else { return GitHubResponse.needsSignIn }
            return stars(of: login, request)
        case ("users", 3) where path[2] == "starred":
            return SimulatedCast.person(path[1]).map { stars(of: $0.login, request) }
                ?? GitHubResponse.notFound
        default: return nil
        }
    }

    private var items: RepositoryEncoder {
        RepositoryEncoder(baseURL: baseURL, moment: moment, caller: caller)
    }

    /// Returns 100 per page and ignores `per_page`. The `first` link is an unexpanded template (recorded
    /// 2019-10).
    private func list(_ request: GitHubRequest) -> SimulatedResponse {
        let page = moment.page(after: request["since"].flatMap { Int($0) } ?? 0, count: 100)
        var json = JSONWriter(capacity: 600_000)
        json.array { json in for one in page.items { items.listItem(one, &json) } }
        var answer = GitHubResponse.json(json.bytes)
        let next = page.hasMore ? page.items.last.map { "?since=\($0.number)>; rel=\"next\", " } : nil
        let links = next.map { "<\(baseURL.api)/repositories\($0)" } ?? ""
        answer.headers.append(.init("Link", "\(links)<\(baseURL.api)/repositories{?since}>; rel=\"first\""))
        return answer
    }

    private func named(
        _ name: String, _ rest: ArraySlice<String>, _ request: GitHubRequest
    ) -> SimulatedResponse? {
        if let found = moment.found(name) { return single(found, rest, request) }
        guard let moved = moment.moved(name), moved.isVisible(to: caller) else {
            return single(nil, rest, request)
        }
        let tail = rest.isEmpty ? "" : "/" + rest.joined(separator: "/")
        return GitHubResponse.moved(to: "\(baseURL.api)/repositories/\(moved.number)\(tail)")
    }

    private func single(
        _ repository: RepositorySnapshot?, _ rest: ArraySlice<String>, _ request: GitHubRequest
    ) -> SimulatedResponse? {
        guard rest.isEmpty || rest.first == "readme" else { return nil }
        guard let repository, repository.isVisible(to: caller) else { return GitHubResponse.notFound }
        guard rest.isEmpty else { return readme(repository, request) }
        var json = JSONWriter(capacity: 16_384)
        items.whole(repository, &json)
        return GitHubResponse.json(json.bytes)
    }

    /// Returns HTML, Markdown or JSON depending on the media type (docs.github.com, "Get a repository
    /// README").
    private func readme(_ repository: RepositorySnapshot, _ request: GitHubRequest) -> SimulatedResponse {
        let readme = SimulatedReadme(repository: repository, baseURL: baseURL)
        guard readme.exists else { return GitHubResponse.notFound }
        for (word, text) in [("html", readme.html), ("raw", readme.markdown)] {
            let isAccepted = ["application/vnd.github.\(word)", "application/vnd.github.v3.\(word)"].contains
            {
                request.accept.hasPrefix($0)
            }
            guard isAccepted else { continue }
            return GitHubResponse.json(Array(text.utf8), as: "application/vnd.github.\(word); charset=utf-8")
        }
        var json = JSONWriter(capacity: 8_192)
        readme.write(&json)
        return GitHubResponse.json(json.bytes)
    }

    private func search(_ request: GitHubRequest) -> SimulatedResponse {
        let search = SimulatedRepositorySearch(moment: moment, caller: caller)
        do {
            let found = try search.results(request["q"] ?? "", sort: request["sort"], order: request["order"])
            return page(found, request)
        } catch {
            return GitHubResponse.refused(error)
        }
    }

    private func page(_ found: [RepositorySnapshot], _ request: GitHubRequest) -> SimulatedResponse {
        let page = RESTPage(request, standard: 30)
        guard page.first < 1_000 else { return GitHubResponse.searchLimitExceeded }
        var json = JSONWriter(capacity: 600_000)
        json.object { json in
            json.key("total_count")
            json.number(found.count)
            json.key("incomplete_results")
            json.raw("false")
            json.key("items")
            json.array { json in
                for one in page.cut(Array(found.prefix(1_000))) { items.item(one, score: true, &json) }
            }
        }
        return page.linked(GitHubResponse.json(json.bytes), total: min(found.count, 1_000), baseURL)
    }

    /// See docs.github.com, "List repositories starred by the authenticated user".
    private func stars(of login: String, _ request: GitHubRequest) -> SimulatedResponse {
        let page = RESTPage(request, standard: 30)
        var all = SimulatedStars.of(login, moment).filter { $0.repository.isVisible(to: caller) }
        if request["direction"] == "asc" { all.reverse() }
        let hasTimes = request.accept.contains("star+json")
        var json = JSONWriter(capacity: 600_000)
        json.array { json in
            for star in page.cut(all) {
                guard hasTimes else {
                    items.item(star.repository, &json)
                    continue
                }
                json.object { json in
                    json.key("starred_at")
                    json.string(GitHubBaseURL.time(star.at))
                    json.key("repo")
                    items.item(star.repository, &json)
                }
            }
        }
        return page.linked(GitHubResponse.json(json.bytes), total: all.count, baseURL)
    }
}
