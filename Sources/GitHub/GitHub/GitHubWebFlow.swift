import Foundation
import RoostSupport
import Synchronization
import TextFormats

/// Signs users in by sending their browser to GitHub and back, with `state` and PKCE (RFC 7636, S256).
final class GitHubWebFlow: Sendable {
    private struct Pending {
        let user: UserID
        let session: String
        let verifier: String
        let callback: String
        /// By the steady clock.
        let endsAt: Date
    }

    /// How long somebody may stay away, in seconds.
    private static let lifetime: TimeInterval = 600
    /// A user's browsers that are away at once; the oldest is forgotten first.
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

    /// The token for what the browser brought back; a state is good once, in its own session. Throws
    /// `RoostError.notAllowed` for any other, `.invalid(field: "code")` for a code that GitHub does not take,
    /// `.unavailable`.
    func token(code: String, state: String, for user: UserID, session: String) async throws -> String {
        let now = clock.steady()
        let found = pending.withLock { $0.removeValue(forKey: state) }
        guard let found, found.user == user, found.session == session, found.endsAt > now else {
            throw RoostError.notAllowed(
                "This answer from GitHub was not asked for here, or came too late. Sign in at GitHub again.")
        }
        do {
            let outcome = try await api.token(code: code, verifier: found.verifier, callback: found.callback)
            switch outcome {
            case .token(let token): return token
            case .refused(let word, _): throw RoostError.invalid(field: "code", why: Self.words(of: word))
            }
        } catch let failure as GitHubFailure {
            throw RoostError.unavailable(failure.error.message(source: "GitHub"))
        }
    }

    func forget(_ user: UserID) { pending.withLock { $0 = $0.filter { $0.value.user != user } } }

    private static func challenge(_ verifier: String) -> String {
        Base64URL.encode(Data(Secret.hash(verifier)))
    }

    /// GitHub's documented words, in ours.
    private static func words(of word: String) -> String {
        switch word {
        case "bad_verification_code": "GitHub does not know this sign-in any more. Begin again."
        case "incorrect_client_credentials", "Not Found":
            "GitHub does not take Roost’s client id and secret (--github-client-id, --github-client-secret)."
        case "redirect_uri_mismatch":
            "Roost’s address is not the one that its app at GitHub names as the callback."
        case "unverified_user_email": "GitHub wants you to confirm your e-mail address there first."
        case "access_denied": "You declined on GitHub. No account was connected."
        default: "GitHub ended the sign-in. Begin again, or paste a token instead."
        }
    }
}
