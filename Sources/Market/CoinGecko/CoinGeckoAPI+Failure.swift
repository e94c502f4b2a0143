package import Foundation
package import HTTPClient
import RoostSupport

extension CoinGeckoAPI.Failure: UpstreamFailure {
    package func moved(by seconds: TimeInterval) -> CoinGeckoAPI.Failure {
        .init(
            error: error.moved(by: seconds), retryAfter: retryAfter, wasAnswered: wasAnswered, detail: detail)
    }
}

extension CoinGeckoAPI.Failure: CustomStringConvertible {
    /// For the log.
    package var description: String { detail.isEmpty ? "\(error)" : detail }

    /// True when CoinGecko said how long to leave it alone, or that it is asked too often.
    var asksToWait: Bool {
        if case .rateLimited = error { return true }
        return retryAfter != nil
    }

    /// How long to leave CoinGecko alone when it says 429 and no more: its recorded answers said 60 to 119 s.
    private static let defaultWait = 60.0

    /// No answer came: the network, their machine, or ours going down.
    package init(transport: HTTPClientError) {
        let wasAnswered =
            switch transport {
            case .tooLarge, .tooManyRedirects, .malformedAnswer, .aborted: true
            default: false
            }
        self.init(error: APIError(transport), wasAnswered: wasAnswered, detail: "\(transport)")
    }

    /// An answer that is no success, without any secret: five shapes of body are known, and HTML.
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
        case _ where Self.isBeyondThePlan(text):
            self.init(error: .forbidden, retryAfter: wait, detail: detail)
        case _ where response.status == 401 || Self.isAboutTheKey(text):
            self.init(error: .keyRefused, retryAfter: wait, detail: detail)
        case 403: self.init(error: .forbidden, retryAfter: wait, detail: detail)
        default:
            self.init(error: .invalidResponse(statusCode: response.status), retryAfter: wait, detail: detail)
        }
    }

    /// The codes of a missing or wrong key, and of one that belongs to another plan's address.
    private static func isAboutTheKey(_ text: String) -> Bool {
        ["10002", "10010", "10011"].contains { text.containsBytes($0) }
    }

    /// The codes of questions that a good key may not ask on its plan.
    private static func isBeyondThePlan(_ text: String) -> Bool {
        ["10005", "10012"].contains { text.containsBytes($0) }
    }

    private init(limitedFor wait: Double, now: Date, detail: String) {
        self.init(error: .rateLimited(resetDate: now + wait), retryAfter: wait, detail: detail)
    }
}
