import Synchronization

/// What the simulated GitHub remembers of sign-ins that are under way.
final class SignInState: Sendable {
    /// A device that shows its code and waits.
    struct Device: Sendable {
        enum Verdict: String, Sendable {
            case pending, approved, denied, expired
        }

        let client: String
        let deviceCode: String
        let userCode: String
        let scopes: [String]
        /// Milliseconds since 1970.
        let expiresAt: Int
        var verdict = Verdict.pending
        var login: String?
        /// Seconds; grows by 5 with each poll that came too early.
        var interval: Int
        var polledAt: Int?
    }

    /// A code that the browser carries from GitHub to Roost.
    struct WebCode: Sendable {
        let client: String
        let code: String
        let login: String
        let scopes: [String]
        let redirect: String
        /// Of PKCE; nil where none was sent.
        let challenge: String?
        let expiresAt: Int
    }

    struct Contents: Sendable {
        var devices: [Device] = []
        var codes: [WebCode] = []
        var isDeviceFlowDisabled = false
        /// Seconds from one poll to the next; GitHub's own are 5.
        var interval = 5
        /// Nil takes any; the secret is asked for with it only.
        var clientID: String?
        var clientSecret: String?
        /// Counts codes and tokens, so that each is another.
        var serial = 0
    }

    private let contents = Mutex(Contents())

    func withLock<Result: Sendable>(_ body: @Sendable (inout Contents) throws -> Result) rethrows -> Result {
        try contents.withLock { try body(&$0) }
    }

    var now: Contents { contents.withLock { $0 } }

    func restore() { contents.withLock { $0 = Contents() } }

    /// Looks as random as GitHub's and is the same in every run.
    static func digits(_ serial: Int, _ salt: String) -> String {
        Fingerprint.text(Array("\(salt)\(serial)".utf8))
    }
}
