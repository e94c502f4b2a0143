import Foundation

@testable import GitHub
@testable import RoostSimulator

/// The simulated GitHub at a fixed time, without a network.
struct TestGitHub {
    let clock: TestSimulatorClock
    let simulation: GitHubSimulation

    init(seed: UInt64 = 7, at moment: Int = TestMarket.moment) {
        clock = TestSimulatorClock(moment)
        simulation = GitHubSimulation(seed: seed, clock: clock.clock)
    }

    func ask(
        _ target: String, as login: String? = "ada", token: String? = nil, ifNoneMatch: String? = nil,
        userAgent: String? = "RoostTests/1", accept: String = "application/vnd.github+json"
    ) -> SimulatedResponse {
        simulation.answer(
            GitHubRequest(
                target: target, token: token ?? login.map { GitHubTokens.classic(of: $0) },
                ifNoneMatch: ifNoneMatch, userAgent: userAgent, accept: accept))
    }

    /// A README in the format `word`: "html" or "raw"; nil for JSON.
    func readme(_ fullName: String, _ word: String?, as login: String? = "ada") -> SimulatedResponse {
        let accept = word.map { "application/vnd.github.\($0)" } ?? "application/vnd.github+json"
        return ask("/repos/\(fullName)/readme", as: login, accept: accept)
    }

    /// The names that a search for repositories finds, in order.
    func repositories(_ query: String, _ rest: String = "&per_page=100", as login: String? = "ada") throws
        -> [[String: Any]]
    {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try ask("/search/repositories?q=\(text)\(rest)", as: login).object.objects("items")
    }

    var allRepositories: [RepositorySnapshot] { simulation.repositories.moment().all }

    func search(_ query: String, _ rest: String = "&per_page=100", as login: String = "ada") throws
        -> [[String: Any]]
    {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try ask("/search/issues?q=\(text)\(rest)", as: login).object
        return answer["items"] as? [[String: Any]] ?? []
    }

    /// Posts a document as Roost does.
    func graphQL(_ document: String, _ variables: [String: Any] = [:], token: String? = nil)
        -> SimulatedResponse
    {
        simulation.answer(.graphQL(document, variables, token: token ?? GitHubTokens.classic(of: "ada")))
    }

    /// One search of the inbox, under the alias "found".
    ///
    /// - Parameter after: the cursor to continue from
    func inbox(_ words: String, first: Int = 50, after: String? = nil, token: String? = nil)
        -> SimulatedResponse
    {
        let search = PullQuery.Search(alias: "found", isContinued: after != nil)
        var variables = ["q0": words]
        variables["a0"] = after
        return graphQL(
            PullQuery.inbox([search], PullQuery.Options(pageSize: first)), variables, token: token)
    }

    func page(_ words: String, first: Int = 50, after: String? = nil) throws -> [String: Any] {
        try inbox(words, first: first, after: after).object.object("data").object("found")
    }

    /// All details of the pull requests that a search finds.
    func details(
        _ words: String, first: Int = 50, includesThreads: Bool = false, hasTeams: Bool = true,
        token: String? = nil
    ) throws -> SimulatedResponse {
        let found = try inbox(words, first: first, token: token).object.object("data").object("found")
        let ids = found.texts("id")
        return graphQL(
            PullQuery.details(PullQuery.Options(hasTeams: hasTeams)),
            ["discussed": includesThreads ? ids : [], "others": includesThreads ? [] : ids], token: token)
    }

    /// The same, as nodes.
    func detailed(_ words: String, first: Int = 50, includesThreads: Bool = false) throws
        -> [[String: Any]]
    {
        try details(words, first: first, includesThreads: includesThreads).object.object("data")
            .objects(includesThreads ? "discussed" : "others")
    }

    /// Whether each can be merged, by their ids.
    func mergeable(_ ids: [String]) throws -> [String?] {
        try graphQL(PullQuery.mergeable, ["ids": ids]).object.object("data").objects("nodes")
            .map { $0.text("mergeable") }
    }
}

extension GitHubRequest {
    static func graphQL(_ document: String, _ variables: [String: Any] = [:], token: String) -> GitHubRequest
    {
        GitHubRequest(
            method: "POST", target: "/graphql", token: token, contentType: "application/json",
            body: Array(graphQLBody(document, variables).utf8))
    }

    /// The body that Roost posts, with the operation's name from the document.
    static func graphQLBody(_ document: String, _ variables: [String: Any] = [:]) -> String {
        let name = document.prefixMatch(of: #/query (\w+)/#).map { String($0.1) } ?? ""
        let body: [String: Any] = ["operationName": name, "query": document, "variables": variables]
        let data = try? JSONSerialization.data(withJSONObject: body, options: .sortedKeys)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

extension [String: Any] {
    func object(_ key: String) -> [String: Any] { self[key] as? [String: Any] ?? [:] }

    func objects(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }

    func texts(_ key: String) -> [String] { objects("nodes").compactMap { $0.text(key) } }
}
