package import Foundation
package import HTTPClient
import TextFormats

/// What goes wrong with somebody else's server (GitHub, CoinGecko, a web site).
///
/// Cases, messages and suggestions are the mission's (`MODELS.md`); `source` stands where it says GitHub.
package enum APIError: Error, Codable, Equatable, Sendable {
    /// The host has no address, or nothing can be reached there; every other failure has a case of its own.
    case networkUnavailable
    case timedOut
    /// The connection ended before the whole answer had come.
    case interrupted
    case unauthorized
    /// The key of Roost's own, which an operator has set.
    case keyRefused
    /// Roost runs without the secret key that the stored token was sealed with.
    case wrongKey
    /// The stored token cannot be opened although the key is right.
    case unreadableToken
    case forbidden
    /// An organisation wants its single sign-on before the token may read what is its own; where to authorise it, as far
    /// as GitHub said.
    case singleSignOn(authorizationURL: String?)
    /// Status 451 (RFC 7725): it is there, and may not be shown.
    case legallyBlocked
    /// `resetDate` is when the source takes requests again, as far as it says so.
    case rateLimited(resetDate: Date)
    /// An answer that is not what the source documents, malformed JSON included.
    case invalidResponse(statusCode: Int)
    case serverError(statusCode: Int)
    /// The source's certificate proves nothing (an unknown authority, another name, a clock that is wrong), or none
    /// could be exchanged.
    case untrusted
    case unknown(String)

    /// The same after the clock was set by so many seconds: when the source takes requests again is as far away as before.
    package func moved(by seconds: TimeInterval) -> APIError {
        if case .rateLimited(let reset) = self { .rateLimited(resetDate: reset + seconds) } else { self }
    }

    /// The sentence for the reader.
    ///
    /// - Parameter timeZone: the reader's; nil: not known, and a time in the sentence is in ISO 8601 in UTC. So programs
    ///   get it; pages write it in the reader's zone.
    package func message(source: String, timeZone: TimeZone? = nil) -> String {
        switch self {
        case .networkUnavailable: "No internet connection. Please check your network."
        case .timedOut: "\(source) did not answer in time."
        case .interrupted: "\(source)'s answer was cut off."
        case .unauthorized: "Your session has expired. Please log in again."
        case .keyRefused: "\(source) refused the API key."
        case .wrongKey: "Roost runs with the wrong secret key, so it cannot read your stored token."
        case .unreadableToken: "The stored token can't be read."
        case .forbidden: "\(source) refused access to this."
        case .singleSignOn: "The organisation asks for single sign-on before this token may read it."
        case .legallyBlocked: "\(source) withholds this for legal reasons."
        case .rateLimited(let reset):
            "\(source) rate limit exceeded. Resets at \(Self.text(reset, in: timeZone))."
        case .invalidResponse: "Received unexpected response from \(source)."
        case .serverError: "\(source) is temporarily unavailable. Please try again later."
        case .untrusted: "\(source)'s certificate could not be verified."
        case .unknown: "An unexpected error occurred. Please try again."
        }
    }

    /// What the reader can do, or nil where Roost acts by itself.
    package var recoverySuggestion: String? {
        switch self {
        case .networkUnavailable: "Check your internet connection and try again."
        case .unauthorized, .legallyBlocked: nil
        case .keyRefused: "Check the key in the settings."
        case .wrongKey: "Ask your administrator to start Roost with the right key."
        case .unreadableToken: "Connect the account again."
        case .forbidden: "Check what the token may read."
        case .singleSignOn: "Authorise the token for the organisation."
        case .rateLimited: "Wait for the rate limit to reset."
        case .untrusted: "Check the server's certificate and clock."
        case .timedOut, .interrupted, .invalidResponse, .serverError, .unknown:
            "Try again in a few moments."
        }
    }

    /// The page at which the reader can set it right; https, and of the source's own.
    package var authorizationURL: String? {
        if case .singleSignOn(let url) = self { url } else { nil }
    }

    /// The case's name, for programs: JSON and metrics have it.
    package var code: String {
        switch self {
        case .networkUnavailable: "networkUnavailable"
        case .timedOut: "timedOut"
        case .interrupted: "interrupted"
        case .unauthorized: "unauthorized"
        case .keyRefused: "keyRefused"
        case .wrongKey: "wrongKey"
        case .unreadableToken: "unreadableToken"
        case .forbidden: "forbidden"
        case .singleSignOn: "singleSignOn"
        case .legallyBlocked: "legallyBlocked"
        case .rateLimited: "rateLimited"
        case .invalidResponse: "invalidResponse"
        case .serverError: "serverError"
        case .untrusted: "untrusted"
        case .unknown: "unknown"
        }
    }

    /// "21 Nov 2026, 14:05", short enough for a line and the same in every locale.
    private static func text(_ date: Date, in timeZone: TimeZone?) -> String {
        guard let timeZone else { return ISO8601.seconds(date) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.day, .month, .year, .hour, .minute], from: date)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let minute = parts.minute ?? 0
        let month = months[((parts.month ?? 1) - 1) % 12]
        let clock = "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
        return "\(parts.day ?? 1) \(month) \(parts.year ?? 0), \(clock)"
    }
}

extension APIError {
    /// What it means for a reader that a request got no answer.
    package init(_ transport: HTTPClientError) {
        self =
            switch transport {
            // A refused address looks like a missing one, so that it tells nothing about the LAN.
            case .resolve, .connect, .refusedAddress: .networkUnavailable
            case .timeout: .timedOut
            // Also where we ended it ourselves, or the handshake broke before any certificate could be judged.
            case .aborted, .cancelled, .shutDown, .tls: .interrupted
            case .untrusted: .untrusted
            case .tooLarge, .tooManyRedirects, .malformedAnswer: .invalidResponse(statusCode: 200)
            case .invalidURL, .invalidRequest, .other: .unknown("\(transport)")
            }
    }
}
