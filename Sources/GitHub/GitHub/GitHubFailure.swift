import Foundation
import HTTPClient
package import RoostSupport

/// A failed request to GitHub: the error to show, the wait that GitHub asked for, and details for the log.
struct GitHubFailure: Error, Equatable, Sendable {
    enum LimitScope: Equatable, Sendable {
        case none
        /// The primary limit, which applies to one resource ("core", "search" or "graphql").
        case resource
        /// A secondary limit, which applies to all of the account's requests.
        case everything
    }

    package var error: APIError
    /// In seconds.
    package var retryAfter: Double?
    /// 0 if there was no response.
    package var status = 0
    /// GitHub's message for the log, shortened and without tokens: the JSON's `message`, or else the body's text.
    package var detail = ""
    package var limitScope = LimitScope.none
    /// True if GitHub named no time. Such waits grow with each failure in a row.
    var isGuess = false
    /// The budget in the response's headers. Nil for a 401, whose headers do not describe this account.
    package var budget: RateBudget?
    /// Nil if there was no response.
    var refusal: GitHubRefusal?

    package init(error: APIError, retryAfter: Double? = nil, status: Int = 0, detail: String = "") {
        self.error = error
        self.retryAfter = retryAfter
        self.status = status
        self.detail = detail
    }

    /// The shortest pause after a limit without a time, in seconds.
    static let minimumPenalty = 60.0

    /// - Parameter wait: in seconds; nil if GitHub named no time
    init(limitedFor wait: Double?, _ limitScope: LimitScope, status: Int, detail: String, now: Date) {
        let seconds = wait ?? Self.minimumPenalty
        self.init(
            error: .rateLimited(resetDate: now + seconds), retryAfter: seconds, status: status, detail: detail
        )
        self.limitScope = limitScope
        isGuess = wait == nil
    }
}

extension GitHubFailure {
    package init(transport: HTTPClientError) {
        self.init(error: APIError(transport), detail: "\(transport)")
    }

    /// Classifies a failed response, in the order of GitHub's documentation ("Rate limits for the REST API").
    ///
    /// - Parameters:
    ///   - budget: the budget in the response's headers, if any
    ///   - host: the host that answered; a single sign-on link to any other is dropped
    ///   - hiding: removes secrets from text after JSON decoding
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
            // A reset in the past shows that the clocks differ, not that the limit is over.
            let maximumWait = isPrimary ? RateBudget.maximumWindow : 86_400
            let seconds = reset.flatMap { $0 > 0 || !isPrimary ? min($0, maximumWait) : nil }
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
        refusal = GitHubRefusal(response, hiding: hiding)
    }

    /// Parses `X-GitHub-SSO: required; url=https://github.com/orgs/octodocs/sso?authorization_request=...` (GitHub's
    /// documentation, "Authorizing a personal access token for use with single sign-on").
    private static func singleSignOn(_ response: ClientResponse, _ host: GitHubHost) -> APIError? {
        let parts = (response.headers["x-github-sso"] ?? "").splitBytes(at: ";").map { String($0).trimmed }
        guard parts.first?.lowercased() == "required" else { return nil }
        let url = parts.lazy.filter { $0.hasPrefix("url=") }.map { String($0.dropFirst("url=".count)) }.first
        return .singleSignOn(authorizationURL: url.flatMap { isOwnPage($0, of: host) ? $0 : nil })
    }

    private static func isOwnPage(_ url: String, of host: GitHubHost) -> Bool {
        guard url.utf8.count <= 2_000, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !url.utf8.contains(where: "@\\\"<>".utf8.contains), let origin = WebOrigin(within: url)
        else { return false }
        return origin.isSecure && origin == WebOrigin(within: host.webURL)
    }

    /// Distinguishes a rate limit from a 403 that refuses access.
    private static func isLimit(
        _ response: ClientResponse, _ text: String, _ wait: Double?, _ budget: RateBudget?
    ) -> Bool {
        if wait != nil || budget?.remaining == 0 || response.headers["gh-limited-by"] != nil { return true }
        return isLimitMessage(message(in: text) ?? text)
    }

    static func isLimitMessage(_ message: String) -> Bool {
        isSecondaryLimitMessage(message)
            || ["rate limit exceeded", "rate limit already exceeded"].contains(
                where: message.lowercased().containsBytes)
    }

    /// Secondary limits restrict request bursts, and have no budget.
    static func isSecondaryLimitMessage(_ message: String) -> Bool {
        ["secondary rate limit", "abuse detection"].contains(where: message.lowercased().containsBytes)
    }

    private static func message(in text: String) -> String? {
        struct Body: Decodable { let message: String }
        return try? UpstreamJSON.decode(Body.self, from: Data(text.utf8)).message
    }

    /// The first specific message of a "Validation Failed" response.
    private static func reason(in text: String) -> String? {
        struct Reason: Decodable { let message: String? }
        struct Body: Decodable { let errors: [Reason] }
        let body = try? UpstreamJSON.decode(Body.self, from: Data(text.utf8))
        return body?.errors.lazy.compactMap(\.message).first { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func detail(_ response: ClientResponse, text: String, _ hiding: (String) -> String)
        -> String
    {
        var summary = (response.status == 422 ? reason(in: text) : nil) ?? message(in: text) ?? text
        if let rights = response.headers["x-accepted-github-permissions"] {
            summary += " (needs \(String(rights.unicodeScalars.prefix(200))))"
        }
        let line = String(hiding(summary).unicodeScalars.prefix(200)).map {
            $0.isNewline || $0.isWhitespace ? " " : $0
        }
        return "status \(response.status): \(String(line))"
    }
}

extension GitHubFailure: UpstreamFailure {}

extension Backoff {
    package static let gitHub = Backoff(initial: .seconds(15), maximum: .seconds(600))
}
