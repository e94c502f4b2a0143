import Foundation
import RoostSupport
import Synchronization
import TextFormats

/// Signs users in by redirecting their browser to GitHub and back, with `state` and PKCE (RFC 7636, S256).
final class GitHubWebFlow: Sendable {
    private struct Pending {
        let user: UserID
        let session: String
        let verifier: String
        let callback: String
        let endsAt: ContinuousClock.Instant
    }

    /// How long a sign-in on GitHub may take.
    private static let lifetime = Duration.seconds(600)
    /// A user's pending sign-ins, at most; the oldest is dropped first.
    private static let maximumPending = 10

    private let api: GitHubSignInAPI
    private let clock: WallClock
    private let pending = Mutex<[String: Pending]>([:])

    init(api: GitHubSignInAPI, clock: WallClock) {
        self.api = api
        self.clock = clock
    }

    func address(callback: String, for user: UserID, session: String) -> String {
        let (state, verifier) = (Secret.make(bytes: 32), Secret.make(bytes: 32))
        let now = clock.steady()
        pending.withLock { pending in
            pending = pending.filter { $0.value.endsAt > now }
            let own = pending.filter { $0.value.user == user }.sorted { $0.value.endsAt < $1.value.endsAt }
            for old in own.dropLast(Self.maximumPending - 1) { pending[old.key] = nil }
            pending[state] = Pending(
                user: user, session: session, verifier: verifier, callback: callback,
                endsAt: now + Self.lifetime)
        }
        return api.webAddress(state: state, challenge: Self.challenge(verifier), callback: callback)
    }

    /// Exchanges the browser's code for a token. A state works once, and only in its own session. Throws
    /// `RoostError.notAllowed` for any other state, `.invalid(field: "code")` if GitHub rejects the code, and
    /// `.unavailable`.
    func token(code: String, state: String, for user: UserID, session: String) async throws -> String {
        let now = clock.steady()
        let found = pending.withLock { $0.removeValue(forKey: state) }
        guard let found, found.user == user, found.session == session, found.endsAt > now else {
            throw RoostError.notAllowed(
                "This sign-in was not started here, or has expired. Sign in with GitHub again.")
        }
        do {
            let outcome = try await api.token(code: code, verifier: found.verifier, callback: found.callback)
            switch outcome {
            case .token(let token): return token
            case .refused(let code, _):
                throw RoostError.invalid(field: "code", why: Self.message(for: code))
            }
        } catch let failure as GitHubFailure {
            throw RoostError.unavailable(failure.error.message(source: "GitHub"))
        }
    }

    func forget(_ user: UserID) { pending.withLock { $0 = $0.filter { $0.value.user != user } } }

    private static func challenge(_ verifier: String) -> String {
        Base64URL.encode(Data(Secret.hash(verifier)))
    }

    private static func message(for code: String) -> String {
        switch code {
        case "bad_verification_code": "This sign-in has expired. Start again."
        case "incorrect_client_credentials", "Not Found":
            "GitHub rejected Roost’s client id or secret (--github-client-id, --github-client-secret)."
        case "redirect_uri_mismatch":
            "Roost’s address differs from the callback URL of its OAuth app on GitHub."
        case "unverified_user_email": "Confirm your e-mail address on GitHub first."
        case "access_denied": "You declined on GitHub. No account was connected."
        default: "GitHub ended the sign-in. Start again, or paste a token instead."
        }
    }
}
