import Foundation
import Testing

@testable import RoostSupport

/// The mission's messages, letter for letter.
@Suite struct APIErrorTests {
    private static let reset = Date(timeIntervalSince1970: 1_794_316_020)
    private static let utc = TimeZone.gmt

    @Test(arguments: [
        (APIError.networkUnavailable, "No internet connection. Please check your network."),
        (.timedOut, "GitHub did not answer in time."),
        (.interrupted, "GitHub's answer was cut off."),
        (.unauthorized, "Your session has expired. Please log in again."),
        (.keyRefused, "GitHub refused the API key."),
        (.wrongKey, "Roost runs with the wrong secret key, so it cannot read your stored token."),
        (.unreadableToken, "The stored token can't be read."),
        (.forbidden, "GitHub refused access to this."),
        (.legallyBlocked, "GitHub withholds this for legal reasons."),
        (
            .singleSignOn(authorizationURL: nil),
            "The organisation requires single sign-on for this token."
        ),
        (.rateLimited(resetDate: reset), "GitHub rate limit exceeded. Resets at 10 Nov 2026, 13:07."),
        (.invalidResponse(statusCode: 200), "Received unexpected response from GitHub."),
        (.serverError(statusCode: 503), "GitHub is temporarily unavailable. Please try again later."),
        (.untrusted, "GitHub's certificate could not be verified."),
        (.unknown("boom"), "An unexpected error occurred. Please try again."),
    ])
    func `each error has its message`(error: APIError, message: String) {
        #expect(error.message(source: "GitHub", timeZone: Self.utc) == message)
    }

    @Test func `without a known time zone a time is shown in ISO 8601 in UTC`() {
        let message = APIError.rateLimited(resetDate: Self.reset).message(source: "GitHub")
        #expect(message == "GitHub rate limit exceeded. Resets at 2026-11-10T13:07:00Z.")
    }

    @Test(
        arguments: [(APIError, String?)]([
            (APIError.networkUnavailable, "Check your internet connection and try again."),
            (.timedOut, "Try again in a few moments."),
            (.interrupted, "Try again in a few moments."),
            (.unauthorized, nil),
            (.keyRefused, "Check the key in the settings."),
            (.wrongKey, "Ask your administrator to start Roost with the right key."),
            (.unreadableToken, "Connect the account again."),
            (.legallyBlocked, nil),
            (.forbidden, "Check what the token may read."),
            (.singleSignOn(authorizationURL: nil), "Authorise the token for the organisation."),
            (.rateLimited(resetDate: reset), "Wait for the rate limit to reset."),
            (.invalidResponse(statusCode: 200), "Try again in a few moments."),
            (.serverError(statusCode: 500), "Try again in a few moments."),
            (.untrusted, "Check the server's certificate and clock."),
            (.unknown("x"), "Try again in a few moments."),
        ]))
    func `each error has its suggestion`(error: APIError, suggestion: String?) {
        #expect(error.recoverySuggestion == suggestion)
    }

    @Test func `a source other than GitHub is named in the messages`() {
        #expect(
            APIError.serverError(statusCode: 500).message(source: "CoinGecko")
                == "CoinGecko is temporarily unavailable. Please try again later.")
        #expect(
            APIError.untrusted.message(source: "CoinGecko")
                == "CoinGecko's certificate could not be verified.")
        #expect(APIError.forbidden.message(source: "CoinGecko") == "CoinGecko refused access to this.")
        #expect(APIError.keyRefused.message(source: "CoinGecko") == "CoinGecko refused the API key.")
    }

    @Test func `a message never quotes an upstream's text`() {
        let message = APIError.unknown("SQLSTATE 42 <script>").message(source: "CoinGecko")
        #expect(!message.contains("SQLSTATE"))
    }

    @Test(arguments: [
        (0, "1 Jan 1970, 0:00"), (5 * 60, "1 Jan 1970, 0:05"), (1_798_761_540, "31 Dec 2026, 23:59"),
    ])
    func `a reset time has the same short format everywhere`(seconds: Double, text: String) {
        let error = APIError.rateLimited(resetDate: Date(timeIntervalSince1970: seconds))
        #expect(
            error.message(source: "GitHub", timeZone: Self.utc)
                == "GitHub rate limit exceeded. Resets at \(text).")
    }

    @Test func `a reset time is shown in the reader's time zone`() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Kolkata"))
        let message = APIError.rateLimited(resetDate: Self.reset).message(source: "GitHub", timeZone: zone)
        #expect(message == "GitHub rate limit exceeded. Resets at 10 Nov 2026, 18:37.")
    }
}
