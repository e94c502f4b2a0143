import RoostServices

/// An upstream's error as JSON: a code for programs, and the words of the page.
struct UpstreamErrorJSON: Encodable, Equatable {
    let code: String
    let message: String
    let suggestion: String?

    /// - Parameter source: whose answer it was: "GitHub"
    init(_ error: APIError, source: String) {
        code = error.code
        message = error.message(source: source)
        suggestion = error.recoverySuggestion
    }
}

extension APIError {
    /// The case's name, as JSON has it.
    var code: String {
        switch self {
        case .networkUnavailable: "networkUnavailable"
        case .timedOut: "timedOut"
        case .interrupted: "interrupted"
        case .unauthorized: "unauthorized"
        case .keyRefused: "keyRefused"
        case .forbidden: "forbidden"
        case .legallyBlocked: "legallyBlocked"
        case .rateLimited: "rateLimited"
        case .invalidResponse: "invalidResponse"
        case .serverError: "serverError"
        case .untrusted: "untrusted"
        case .unknown: "unknown"
        }
    }
}
