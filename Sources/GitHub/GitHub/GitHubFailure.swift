import Foundation
import HTTPClient
package import RoostSupport

/// GitHub's answer that went wrong, as the reader hears of it, with the wait it asked for and words for the log.
struct GitHubFailure: Error, Equatable, Sendable {
    /// What rests meanwhile, when GitHub asks for patience.
    enum LimitScope: Equatable, Sendable {
        case none
        /// The primary limit: this resource ("core", "search", "graphql").
        case resource
        /// A secondary limit: whatever the account asks.
        case everything
    }

    package private(set) var error: APIError
    /// In seconds.
    package var retryAfter: Double?
    /// The status, 0 where no answer came.
    package var status = 0
    /// What GitHub said, shortened and without any token; `message` of its JSON where there is one.
    package var detail = ""
    package var rest = LimitScope.none
    /// True when GitHub named no time: the wait then grows with every such answer.
    var isGuess = false
    /// What the answer's headers say of the limit; not that of a 401, which is a stranger's.
    package var budget: RateBudget?

    package init(error: APIError, retryAfter: Double? = nil, status: Int = 0, detail: String = "") {
        self.error = error
        self.retryAfter = retryAfter
        self.status = status
        self.detail = detail
    }

    /// The same after the clock was set by so many seconds.
    package func moved(by seconds: TimeInterval) -> GitHubFailure {
        var moved = self
        moved.error = error.moved(by: seconds)
        return moved
    }

    /// At least so long GitHub is left alone when it does not say how long, in seconds.
    static let minimumPenalty = 60.0

    /// A limit without a time of its own, or with one.
    init(limitedFor wait: Double?, _ rest: LimitScope, status: Int, detail: String, now: Date) {
        let seconds = wait ?? Self.minimumPenalty
        self.init(
            error: .rateLimited(resetDate: now + seconds), retryAfter: seconds, status: status, detail: detail
        )
        self.rest = rest
        isGuess = wait == nil
    }
}

extension GitHubFailure {
    /// No answer came: the network, their machine, or ours going down.
    package init(transport: HTTPClientError) {
        self.init(error: APIError(transport), detail: "\(transport)")
    }

    /// An answer that is no success, decided in the order of GitHub's documentation ("Rate limits for the REST API").
    ///
    /// - Parameters:
    ///   - budget: what its headers say, if they say it
    ///   - host: whose answer it is; a link to another host is dropped
    ///   - hiding: takes secrets out of a text that was decoded
    init(
        response: ClientResponse, budget: RateBudget?, host: GitHubHost, now: Date,
        hiding: (String) -> String
    ) {
        let text = String(decoding: response.body.prefix(4_096), as: UTF8.self)
        let detail = Self.detail(response, text: text, hiding)
        let wait = response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) }
        switch response.status {
        case 401: self.init(error: .unauthorized, status: 401, detail: detail)
        case 403 where !Self.isLimit(response, text, wait, budget):
            let error = Self.singleSignOn(response, host) ?? .forbidden
            self.init(error: error, status: 403, detail: detail)
        case 403, 429:
            let isPrimary = wait == nil && budget?.remaining == 0
            let reset = isPrimary ? budget.map { $0.resetAt.timeIntervalSince(now) } : wait
            // A reset that is past by our clock says that the clocks differ, not that all is well.
            let maximumBytes = isPrimary ? RateBudget.maximumWindow : 86_400
            let seconds = reset.flatMap { $0 > 0 || !isPrimary ? min($0, maximumBytes) : nil }
            self.init(
                limitedFor: seconds, isPrimary ? .resource : .everything, status: response.status,
                detail: detail, now: now)
        case 451:
            self.init(error: .legallyBlocked, retryAfter: wait, status: 451, detail: detail)
        case 500...:
            self.init(
                error: .serverError(statusCode: response.status), retryAfter: wait, status: response.status,
                detail: detail)
        default:
            self.init(
                error: .invalidResponse(statusCode: response.status), retryAfter: wait,
                status: response.status, detail: detail)
        }
        if response.status != 401 { self.budget = budget }
    }

    /// `X-GitHub-SSO: required; url=https://github.com/orgs/octodocs/sso?authorization_request=...` (GitHub's
    /// documentation, "Authorizing a personal access token for use with single sign-on").
    private static func singleSignOn(_ response: ClientResponse, _ host: GitHubHost) -> APIError? {
        let parts = (response.headers["x-github-sso"] ?? "").splitBytes(at: ";").map { String($0).trimmed }
        guard parts.first?.lowercased() == "required" else { return nil }
        let url = parts.lazy.filter { $0.hasPrefix("url=") }.map { String($0.dropFirst("url=".count)) }.first
        return .singleSignOn(authorizationURL: url.flatMap { isOwnPage($0, of: host) ? $0 : nil })
    }

    /// Whether it is a page of the host's own site, over TLS.
    private static func isOwnPage(_ url: String, of host: GitHubHost) -> Bool {
        guard url.utf8.count <= 2_000, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !url.utf8.contains(where: "@\\\"<>".utf8.contains), let origin = WebOrigin(within: url)
        else { return false }
        return origin.isSecure && origin == WebOrigin(within: host.webURL)
    }

    /// A 403 without any of these signs is a refusal.
    private static func isLimit(
        _ response: ClientResponse, _ text: String, _ wait: Double?, _ budget: RateBudget?
    ) -> Bool {
        if wait != nil || budget?.remaining == 0 || response.headers["gh-limited-by"] != nil { return true }
        return saysLimit(message(in: text) ?? text)
    }

    /// Whether these words of GitHub's speak of a limit, the primary or a secondary one.
    static func saysLimit(_ words: String) -> Bool {
        saysSecondaryLimit(words)
            || ["rate limit exceeded", "rate limit already exceeded"].contains(
                where: words.lowercased().containsBytes)
    }

    /// The limits on how much is asked at once, which have no budget.
    static func saysSecondaryLimit(_ words: String) -> Bool {
        ["secondary rate limit", "abuse detection"].contains(where: words.lowercased().containsBytes)
    }

    private static func message(in text: String) -> String? {
        struct Body: Decodable { let message: String }
        return try? JSONDecoder().decode(Body.self, from: Data(text.utf8)).message
    }

    /// The first of the reasons beside "Validation Failed": the sentence that says what is wrong.
    private static func reason(in text: String) -> String? {
        struct Reason: Decodable { let message: String? }
        struct Body: Decodable { let errors: [Reason] }
        let body = try? JSONDecoder().decode(Body.self, from: Data(text.utf8))
        return body?.errors.lazy.compactMap(\.message).first { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func detail(_ response: ClientResponse, text: String, _ hiding: (String) -> String)
        -> String
    {
        var words = (response.status == 422 ? reason(in: text) : nil) ?? message(in: text) ?? text
        if let rights = response.headers["x-accepted-github-permissions"] {
            words += " (needs \(String(rights.unicodeScalars.prefix(200))))"
        }
        let line = String(hiding(words).unicodeScalars.prefix(200)).map {
            $0.isNewline || $0.isWhitespace ? " " : $0
        }
        return "status \(response.status): \(String(line))"
    }
}

extension GitHubFailure: UpstreamFailure {}

extension Backoff {
    /// After failures of GitHub's.
    package static let gitHub = Backoff(initial: 15, maximum: 600)
}
