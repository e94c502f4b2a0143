import HTTPServer
package import RoostSupport

/// An error as a client sees it. This is the one place that maps errors to statuses, for HTML and JSON.
package struct Failure: Sendable, Equatable {
    package var status: Int
    package var code: String
    package var title: String
    package var message: String
    package var field: String?
    package var advice = "Go back, or start from the home page."
    package var retryAfter: Int?

    package static let databaseDamaged = "databaseDamaged"

    package static let noPage = Failure(404, "notFound", "Nothing here", "There is no page at this address.")

    /// Keeps the text of Roost's own errors; any other error becomes "Something went wrong".
    package init(_ error: any Error) {
        switch RoostError(storage: error) ?? error {
        case let error as RoostError: self.init(roost: error)
        case let error as any ShownError: self = error.failure
        case RequestError.malformed(let why):
            self.init(400, "malformed", "Not understood", why)
        case RequestError.notJSON:
            self.init(
                415, "unsupportedMediaType", "Not understood", "This address expects application/json.")
        case RequestError.notAForm:
            self.init(415, "unsupportedMediaType", "Not understood", "This address expects a form.")
        default:
            self.init(
                500, "internal", "Something went wrong",
                "Something went wrong in Roost. Try again in a moment.")
            advice = "Roost’s log has the details."
        }
    }

    package init(_ status: Int, _ code: String, _ title: String, _ message: String, field: String? = nil) {
        self.status = status
        self.code = code
        self.title = title
        self.message = message
        self.field = field
    }

    private init(roost error: RoostError) {
        switch error {
        case .notFound(let why): self.init(404, "notFound", "Nothing here", why)
        case .notAllowed(let why): self.init(403, "notAllowed", "Not allowed", why)
        case .unknownVisitor(let why):
            self.init(401, "unknownVisitor", "Sign-in required", why)
            advice = "Sign in, or use a token or a display’s link."
        case .invalid(let field, let why): self.init(422, "invalid", "Not accepted", why, field: field)
        case .conflict(let field, let why): self.init(409, "conflict", "Not accepted", why, field: field)
        case .unavailable(let why, let seconds):
            self.init(503, "unavailable", "Not available", why)
            retryAfter = seconds
        case .storageFull(let why):
            self.init(507, "storageFull", "Not saved", why)
            advice = "Free up space on the disk with Roost’s data, then try again."
        case .databaseDamaged(let why):
            self.init(503, Self.databaseDamaged, "Database damaged", why)
            advice = "Other pages may still work."
        case .dataFolderMissing(let why):
            self.init(503, "dataFolderMissing", "Not saved", why)
            advice = "Other pages may still work."
        case .tooMany(let why, let seconds):
            self.init(429, "tooMany", "Too many attempts", why)
            advice = "Wait a moment, then try again."
            retryAfter = seconds
        }
    }
}

/// A feature's error that defines its own status and text.
package protocol ShownError: Error {
    var failure: Failure { get }
}

package struct UpstreamErrorJSON: Codable, Equatable {
    package let code: String
    package let message: String
    package let suggestion: String?
    /// Where to authorise the token for an organisation with single sign-on.
    package let authorizationURL: String?

    package init(_ error: APIError, source: String) {
        code = error.code
        message = error.message(source: source)
        suggestion = error.recoverySuggestion
        authorizationURL = error.authorizationURL
    }
}
