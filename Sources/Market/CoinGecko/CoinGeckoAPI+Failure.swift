import Foundation
package import HTTPClient
import RoostSupport

extension CoinGeckoAPI.Failure: UpstreamFailure, CustomStringConvertible {
    package var description: String { detail.isEmpty ? "\(error)" : detail }

    var asksToWait: Bool {
        if case .rateLimited = error { return true }
        return retryAfter != nil
    }

    /// The wait in seconds after a 429 without a time: CoinGecko's recorded answers said 60 to 119 s.
    private static let defaultWait = 60.0

    /// A failure of the network, of their server, or of ours shutting down.
    package init(transport: HTTPClientError) {
        let wasAnswered =
            switch transport {
            case .tooLarge, .tooManyRedirects, .malformedAnswer, .aborted: true
            default: false
            }
        self.init(error: APIError(transport), wasAnswered: wasAnswered, detail: "\(transport)")
    }

    /// An unsuccessful answer, whose secrets are already removed. CoinGecko has five shapes of error bodies, and HTML.
    init(response: ClientResponse, now: Date) {
        let wait = response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) }
        let text = String(decoding: response.body.prefix(2_048), as: UTF8.self)
        let detail = "status \(response.status): \(text.prefix(160))"
        switch response.status {
        case 429:
            self.init(limitedFor: wait ?? Self.defaultWait, now: now, detail: detail)
        case _ where text.containsBytes("Throttled") || text.containsBytes("error code: 1015"):
            self.init(limitedFor: wait ?? Self.defaultWait, now: now, detail: detail)
        case 500...:
            self.init(error: .serverError(statusCode: response.status), retryAfter: wait, detail: detail)
        case 451: self.init(error: .legallyBlocked, retryAfter: wait, detail: detail)
        case _ where Self.isExcludedByPlan(text):
            self.init(error: .forbidden, retryAfter: wait, detail: detail)
        case _ where response.status == 401 || Self.isKeyError(text):
            self.init(error: .keyRefused, retryAfter: wait, detail: detail)
        case 403: self.init(error: .forbidden, retryAfter: wait, detail: detail)
        default:
            self.init(error: .invalidResponse(statusCode: response.status), retryAfter: wait, detail: detail)
        }
    }

    /// The codes for a missing or wrong key, and for a key of another plan's address.
    private static func isKeyError(_ text: String) -> Bool {
        ["10002", "10010", "10011"].contains { text.containsBytes($0) }
    }

    /// The codes for requests that a valid key's plan does not include.
    private static func isExcludedByPlan(_ text: String) -> Bool {
        ["10005", "10012"].contains { text.containsBytes($0) }
    }

    private init(limitedFor wait: Double, now: Date, detail: String) {
        self.init(error: .rateLimited(resetDate: now + wait), retryAfter: wait, detail: detail)
    }
}
