package import HTTPClient

extension APIError {
    /// What it means for a reader that a request got no answer.
    package init(_ transport: HTTPClientError) {
        self =
            switch transport {
            // An address that is refused is as good as one that is not there: nobody learns what is in the LAN.
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
