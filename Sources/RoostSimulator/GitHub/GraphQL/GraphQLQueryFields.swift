extension GraphQLSchema {
    /// What the root holds.
    struct Root: Sendable {}

    mutating func addQuery() {
        addSearch()
        addNodes()
        addNamed()
        addRateLimit()
        add("Query", of: Root.self, "viewer", "User") { _, call in
            .object("User", call.world.caller.person)
        }
        add("Query", of: Root.self, "rateLimit", "RateLimit", arguments: ["dryRun"]) { _, call in
            .object("RateLimit", call.world.budget)
        }
    }

    private mutating func addNodes() {
        add("Query", of: Root.self, "node", "Node", arguments: ["id"]) { _, call in
            try Self.node(call["id"]?.text ?? "", call.world)
        }
        add("Query", of: Root.self, "nodes", "Node", arguments: ["ids"]) { _, call in
            let ids = call["ids"]?.items ?? []
            guard ids.count <= 100 else {
                throw GraphQLError(
                    message: "You may not provide more than 100 node ids; you provided \(ids.count).",
                    type: "ARGUMENT_LIMIT", isPartial: true)
            }
            return .list(
                ids.map { id in
                    do { return try Self.node(id.text ?? "", call.world) } catch let error as GraphQLError {
                        return .failure(error)
                    } catch { return .null }
                })
        }
    }

    private mutating func addNamed() {
        add(
            "Query", of: Root.self, "repository", "Repository", arguments: ["owner", "name", "followRenames"]
        ) { _, call in
            let name = "\(call["owner"]?.text ?? "")/\(call["name"]?.text ?? "")"
            let repositories = call.world.repositories
            let follows = call["followRenames"] != .bool(false)
            let found = repositories.found(name) ?? (follows ? repositories.moved(name) : nil)
            guard let repository = found, repository.isSeen(by: call.world.caller) else {
                throw GraphQLError(
                    message: "Could not resolve to a Repository with the name '\(name)'.", type: "NOT_FOUND",
                    isPartial: true)
            }
            return .object("Repository", repository)
        }
        add("Query", of: Root.self, "user", "User", arguments: ["login"]) { _, call in
            let login = call["login"]?.text ?? ""
            guard let person = SimulatedCast.person(login), !person.isBot else {
                throw GraphQLError(
                    message: "Could not resolve to a User with the login of '\(login)'.", type: "NOT_FOUND",
                    isPartial: true)
            }
            return .object("User", person)
        }
    }

    private mutating func addSearch() {
        let connection = "SearchResultItemConnection"
        connect(
            "Query", of: Root.self, "search", "SearchResultItem", arguments: ["query", "type"], reach: 1_000
        ) { _, call in
            let pulls = call["type"]?.text?.hasPrefix("ISSUE") == true
            let search = PullSearch(moment: call.world.moment, caller: call.world.caller)
            // A search that REST refuses finds nothing here.
            let found = pulls ? (try? search.results(call["query"]?.text ?? "")) ?? [] : []
            return found.map { .object("PullRequest", $0) }
        }
        types[connection]?["totalCount"] = nil
        add(connection, of: GraphQLPage.self, "issueCount") { page, _ in .int(page.total) }
        for name in ["repositoryCount", "userCount", "codeCount", "discussionCount", "wikiCount"] {
            add(connection, of: GraphQLPage.self, name) { _, _ in .int(0) }
        }
        add("PageInfo", of: GraphQLPage.self, "hasNextPage") { page, _ in .bool(page.hasNext) }
        add("PageInfo", of: GraphQLPage.self, "hasPreviousPage") { page, _ in .bool(page.hasPrevious) }
        add("PageInfo", of: GraphQLPage.self, "startCursor") { page, _ in .string(page.startCursor) }
        add("PageInfo", of: GraphQLPage.self, "endCursor") { page, _ in .string(page.endCursor) }
    }

    private mutating func addRateLimit() {
        typealias Window = GitHubBudgets.Window
        add("RateLimit", of: Window.self, "limit") { window, _ in .int(window.limit) }
        add("RateLimit", of: Window.self, "remaining") { window, _ in .int(window.remaining) }
        add("RateLimit", of: Window.self, "used") { window, _ in .int(window.used) }
        add("RateLimit", of: Window.self, "resetAt") { window, _ in .time(window.resetsAt) }
        add("RateLimit", of: Window.self, "cost") { _, call in .int(call.world.cost) }
        add("RateLimit", of: Window.self, "nodeCount") { _, call in .int(call.world.nodes) }
    }

    static func node(_ id: String, _ world: GraphQLWorld) throws -> GraphQLValue {
        if let pull = world.moment.pull(node: id), world.caller.sees(pull.repository) {
            return .object("PullRequest", pull)
        }
        if let person = SimulatedCast.all.first(where: { $0.nodeID == id }) {
            return .object(person.isBot ? "Bot" : "User", person)
        }
        if let repository = world.repositories.repository(node: id), repository.isSeen(by: world.caller) {
            return .object("Repository", repository)
        }
        throw GraphQLError(
            message: "Could not resolve to a node with the global id of '\(id)'", type: "NOT_FOUND",
            isPartial: true)
    }
}
