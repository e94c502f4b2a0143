import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

/// Signs in at GitHub, with a device code or with the web flow.
struct GitHubSignInController: Sendable {
    let site: WebContext
    let services: GitHubServices
    private var gitHub: GitHubController { GitHubController(site: site, services: services) }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.post, GitHubController.path + "/device", beginDeviceFlow),
            guarded.person(.post, GitHubController.path + "/device/cancel", cancel),
            guarded.person(.post, GitHubController.path + "/web", beginWebFlow),
            guarded.person(.get, GitHubController.path + "/callback", finishWebFlow),
        ]
    }

    private func beginDeviceFlow(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard services.accounts.offersDeviceFlow else { throw Self.notSetUp }
        try services.accounts.beginDeviceFlow(for: person.user.userId, from: person.origin)
        return .response(.redirect(to: GitHubController.path))
    }

    private func cancel(_ request: Request, _ person: Person) async throws -> HandlerResult {
        services.accounts.dismissSignIn(of: person.user.userId)
        return .response(.redirect(to: GitHubController.path))
    }

    private func beginWebFlow(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard services.accounts.offersWebFlow, let callback = gitHub.callback(for: request) else {
            throw Self.notSetUp
        }
        let address = try services.accounts.webFlowAddress(
            callback: callback, for: person.user.userId, session: Self.session(of: person))
        return .response(.redirect(to: address))
    }

    /// Accepts the code only with the `state` that this session was given.
    private func finishWebFlow(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard request.method == .get else { return .response(Response(status: 204)) }
        do {
            guard let code = request.query["code"], let state = request.query["state"] else {
                throw RoostError.notAllowed(Self.failureMessage(request.query["error"]))
            }
            let account = try await services.accounts.finishWebFlow(
                code: code, state: state, for: person.user.userId, session: Self.session(of: person),
                from: person.origin)
            return gitHub.connected(account, of: person.user)
        } catch {
            let refused = try FormError(error)
            let notice = NoticeView(text: refused.message, isProblem: true)
            return refused.answer(
                try await site.database.read { try gitHub.view($0, request, person, notice: notice) })
        }
    }

    /// The demo has no sessions: there is only one visitor.
    private static func session(of person: Person) -> String { "\(person.session?.id ?? 0)" }

    private static let notSetUp = RoostError.notAllowed(
        "This Roost is not set up for signing in with GitHub. Paste a token instead.")

    /// The error codes are from GitHub's documentation, "Troubleshooting authorization request errors". Anyone can
    /// craft this address, so none of its text is shown.
    private static func failureMessage(_ errorCode: String?) -> String {
        switch errorCode {
        case "access_denied": "You declined on GitHub. No account was connected."
        case "application_suspended":
            "GitHub has suspended Roost’s OAuth app. Paste a token instead."
        case "redirect_uri_mismatch":
            "GitHub rejected Roost’s address: the OAuth app has a different callback URL."
        case nil: "GitHub sent no code. No account was connected; try again."
        default: "GitHub ended the sign-in. No account was connected; try again."
        }
    }
}
