import RoostSupport

extension GitHubAccountConnector {
    /// In the words of the form: what can be changed there is said at its field.
    static func refusal(_ failure: GitHubFailure, _ host: GitHubHost) -> RoostError {
        switch failure.error {
        case .unauthorized:
            .invalid(field: "token", why: "GitHub does not take this token. Is it complete and still valid?")
        case .forbidden: .invalid(field: "token", why: "GitHub refuses this token. Check what it may read.")
        case .singleSignOn: .invalid(field: "token", why: failure.error.message(source: "GitHub"))
        case .networkUnavailable where !host.isTrusted, .timedOut where !host.isTrusted,
            .interrupted where !host.isTrusted:
            .invalid(
                field: "host",
                why:
                    "No GitHub answers at \(host.name). Hosts in the LAN are named by Roost’s operator (--github-hosts)."
            )
        case .invalidResponse where !host.isTrusted:
            .invalid(field: "host", why: "What answers at \(host.name) is no GitHub.")
        case .rateLimited:
            .unavailable(
                failure.error.message(source: "GitHub"),
                retryAfter: failure.retryAfter.map { Int($0.rounded(.up)) })
        default: .unavailable(failure.error.message(source: "GitHub"))
        }
    }
}
