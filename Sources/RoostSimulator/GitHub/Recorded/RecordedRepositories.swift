/// All recorded repositories, without duplicates, as they were written.
struct RecordedRepositories: Sendable {
    /// From `/repositories`, by ascending id, or all recorded ones if that was not recorded.
    private let listed: [RawJSON]
    /// With stars, language and times, from `/repos/...`, `/repositories/ID`, searches and stars.
    private let detailed: [RawJSON]
    private let starred: [RawJSON]
    private let byID: [String: RawJSON]
    private let byName: [String: RawJSON]

    init(_ exchanges: [RecordedGitHubResponse]) {
        let successful = exchanges.filter { $0.answer.status == 200 && $0.method == "GET" }
        let bodies = successful.compactMap { one in RawJSON(one.answer.body[...]).map { (one.path, $0) } }
        let lists = bodies.filter { $0.0 == ["repositories"] }.flatMap { $0.1.elements ?? [] }
        let single = bodies.filter { path, _ in
            path.first == "repos" && path.count == 3 || path.first == "repositories" && path.count == 2
        }.map(\.1)
        let searches = bodies.filter { $0.0 == ["search", "repositories"] }
            .flatMap { $0.1["items"]?.elements ?? [] }
        starred = bodies.filter { $0.0.last == "starred" }.flatMap { $0.1.elements ?? [] }
        detailed = Self.unique(single + searches + starred.map { $0["repo"] ?? $0 })
        let all = Self.unique(detailed + lists)
        listed = (lists.isEmpty ? all : Self.unique(lists)).sorted { Self.number($0) < Self.number($1) }
        byID = Dictionary(all.map { ($0["id"]?.text ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        byName = Dictionary(
            all.map { ($0["full_name"]?.string?.lowercased() ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
    }

    var isEmpty: Bool { byID.isEmpty }

    /// Returns 100 repositories after `since`, with GitHub's `Link` header.
    func list(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        guard !listed.isEmpty else { return GitHubResponse.notFound }
        let since = request["since"].flatMap { Double($0) } ?? 0
        let rest = listed.filter { Self.number($0) > since }
        let page = rest.prefix(100)
        var answer = Self.array(page.map(\.bytes))
        let last = rest.count > page.count ? page.last?["id"]?.text : nil
        let next = last.map { "<\(baseURL.api)/repositories?since=\($0)>; rel=\"next\", " } ?? ""
        answer.headers.append(.init("Link", "\(next)<\(baseURL.api)/repositories{?since}>; rel=\"first\""))
        return answer
    }

    func single(_ path: [String]) -> SimulatedResponse {
        let found =
            path.first == "repos"
            ? byName[path.dropFirst().joined(separator: "/").lowercased()] : byID[path.last ?? ""]
        return found.map { GitHubResponse.json(Array($0.bytes)) } ?? GitHubResponse.notFound
    }

    /// Returns a page of all repositories with details, ignoring the search text.
    func search(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        guard request["q"] != nil else { return GitHubResponse.refused(.missing) }
        let page = RESTPage(request, standard: 30)
        var json = JSONWriter(capacity: 262_144)
        json.object { json in
            json.key("total_count")
            json.number(detailed.count)
            json.key("incomplete_results")
            json.raw("false")
            json.key("items")
            json.array { json in for item in page.cut(detailed) { json.raw(item.bytes) } }
        }
        return page.linked(GitHubResponse.json(json.bytes), total: detailed.count, baseURL)
    }

    func stars(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        let page = RESTPage(request, standard: 30)
        return page.linked(Self.array(page.cut(starred).map(\.bytes)), total: starred.count, baseURL)
    }

    func node(_ id: String) -> RecordedNode? {
        detailed.first { $0["node_id"]?.string == id }.map { RecordedNode(json: $0) }
    }

    private static func array(_ items: [ArraySlice<UInt8>]) -> SimulatedResponse {
        var json = JSONWriter(capacity: 262_144)
        json.array { json in for item in items { json.raw(item) } }
        return GitHubResponse.json(json.bytes)
    }

    private static func number(_ json: RawJSON) -> Double { json["id"]?.number ?? 0 }

    private static func unique(_ items: [RawJSON]) -> [RawJSON] {
        var seen: Set<String> = []
        return items.filter { item in
            guard item["full_name"]?.string != nil, let id = item["id"]?.text else { return false }
            return seen.insert(id).inserted
        }
    }
}

/// Responds with HTML when a README was only recorded in JSON: its text, escaped but not rendered.
enum RecordedReadme {
    static func answer(_ recorded: SimulatedResponse, _ request: GitHubRequest) -> SimulatedResponse {
        guard request.accept.contains("html"), let json = RawJSON(recorded.body[...]),
            let content = json["content"]?.string?.filter({ !$0.isWhitespace }),
            let bytes = Base64.decode(content)
        else { return recorded }
        let text = ReadmeMarkup.escaped(String(decoding: bytes, as: UTF8.self))
        let path = ReadmeMarkup.escaped(json["path"]?.string ?? "README.md")
        return GitHubResponse.json(
            Array(
                ("<div id=\"readme\" class=\"md\" data-path=\"\(path)\"><article class=\"markdown-body "
                    + "entry-content container-lg\"><pre>\(text)</pre></article></div>").utf8),
            as: "application/vnd.github.html; charset=utf-8")
    }
}
