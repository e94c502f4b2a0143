import Foundation
import RoostSimulator

/// The simulated GitHub at a fixed moment, asked without a network.
struct TestGitHub {
    let clock: TestClock
    let simulation: GitHubSimulation

    init(seed: UInt64 = 7, at moment: Int = TestMarket.moment) {
        clock = TestClock(moment)
        simulation = GitHubSimulation(seed: seed, clock: clock.clock)
    }

    func ask(
        _ target: String, as login: String? = "ada", token: String? = nil, ifNoneMatch: String? = nil,
        userAgent: String? = "RoostTests/1", accept: String = "application/vnd.github+json"
    ) -> SimulatedAnswer {
        simulation.answer(
            GitHubRequest(
                target: target, token: token ?? login.map { GitHubTokens.classic(of: $0) },
                ifNoneMatch: ifNoneMatch, userAgent: userAgent, accept: accept))
    }

    /// A README as `word` names it: "html", "raw"; nil in JSON.
    func readme(_ fullName: String, _ word: String?, as login: String? = "ada") -> SimulatedAnswer {
        let accept = word.map { "application/vnd.github.\($0)" } ?? "application/vnd.github+json"
        return ask("/repos/\(fullName)/readme", as: login, accept: accept)
    }

    /// The names that a search of repositories finds, in its order.
    func repositories(_ query: String, _ rest: String = "&per_page=100", as login: String? = "ada") throws
        -> [[String: Any]]
    {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try ask("/search/repositories?q=\(text)\(rest)", as: login).object.objects("items")
    }

    /// All repositories as they stand now.
    var shelf: [RepositorySnapshot] { simulation.repositories.moment().all }

    /// The items of a search.
    func search(_ query: String, _ rest: String = "&per_page=100", as login: String = "ada") throws
        -> [[String: Any]]
    {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try ask("/search/issues?q=\(text)\(rest)", as: login).object
        return answer["items"] as? [[String: Any]] ?? []
    }

    func graphQL(_ query: String, _ variables: [String: Any] = [:], token: String? = nil) -> SimulatedAnswer {
        let body = try? JSONSerialization.data(withJSONObject: ["query": query, "variables": variables])
        return simulation.answer(
            GitHubRequest(
                method: "POST", target: "/graphql", token: token ?? GitHubTokens.classic(of: "ada"),
                contentType: "application/json", body: Array(body ?? Data())))
    }

    /// What stands under `data`, walked along the names.
    func data(_ query: String, _ variables: [String: Any] = [:]) throws -> [String: Any] {
        try graphQL(query, variables).object["data"] as? [String: Any] ?? [:]
    }
}

extension [String: Any] {
    func object(_ key: String) -> [String: Any] { self[key] as? [String: Any] ?? [:] }

    func objects(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }

    func texts(_ key: String) -> [String] { objects("nodes").compactMap { $0.text(key) } }
}
