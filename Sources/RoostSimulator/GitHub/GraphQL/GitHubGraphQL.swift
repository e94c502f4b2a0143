/// GitHub's GraphQL endpoint. Answers the operations that Roost sends, and returns GitHub's errors for
/// others.
struct GitHubGraphQL {
    let moment: GitHubMoment
    let repositories: RepositoryMoment
    let caller: GitHubCaller
    let baseURL: GitHubBaseURL
    let budgets: GitHubBudgets
    let hasComputedMergeable: @Sendable (SimulatedPull) -> Bool

    /// Spends the operation's points. Rejected requests cost nothing.
    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        guard caller.login != nil else {
            return GitHubResponse.failure(401, "This endpoint requires you to be authenticated.", "/graphql")
        }
        do throws(GraphQLRequest.Rejection) {
            return try answer(GraphQLRequest(request))
        } catch {
            return error.answer
        }
    }

    private func answer(_ request: GraphQLRequest) throws(GraphQLRequest.Rejection) -> SimulatedResponse {
        let cost = request.operation.points { request.list($0).count }
        if request.operation.hasTeams, let scopes = caller.scopes, !caller.canSeeTeams {
            throw .init(Self.missingScope(scopes))
        }
        guard budgets.spend(0, on: "graphql", by: caller.login).remaining >= cost else {
            throw .init(Self.limited(caller))
        }
        let rateLimit = RateLimitNode(budgets.spend(cost, on: "graphql", by: caller.login), cost: cost)
        switch request.operation {
        case .inbox(let inbox): return answer(inbox, request, rateLimit)
        case .details(let options):
            return answer(["discussed", "others"], request, rateLimit, options) { writer, pull, list, path in
                writer.details(pull, hasThreads: list == "discussed", at: path)
            }
        case .page(let options): return page(request, rateLimit, options)
        case .checks:
            return answer(["running", "open"], request, rateLimit) { writer, pull, list, _ in
                list == "running" ? writer.checks(pull) : writer.resolutions(pull)
            }
        case .mergeable:
            return answer(request.list("ids"), rateLimit) { id in
                visible(id).map { MergeableNode(id: id, mergeable: mergeable($0)) }
            }
        case .repositories:
            return answer(request.list("ids"), rateLimit) { id in
                repositories.repository(node: id).flatMap(visible).map { one in
                    let parent = one.parentNumber.flatMap { repositories.repository(number: $0) }
                    return RepositoryNode(one, parent: parent.flatMap(visible), baseURL)
                }
            }
        }
    }

    static func limited(_ caller: GitHubCaller) -> SimulatedResponse {
        let message = "API rate limit exceeded for user ID \(caller.person?.number ?? 0)."
        return GraphQLError(message: message, type: "RATE_LIMITED").response
    }

    private static func missingScope(_ scopes: [String]) -> GraphQLError {
        let granted = scopes.map { "'\($0)'" }.joined(separator: ", ")
        return GraphQLError(
            message: "Your token has not been granted the required scopes to execute this query. The "
                + "'combinedSlug' field requires one of the following scopes: ['read:org', "
                + "'read:discussion'], but your token has only been granted the: [\(granted)] scopes. Please "
                + "modify your token's scopes at: https://github.com/settings/tokens.",
            type: "INSUFFICIENT_SCOPES")
    }
}

// MARK: Inbox

extension GitHubGraphQL {
    private struct Viewer: Encodable { let login: String }

    private struct PageInfo: Encodable {
        let hasNextPage: Bool
        @Nullable var endCursor: String?
    }

    private struct Page: Encodable {
        let issueCount: Int
        let pageInfo: PageInfo
        let nodes: [SimulatedPullNode]
    }

    private struct Inbox: Encodable {
        let viewer: Viewer
        let rateLimit: RateLimitNode
        /// By alias; null for a rejected cursor.
        let pages: [String: Page?]

        private enum CodingKeys: CodingKey { case viewer, rateLimit }

        /// Writes the pages as members next to the others.
        func encode(to encoder: any Encoder) throws {
            try pages.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(viewer, forKey: .viewer)
            try members.encode(rateLimit, forKey: .rateLimit)
        }
    }

    private static let maximumResults = 1_000

    private func answer(
        _ inbox: InboxDocument, _ request: GraphQLRequest, _ rateLimit: RateLimitNode
    ) -> SimulatedResponse {
        var options = PullDocument.Options()
        options.hasMergeState = inbox.hasMergeState
        let writer = writer(options)
        var pages: [String: Page?] = [:]
        var errors: [GraphQLError] = []
        let search = SimulatedPullSearch(moment: moment, caller: caller)
        for (index, requestedSearch) in inbox.searches.enumerated() {
            // A search that REST rejects has no results here.
            let found = (try? search.results(request.text("q\(index)"))) ?? []
            let cursor = requestedSearch.isContinued ? request.text("a\(index)") : nil
            guard let start = cursor.map(Self.position) ?? 0 else {
                errors.append(
                    GraphQLError(
                        message: "`\(cursor ?? "")` does not appear to be a valid cursor.",
                        type: "INVALID_CURSOR_ARGUMENTS", path: [.name(requestedSearch.alias)]))
                pages.updateValue(nil, forKey: requestedSearch.alias)
                continue
            }
            let reachable = found.prefix(Self.maximumResults)
            let cut = reachable.dropFirst(start).prefix(requestedSearch.first)
            pages[requestedSearch.alias] = Page(
                issueCount: found.count,
                pageInfo: PageInfo(
                    hasNextPage: cut.endIndex < reachable.endIndex,
                    endCursor: cut.isEmpty ? nil : Self.cursor(cut.endIndex)),
                nodes: cut.map(writer.overview))
        }
        let viewer = Viewer(login: caller.login ?? "")
        return GraphQLResponse(
            Inbox(viewer: viewer, rateLimit: rateLimit, pages: pages), errors
        ).response
    }

    private func writer(_ options: PullDocument.Options) -> PullWriter {
        PullWriter(
            repositories: repositories, caller: caller, baseURL: baseURL, now: moment.now, options: options,
            mergeable: mergeable)
    }

    private func mergeable(_ pull: SimulatedPull) -> String {
        hasComputedMergeable(pull) ? pull.hasConflict ? "CONFLICTING" : "MERGEABLE" : "UNKNOWN"
    }

    private static func cursor(_ count: Int) -> String { Base64.encode(Array("cursor:\(count)".utf8)) }

    private static func position(_ cursor: String) -> Int? {
        Base64.decode(cursor).flatMap { Int(String(decoding: $0, as: UTF8.self).dropFirst(7)) }
            .flatMap { $0 > 0 ? $0 : nil }
    }
}

// MARK: One pull request

extension GitHubGraphQL {
    private struct Repository: Encodable {
        let mergeCommitAllowed: Bool
        let squashMergeAllowed = true
        let rebaseMergeAllowed: Bool
        let isArchived = false
        @Nullable var pullRequest: SimulatedPullNode?
    }

    private struct PullPage: Encodable {
        let rateLimit: RateLimitNode
        @Nullable var repository: Repository?
    }

    private func page(
        _ request: GraphQLRequest, _ rateLimit: RateLimitNode, _ options: PullDocument.Options
    ) -> SimulatedResponse {
        let name = "\(request.text("owner"))/\(request.text("name"))"
        guard let repository = SimulatedRepository.named(name), caller.canSee(repository) else {
            let error = GraphQLError(
                message: "Could not resolve to a Repository with the name '\(name)'.", type: "NOT_FOUND",
                path: [.name("repository")])
            return GraphQLResponse(PullPage(rateLimit: rateLimit, repository: nil), [error]).response
        }
        let pull = moment.pull(key: "\(name)#\(request.text("number"))")
        let errors =
            pull.map { _ in [] } ?? [
                GraphQLError(
                    message:
                        "Could not resolve to a PullRequest with the number of \(request.text("number")).",
                    type: "NOT_FOUND", path: [.name("repository"), .name("pullRequest")])
            ]
        let writer = writer(options)
        let node = Repository(
            mergeCommitAllowed: repository.isPersonal, rebaseMergeAllowed: !repository.isPersonal,
            pullRequest: pull.map(writer.page))
        return GraphQLResponse(PullPage(rateLimit: rateLimit, repository: node), errors).response
    }
}

// MARK: Nodes by their ids

extension GitHubGraphQL {
    private struct Nodes<Node: Encodable>: Encodable {
        let rateLimit: RateLimitNode
        @Nullable var nodes: [Node?]?
    }

    /// Lists by their names in the response.
    private struct NodeLists: Encodable {
        let rateLimit: RateLimitNode
        let lists: [String: [SimulatedPullNode?]]

        private enum CodingKeys: CodingKey { case rateLimit }

        func encode(to encoder: any Encoder) throws {
            try lists.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(rateLimit, forKey: .rateLimit)
        }
    }

    private static let maximumIDs = 100

    /// Returns pull requests by the ids of the variables. Missing or invisible ones are null with an error.
    private func answer(
        _ names: [String], _ request: GraphQLRequest, _ rateLimit: RateLimitNode,
        _ options: PullDocument.Options = PullDocument.Options(),
        _ node: (inout PullWriter, SimulatedPull, _ list: String, _ path: [GraphQLError.Step]) ->
            SimulatedPullNode
    ) -> SimulatedResponse {
        var writer = writer(options)
        var lists: [String: [SimulatedPullNode?]] = [:]
        var errors: [GraphQLError] = []
        for name in names {
            let ids = request.list(name)
            guard ids.count <= Self.maximumIDs else { return Self.tooMany(ids.count, name).response }
            lists[name] = ids.enumerated().map { index, id in
                let path: [GraphQLError.Step] = [.name(name), .index(index)]
                guard let pull = visible(id) else {
                    errors.append(Self.missing(id, path))
                    return nil
                }
                return node(&writer, pull, name, path)
            }
        }
        return GraphQLResponse(NodeLists(rateLimit: rateLimit, lists: lists), errors + writer.errors).response
    }

    private static func tooMany(_ count: Int, _ list: String) -> GraphQLError {
        GraphQLError(
            message: "You may not provide more than \(maximumIDs) node ids; you provided \(count).",
            type: "ARGUMENT_LIMIT", path: [.name(list)])
    }

    private static func missing(_ id: String, _ path: [GraphQLError.Step]) -> GraphQLError {
        GraphQLError(
            message: "Could not resolve to a node with the global id of '\(id)'", type: "NOT_FOUND",
            path: path)
    }

    private func answer<Node: Encodable>(
        _ ids: [String], _ rateLimit: RateLimitNode, _ node: (String) -> Node?
    ) -> SimulatedResponse {
        guard ids.count <= Self.maximumIDs else {
            let error = Self.tooMany(ids.count, "nodes")
            return GraphQLResponse(Nodes<Node>(rateLimit: rateLimit, nodes: nil), [error]).response
        }
        let nodes = ids.map(node)
        let errors = ids.indices.filter { nodes[$0] == nil }.map { index in
            Self.missing(ids[index], [.name("nodes"), .index(index)])
        }
        return GraphQLResponse(Nodes(rateLimit: rateLimit, nodes: nodes), errors).response
    }

    private func visible(_ id: String) -> SimulatedPull? {
        moment.pull(node: id).flatMap { caller.canSee($0.repository) ? $0 : nil }
    }

    private func visible(_ repository: RepositorySnapshot) -> RepositorySnapshot? {
        repository.isVisible(to: caller) ? repository : nil
    }
}
