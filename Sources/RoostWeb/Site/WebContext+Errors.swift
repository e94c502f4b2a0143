import HTMLTemplates
package import HTTPServer
import RoostSupport
import TextFormats

extension WebContext {
    /// Responds to errors of the server itself and of handlers.
    package func answer(_ fault: ServerFault, to request: Request) -> Response {
        if case .thrown(let error) = fault, !isExpected(error) {
            health.report(error)
        }
        return answer(Self.failure(for: fault), to: request)
    }

    /// Responds with the current counts in the navigation, or with those in memory if the database may be the problem.
    package func answerWithCounts(_ failure: Failure, to request: Request) async -> Response {
        var layout: LayoutView?
        if !wantsJSON(request), failure.status < 500, let user = visitors.visitor(of: request).user {
            layout = try? await database.read { try self.layout($0, for: user, request, currentEntry: nil) }
        }
        return answer(failure, to: request, in: layout)
    }

    package func answer(_ failure: Failure, to request: Request, in layout: LayoutView? = nil) -> Response {
        health.note(failure)
        if failure.status == 401, let redirect = signInRedirect(for: request) { return redirect }
        var response = wantsJSON(request) ? json(failure) : page(failure, for: request, in: layout)
        response.headers.append(("Cache-Control", "no-store"))
        if let seconds = failure.retryAfter { response.headers.append(("Retry-After", "\(seconds)")) }
        if failure.status == 401 { response.headers.append(("WWW-Authenticate", "Bearer realm=\"Roost\"")) }
        return response
    }

    private func wantsJSON(_ request: Request) -> Bool {
        request.wantsJSON || features.isForPrograms(request.path)
    }

    private func page(_ failure: Failure, for request: Request, in layout: LayoutView?) -> Response {
        let text = Self.text(of: failure, for: request)
        guard failure.status != 401, failure.status != 421, let user = visitors.visitor(of: request).user
        else {
            let page = StandaloneErrorView(assets: assets.address, error: text)
            return Response.html(bytes(of: page), status: failure.status)
        }
        let page = ErrorView(layout: layout ?? errorLayout(for: user, request), error: text)
        var response = Response.html(bytes(of: page), status: failure.status)
        response[RequestFilter.policyHeader] = RequestFilter.policyWithForms
        return response
    }

    /// Tells a user whose session has ended that nothing was changed, instead of saying that the page is not open to
    /// them.
    private static func text(of failure: Failure, for request: Request) -> ErrorText {
        guard failure.status == 401, !request.method.isSafe else {
            return ErrorText(
                status: failure.status, title: failure.title, sentence: failure.message,
                advice: failure.advice)
        }
        return ErrorText(
            status: 401, title: "You are signed out", sentence: "Nothing was changed.",
            advice: "Sign in on the home page, then try again.")
    }

    /// Redirects a visitor who opens a page to the sign-in, or to the setup if there are no accounts.
    private func signInRedirect(for request: Request) -> Response? {
        guard request.isNavigation, request.bearerToken == nil else { return nil }
        if identity.invitations.setupCode != nil { return .redirect(to: "/setup") }
        let isHome = request.target == "/"
        return .redirect(to: "/login" + (isHome ? "" : "?next=\(PercentEncoding.encode(request.target))"))
    }

    private func json(_ failure: Failure) -> Response {
        let body = ErrorBody(
            error: .init(code: failure.code, message: failure.message, field: failure.field))
        return API.json(body, status: failure.status)
    }

    private func isExpected(_ error: any Error) -> Bool {
        error is RoostError || error is any ShownError || error is RequestError
    }

    private static func failure(for fault: ServerFault) -> Failure {
        switch fault {
        case .notFound: .noPage
        case .methodNotAllowed(let allow):
            Failure(
                405, "methodNotAllowed", "Not possible",
                "This address supports only \(allow.map(\.rawValue).joined(separator: ", ")).")
        case .bodyTooLarge: Failure(413, "tooLarge", "Too large", "The request is larger than Roost accepts.")
        case .targetTooLong: Failure(414, "tooLong", "Too long", "The address is longer than Roost accepts.")
        case .headersTooLarge:
            Failure(431, "tooLarge", "Too large", "The request’s headers are larger than Roost accepts.")
        case .malformed(let why): Failure(400, "malformed", "Not understood", why)
        case .unsupportedType: Failure(415, "unsupportedMediaType", "Not understood", fault.reason)
        case .unknownMethod: Failure(501, "unknownMethod", "Not possible", fault.reason)
        case .overloaded, .stopping: Failure(503, "overloaded", "Too busy", fault.reason)
        case .thrown(let error): Failure(error)
        }
    }
}

private struct ErrorBody: Encodable {
    package struct Content: Encodable {
        package let code: String
        package let message: String
        package let field: String?
    }

    package let error: Content
}
