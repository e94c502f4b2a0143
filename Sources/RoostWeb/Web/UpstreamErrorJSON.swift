import RoostSupport

/// An upstream's error as JSON: a code for programs, and the words of the page.
struct UpstreamErrorJSON: Encodable, Equatable {
    let code: String
    let message: String
    let suggestion: String?
    /// Where to authorise the token for an organisation with single sign-on.
    let authorizationURL: String?

    /// - Parameter source: whose answer it was: "GitHub"
    init(_ error: APIError, source: String) {
        code = error.code
        message = error.message(source: source)
        suggestion = error.recoverySuggestion
        authorizationURL = error.authorizationURL
    }
}
