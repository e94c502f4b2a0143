/// Builds a response from recorded pull requests and repositories for an operation that was not recorded.
///
/// Each search finds all pull requests. They have their recorded fields, and null for other requested ones.
/// Values keep their bytes.
struct RecordedGraphQL {
    let table: RecordedPulls
    let repositories: RecordedRepositories
    let user: RecordedGitHubResponse

    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        guard !table.nodes.isEmpty || !repositories.isEmpty else { return GitHubResponse.notFound }
        do throws(GraphQLRequest.Rejection) {
            return try answer(GraphQLRequest(request))
        } catch {
            return error.answer
        }
    }

    private func answer(_ request: GraphQLRequest) -> SimulatedResponse {
        var json = JSONWriter(capacity: 262_144)
        json.object { json in
            json.key("data")
            json.object { json in
                json.key("rateLimit")
                json.raw("null")
                switch request.operation {
                case .inbox(let inbox): write(inbox, &json)
                case .details: for list in ["discussed", "others"] { write(list, request, &json) }
                case .page: writePage(request, &json)
                case .checks: for list in ["running", "open"] { write(list, request, &json) }
                case .mergeable: write("nodes", request.list("ids"), pull, &json)
                case .repositories:
                    write("nodes", request.list("ids"), { repositories.node($0)?.text }, &json)
                }
            }
        }
        return GitHubResponse.graphQL(json.bytes)
    }

    private func write(_ inbox: InboxDocument, _ json: inout JSONWriter) {
        json.key("viewer")
        json.object { json in
            json.key("login")
            json.string(RawJSON(user.answer.body[...])?["login"]?.string)
        }
        for search in inbox.searches {
            json.key(search.alias)
            json.object { json in
                json.key("issueCount")
                json.number(table.nodes.count)
                json.key("pageInfo")
                json.raw(#"{"hasNextPage":false,"endCursor":null}"#)
                json.key("nodes")
                // Everything is on the first page, so continued pages are empty.
                json.array { json in
                    for node in search.isContinued ? [] : table.nodes {
                        write(node, &json)
                    }
                }
            }
        }
    }

    /// Writes all recorded members, and null for other requested ones.
    private func write(_ node: RawJSON, _ json: inout JSONWriter) {
        let members = node.members ?? []
        json.object { json in
            for (key, value) in members {
                json.key(key)
                json.raw(value.bytes)
            }
            for field in Self.fields where !members.contains(where: { $0.key == field }) {
                json.key(field)
                if field == "__typename" { json.string("PullRequest") } else { json.raw("null") }
            }
        }
    }

    private func writePage(_ request: GraphQLRequest, _ json: inout JSONWriter) {
        let number = request.text("number")
        let node = table.nodes.first { $0["number"]?.text == number }
        json.key("repository")
        json.object { json in
            json.key("pullRequest")
            json.raw(node?["id"]?.string.flatMap(pull) ?? "null")
        }
    }

    private func write(_ list: String, _ request: GraphQLRequest, _ json: inout JSONWriter) {
        write(list, request.list(list), pull, &json)
    }

    private func write(
        _ name: String, _ ids: [String], _ node: (String) -> String?, _ json: inout JSONWriter
    ) {
        json.key(name)
        json.array { json in for id in ids { json.raw(node(id) ?? "null") } }
    }

    private func pull(_ id: String) -> String? {
        guard let node = table.nodes.first(where: { $0["id"]?.string == id }) else { return nil }
        var json = JSONWriter(capacity: 16_384)
        json.object { json in
            for (key, value) in node.members ?? [] {
                json.key(key)
                json.raw(value.bytes)
            }
            if let threads = node["reviewThreads"], node["threads"] == nil {
                json.key("threads")
                json.raw(threads.text)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static let fields = [
        "__typename", "id", "number", "title", "url", "state", "isDraft", "createdAt", "updatedAt",
        "reviewDecision", "mergeable", "totalCommentsCount", "headRefOid", "author", "repository",
        "statusCheckRollup",
    ]
}
