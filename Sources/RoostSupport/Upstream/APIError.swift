package import Foundation
package import HTTPClient
import TextFormats

/// An error of an upstream server, such as GitHub, CoinGecko or a web site.
///
/// Cases, messages and suggestions are the mission's (`MODELS.md`), with `source` in place of "GitHub".
package enum APIError: Error, Codable, Equatable, Sendable {
    /// The host has no address or cannot be reached. Every other failure has its own case.
    case networkUnavailable
    case timedOut
    case interrupted
    case unauthorized
    /// The upstream rejected Roost's own API key, which the operator has set.
    case keyRefused
    /// Roost runs without the secret key that sealed the stored token.
    case wrongKey
    /// The stored token cannot be opened although the secret key is right.
    case unreadableToken
    case forbidden
    /// The organisation requires single sign-on for this token. The URL is where to authorise it, if GitHub provides
    /// it.
    case singleSignOn(authorizationURL: String?)
    /// Status 451 (RFC 7725): it exists, but may not be shown.
    case legallyBlocked
    /// `resetDate` is when the source accepts requests again, if known.
    case rateLimited(resetDate: Date)
    /// A response that the source does not document, including malformed JSON.
    case invalidResponse(statusCode: Int)
    case serverError(statusCode: Int)
    /// The source's certificate could not be verified: unknown authority, wrong name or wrong clock.
    case untrusted
    case unknown(String)

    /// The message for the reader.
    ///
    /// - Parameter timeZone: the reader's, or nil to format times as ISO 8601 in UTC. Programs get UTC; pages convert
    ///   it to the reader's zone.
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
        case .singleSignOn: "The organisation requires single sign-on for this token."
        case .legallyBlocked: "\(source) withholds this for legal reasons."
        case .rateLimited(let reset):
            "\(source) rate limit exceeded. Resets at \(Self.text(reset, in: timeZone))."
        case .invalidResponse: "Received unexpected response from \(source)."
        case .serverError: "\(source) is temporarily unavailable. Please try again later."
        case .untrusted: "\(source)'s certificate could not be verified."
        case .unknown: "An unexpected error occurred. Please try again."
        }
    }

    /// Advice for the reader, or nil if Roost acts automatically.
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

    /// The page where the reader can fix the problem: an https URL of the source itself.
    package var authorizationURL: String? {
        if case .singleSignOn(let url) = self { url } else { nil }
    }

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

    /// Such as "21 Nov 2026, 14:05", the same in every locale.
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
    package init(_ transport: HTTPClientError) {
        self =
            switch transport {
            // A refused address looks like a missing one, so that it reveals nothing about the LAN.
            case .resolve, .connect, .refusedAddress: .networkUnavailable
            case .timeout: .timedOut
            // Includes requests that Roost cancelled, and handshakes that failed before the certificate was checked.
            case .aborted, .cancelled, .shutDown, .tls: .interrupted
            case .untrusted: .untrusted
            case .tooLarge, .tooManyRedirects, .malformedAnswer: .invalidResponse(statusCode: 200)
            case .invalidURL, .invalidRequest, .other: .unknown("\(transport)")
            }
    }
}

extension APIError: JSONColumnValue {}
