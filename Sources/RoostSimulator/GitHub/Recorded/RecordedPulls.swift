/// All pull requests found by recorded searches, without duplicates, as they were written.
struct RecordedPulls: Sendable {
    private let items: [RawJSON]
    let nodes: [RawJSON]
    private let headers: [SimulatedResponse.Header]

    init(_ exchanges: [RecordedGitHubResponse]) {
        let successful = exchanges.filter { $0.answer.status == 200 }
        let searches = successful.filter { $0.path == ["search", "issues"] }
        items = Self.unique(
            searches.flatMap { RawJSON($0.answer.body[...])?["items"]?.elements ?? [] }
                .filter { $0["pull_request"]?.members != nil }, by: "html_url")
        nodes = Self.unique(
            successful.filter { $0.path == ["graphql"] }.flatMap { Self.nodes(in: $0.answer.body) },
            by: "url")
        headers = (searches.last?.answer.headers ?? []).filter {
            !["link", "etag"].contains($0.name.lowercased())
        }
    }

    /// Returns a page of all pull requests, ignoring the search text.
    func search(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        guard request["q"] != nil else {
            return GitHubResponse.invalid("Search query missing", code: "missing")
        }
        let page = RESTPage(request, standard: 30)
        var json = JSONWriter(capacity: 262_144)
        json.object { json in
            json.key("total_count")
            json.number(items.count)
            json.key("incomplete_results")
            json.raw("false")
            json.key("items")
            json.array { json in
                for item in page.cut(items) { json.raw(item.bytes) }
            }
        }
        var answer = page.linked(GitHubResponse.json(json.bytes), total: items.count, baseURL)
        let existingNames = Set(answer.headers.map { $0.name.lowercased() })
        answer.headers += headers.filter { !existingNames.contains($0.name.lowercased()) }
        return answer
    }

    /// A search can have any name under `data`, with `nodes` or with `edges`.
    private static func nodes(in body: [UInt8]) -> [RawJSON] {
        let searches = (RawJSON(body[...])?["data"]?.members ?? []).map(\.value)
        return searches.flatMap { search in
            (search["nodes"]?.elements ?? [])
                + (search["edges"]?.elements ?? []).compactMap { $0["node"] }
        }.filter { $0["url"]?.string?.contains("/pull/") == true }
    }

    private static func unique(_ items: [RawJSON], by name: String) -> [RawJSON] {
        var seen: Set<String> = []
        return items.filter { item in item[name]?.string.map { seen.insert($0).inserted } ?? false }
    }
}
