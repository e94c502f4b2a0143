import HTTPServer
import RoostSupport

/// Signing in at GitHub: with a code that is typed in there, or by going there and coming back.
struct GitHubSignInController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.post, GitHubController.path + "/device", beginWithCode),
            guarded.person(.post, GitHubController.path + "/device/cancel", cancel),
            guarded.person(.post, GitHubController.path + "/web", goThere),
            guarded.person(.get, GitHubController.path + "/callback", comeBack),
        ]
    }

    private func beginWithCode(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard site.services.gitHub.offersDeviceFlow else { throw Self.notSetUp }
        try site.services.gitHub.beginDeviceFlow(for: person.user.userId, from: person.origin)
        return .response(.redirect(to: GitHubController.path))
    }

    private func cancel(_ request: Request, _ person: Person) async throws -> HandlerResult {
        site.services.gitHub.dismissSignIn(of: person.user.userId)
        return .response(.redirect(to: GitHubController.path))
    }

    private func goThere(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard site.services.gitHub.offersWebFlow, let callback = site.gitHubCallback(for: request) else {
            throw Self.notSetUp
        }
        let address = try site.services.gitHub.webFlowAddress(
            callback: callback, for: person.user.userId, session: Self.session(of: person))
        return .response(.redirect(to: address))
    }

    /// What GitHub's answer brings is believed only with the state that this session was sent away with.
    private func comeBack(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard request.method == .get else { return .response(Response(status: 204)) }
        do {
            guard let code = request.query["code"], let state = request.query["state"] else {
                throw RoostError.notAllowed(Self.ending(request.query["error"]))
            }
            let account = try await site.services.gitHub.finishWebFlow(
                code: code, state: state, for: person.user.userId, session: Self.session(of: person),
                from: person.origin)
            return site.connectedGitHub(account, of: person.user)
        } catch let error as RoostError {
            let failure = Failure(error)
            let notice = NoticeView(text: failure.message, isTrouble: true)
            return .response(
                try await site.gitHubPage(request, person, notice: notice, status: failure.status))
        }
    }

    /// The demo's visitor has no session: there is one visitor only.
    private static func session(of person: Person) -> String { "\(person.session?.id ?? 0)" }

    private static let notSetUp = RoostError.notAllowed(
        "This Roost is not set up for signing in at GitHub. Paste a token instead.")

    /// GitHub's words for a sign-in that ended without a code (GitHub's documentation, "Troubleshooting authorization
    /// request errors"). Strangers can write into this address: nothing of it is shown.
    private static func ending(_ error: String?) -> String {
        switch error {
        case "access_denied": "You did not allow it at GitHub. Nothing was connected."
        case "application_suspended":
            "GitHub has suspended the OAuth app of this Roost. Paste a token instead."
        case "redirect_uri_mismatch":
            "GitHub does not send people back to this address: the OAuth app names another one as its callback."
        case nil: "GitHub sent no code along. Nothing was connected; try again."
        default: "GitHub ended the sign-in. Nothing was connected; try again."
        }
    }
}
