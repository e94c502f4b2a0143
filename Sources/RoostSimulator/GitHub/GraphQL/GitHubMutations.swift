/// The acts that GitHub offers only by GraphQL. Documents must match those of Roost byte for byte.
struct GitHubMutations {
    let world: GitHubWorld
    let caller: GitHubCaller

    private enum Mutation: CaseIterable {
        case resolve, unresolve, markReady, autoMerge, stopAutoMerge

        var document: String {
            switch self {
            case .resolve:
                """
                mutation ResolveThread($thread: ID!) {
                  resolveReviewThread(input: {threadId: $thread}) { thread { isResolved } }
                }
                """
            case .unresolve:
                """
                mutation UnresolveThread($thread: ID!) {
                  unresolveReviewThread(input: {threadId: $thread}) { thread { isResolved } }
                }
                """
            case .markReady:
                """
                mutation MarkReady($pull: ID!) {
                  markPullRequestReadyForReview(input: {pullRequestId: $pull}) { pullRequest { isDraft } }
                }
                """
            case .autoMerge:
                """
                mutation AutoMerge($pull: ID!, $method: PullRequestMergeMethod!, $head: GitObjectID!) {
                  enablePullRequestAutoMerge(
                    input: {pullRequestId: $pull, mergeMethod: $method, expectedHeadOid: $head}
                  ) { pullRequest { id } }
                }
                """
            case .stopAutoMerge:
                """
                mutation StopAutoMerge($pull: ID!) {
                  disablePullRequestAutoMerge(input: {pullRequestId: $pull}) { pullRequest { id } }
                }
                """
            }
        }

        /// The field of the answer.
        var field: String {
            switch self {
            case .resolve: "resolveReviewThread"
            case .unresolve: "unresolveReviewThread"
            case .markReady: "markPullRequestReadyForReview"
            case .autoMerge: "enablePullRequestAutoMerge"
            case .stopAutoMerge: "disablePullRequestAutoMerge"
            }
        }
    }

    /// Returns nil for a query.
    func answer(_ request: GitHubRequest) -> SimulatedResponse? {
        guard let body = RawJSON(request.body[...]), let document = body["query"]?.string,
            let mutation = Mutation.allCases.first(where: { $0.document == document })
        else { return nil }
        let variables = body["variables"]
        let text = { (name: String) in variables?[name]?.string ?? "" }
        guard caller.person != nil else { return GitHubResponse.needsSignIn }
        guard caller.scopes == nil || caller.has("repo", "public_repo") else {
            return refusal(
                "Your token has not been granted the required scopes to execute this query.",
                "INSUFFICIENT_SCOPES", mutation)
        }
        switch mutation {
        case .resolve, .unresolve:
            guard let (pull, thread) = thread(text("thread")) else {
                return missing(text("thread"), mutation)
            }
            let isResolved = mutation == .resolve
            world.add([.setResolved(thread: thread, isResolved)], to: pull.key)
            return done(mutation, #"{"thread":{"isResolved":\#(isResolved)}}"#)
        case .markReady, .autoMerge, .stopAutoMerge:
            guard let pull = world.moment().pull(node: text("pull")), caller.canSee(pull.repository) else {
                return missing(text("pull"), mutation)
            }
            return change(pull, mutation, head: text("head"))
        }
    }

    private func change(_ pull: SimulatedPull, _ mutation: Mutation, head: String) -> SimulatedResponse {
        switch mutation {
        case .markReady:
            world.add([.ready], to: pull.key)
            return done(mutation, #"{"pullRequest":{"isDraft":false}}"#)
        case .autoMerge:
            guard head == pull.head.oid else {
                return refusal("Head sha didn't match the expected one", "UNPROCESSABLE", mutation)
            }
            world.add([.autoMerge], to: pull.key)
        default:
            guard pull.autoMergeAt != nil else {
                return refusal("Can't disable auto-merge for this pull request.", "UNPROCESSABLE", mutation)
            }
            world.add([.stopAutoMerge], to: pull.key)
        }
        return done(mutation, #"{"pullRequest":{"id":"\#(pull.nodeID)"}}"#)
    }

    /// Its number is ten times the pull request's, and its place.
    private func thread(_ node: String) -> (SimulatedPull, Int)? {
        guard node.hasPrefix("PRRT_sim"), let number = Int(node.dropFirst("PRRT_sim".count)) else {
            return nil
        }
        return world.moment().pulls.first {
            $0.threads.indices.contains(number - $0.id * 10) && caller.canSee($0.repository)
        }.map { ($0, number - $0.id * 10) }
    }

    private func done(_ mutation: Mutation, _ value: String) -> SimulatedResponse {
        GitHubResponse.graphQL(Array(#"{"data":{"\#(mutation.field)":\#(value)}}"#.utf8))
    }

    private func missing(_ id: String, _ mutation: Mutation) -> SimulatedResponse {
        refusal("Could not resolve to a node with the global id of '\(id)'", "NOT_FOUND", mutation)
    }

    private func refusal(_ message: String, _ type: String, _ mutation: Mutation) -> SimulatedResponse {
        let error = GraphQLError(message: message, type: type, path: [.name(mutation.field)])
        return GraphQLResponse<[String: String?]>([mutation.field: nil], [error]).response
    }
}
