import HTTPServer
import RoostSupport

/// An error as a client sees it: the one place where errors become statuses, for HTML and JSON alike.
struct Failure: Sendable, Equatable {
    var status: Int
    var code: String
    var title: String
    var message: String
    var field: String?
    var advice = "Go back, or go on from the home page."
    var retryAfter: Int?

    /// The code of an error that comes from a damaged database.
    static let databaseDamaged = "databaseDamaged"

    static let noPage = Failure(404, "notFound", "Nothing here", "There is no page at this address.")

    /// Roost's own errors are in words already; any other is shown as "something went wrong".
    init(_ error: any Error) {
        switch RoostError(storage: error) ?? error {
        case let error as RoostError: self.init(roost: error)
        case let error as any ShownError: self = error.failure
        case RequestError.malformed(let why):
            self.init(400, "malformed", "Not understood", why)
        case RequestError.notJSON:
            self.init(
                415, "unsupportedMediaType", "Not understood", "This address takes application/json.")
        case RequestError.notAForm:
            self.init(415, "unsupportedMediaType", "Not understood", "This address takes a form.")
        default:
            self.init(
                500, "internal", "Something went wrong",
                "Roost could not do this because of an error of its own.")
            advice = "Try again in a few moments; the log of Roost says more."
        }
    }

    init(_ status: Int, _ code: String, _ title: String, _ message: String, field: String? = nil) {
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
            self.init(401, "unknownVisitor", "Not open to you", why)
            advice = "Sign in, or use a token or a display’s link."
        case .invalid(let field, let why): self.init(422, "invalid", "Not accepted", why, field: field)
        case .conflict(let field, let why): self.init(409, "conflict", "Not accepted", why, field: field)
        case .unavailable(let why, let seconds):
            self.init(503, "unavailable", "Not available", why)
            retryAfter = seconds
        case .storageFull(let why):
            self.init(507, "storageFull", "Not saved", why)
            advice = "Make room on the disk that Roost keeps its data on, then try again."
        case .databaseDamaged(let why):
            self.init(503, Self.databaseDamaged, "Database damaged", why)
            advice = "Other pages may still work."
        case .tooMany(let why, let seconds):
            self.init(429, "tooMany", "Too many tries", why)
            advice = "Wait a little, then try again."
            retryAfter = seconds
        }
    }
}

/// An error of a feature that defines how clients see it.
protocol ShownError: Error {
    var failure: Failure { get }
}

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
