import Synchronization

/// The tokens that the simulated GitHub accepts, and their owners.
package final class GitHubTokens: Sendable {
    private let state: Mutex<[String: GitHubCaller]>

    init() {
        state = Mutex(Self.standard)
    }

    /// Returns the classic token with `repo` and `read:org` that each person has. Bots have none.
    package static func classic(of login: String) -> String { "ghp_" + filled(login, 36) }

    static func fineGrained(of login: String) -> String {
        "github_pat_11" + filled(login, 20).uppercased() + "_" + filled(login, 59)
    }

    private static let standard = Dictionary(
        SimulatedCast.people.flatMap { person in
            [
                (classic(of: person.login), GitHubCaller(login: person.login, scopes: ["read:org", "repo"])),
                (fineGrained(of: person.login), GitHubCaller(login: person.login, scopes: nil)),
            ]
        }, uniquingKeysWith: { first, _ in first })

    /// Pads the login with zeros, so that the token does not look like a real one.
    private static func filled(_ login: String, _ length: Int) -> String {
        let letters = "Simulated" + login.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return letters + String(repeating: "0", count: max(0, length - letters.count))
    }

    func caller(_ token: String) -> GitHubCaller? { state.withLock { $0[token] } }

    func add(_ token: String, _ caller: GitHubCaller) { state.withLock { $0[token] = caller } }

    func revoke(login: String?) {
        state.withLock { tokens in tokens = tokens.filter { login != nil && $0.value.login != login } }
    }

    func revoke(token: String) { _ = state.withLock { $0.removeValue(forKey: token) } }

    func restore() { state.withLock { $0 = Self.standard } }

    var counts: [String: Int] {
        state.withLock { tokens in
            tokens.values.reduce(into: [:]) { counts, caller in counts[caller.login ?? "", default: 0] += 1 }
        }
    }
}
