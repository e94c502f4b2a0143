import Synchronization

final class SignInState: Sendable {
    /// A device that shows its code and polls.
    struct Device: Sendable {
        enum Verdict: String, Sendable {
            case pending, approved, denied, expired
        }

        let client: String
        let deviceCode: String
        let userCode: String
        let scopes: [String]
        let expiresAt: Int
        var verdict = Verdict.pending
        var login: String?
        /// Seconds; increased by 5 with each early poll.
        var interval: Int
        var polledAt: Int?
    }

    /// A code that the browser passes from GitHub to Roost.
    struct WebCode: Sendable {
        let client: String
        let code: String
        let login: String
        let scopes: [String]
        let redirect: String
        let challenge: String?
        let expiresAt: Int
    }

    struct Contents: Sendable {
        var devices: [Device] = []
        var codes: [WebCode] = []
        var isDeviceFlowDisabled = false
        /// Seconds between two polls; GitHub uses 5.
        var interval = 5
        /// Nil accepts any app; the secret is only checked if an id is set.
        var clientID: String?
        var clientSecret: String?
        var serial = 0
    }

    private let contents = Mutex(Contents())

    func withLock<Result: Sendable>(_ body: @Sendable (inout Contents) throws -> Result) rethrows -> Result {
        try contents.withLock { try body(&$0) }
    }

    var current: Contents { contents.withLock { $0 } }

    func restore() { contents.withLock { $0 = Contents() } }

    /// Returns digits that look random but are the same in every run.
    static func digits(_ serial: Int, _ salt: String) -> String {
        Fingerprint.text(Array("\(salt)\(serial)".utf8))
    }
}
