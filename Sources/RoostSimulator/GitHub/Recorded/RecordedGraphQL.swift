/// Recorded pull requests and repositories in answer to an operation of which there is no recording.
///
/// Each search finds all pull requests. Each has the fields that it was recorded with, and null for the others
/// that it is asked for. Values keep their bytes.
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
                case .mergeable: write(request.list("ids"), pull, &json)
                case .repositories: write(request.list("ids"), { repositories.node($0)?.text }, &json)
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
                // The one page holds everything: behind it there is nothing.
                json.array { json in
                    for node in search.isContinued ? [] : table.nodes {
                        write(node, includesThreads: search.includesThreads, &json)
                    }
                }
            }
        }
    }

    /// What was recorded, whole, and null for what is asked for beside it.
    private func write(_ node: RawJSON, includesThreads: Bool, _ json: inout JSONWriter) {
        let members = node.members ?? []
        json.object { json in
            for (key, value) in members {
                json.key(key)
                json.raw(value.bytes)
            }
            for field in Self.fields + (includesThreads ? ["threads"] : [])
            where !members.contains(where: { $0.key == field }) {
                json.key(field)
                switch field {
                case "__typename": json.string("PullRequest")
                case "threads": json.raw(node["reviewThreads"]?.text ?? "null")
                default: json.raw("null")
                }
            }
        }
    }

    /// Null for what was not recorded.
    private func write(_ ids: [String], _ node: (String) -> String?, _ json: inout JSONWriter) {
        json.key("nodes")
        json.array { json in for id in ids { json.raw(node(id) ?? "null") } }
    }

    /// The recorded pull request, whole.
    private func pull(_ id: String) -> String? { table.nodes.first { $0["id"]?.string == id }?.text }

    /// What `Inbox` asks of a pull request.
    private static let fields = [
        "__typename", "id", "number", "title", "url", "state", "isDraft", "createdAt", "updatedAt",
        "additions", "deletions", "changedFiles", "reviewDecision", "mergeable", "totalCommentsCount",
        "headRefOid", "author", "repository", "labels", "statusCheckRollup", "commits", "reviewRequests",
        "timelineItems", "viewerLatestReview", "latestOpinionatedReviews", "reviews", "comments",
        "reviewThreads",
    ]
}
