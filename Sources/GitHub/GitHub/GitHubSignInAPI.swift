import Foundation
import RoostSupport
import TextFormats

/// The OAuth app's device flow and web flow on the standard host.
///
/// Facts: docs.github.com, "Authorizing OAuth apps". GitHub reports errors with status 200 and a code in `error`;
/// status 400, as in RFC 8628, works too.
struct GitHubSignInAPI: Sendable {
    struct Grant: Equatable, Sendable {
        let deviceCode: String
        let userCode: String
        let verificationURI: String
        /// In seconds.
        let lifetime: Double
        /// Between two polls, in seconds.
        let interval: Double
    }

    enum Outcome: Equatable, Sendable {
        case token(String)
        /// GitHub's error code, such as "authorization_pending", and the new interval in seconds, if any.
        case refused(String, interval: Double?)
    }

    struct Refused: Error, Equatable {
        let code: String
    }

    static let scopes = "repo read:org"
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    let api: GitHubAPI
    let host: GitHubHost
    let clientID: String
    let clientSecret: String?

    /// Throws `Refused`, `GitHubFailure` and `CancellationError`.
    func deviceCode() async throws -> Grant {
        let body = try await post(
            "/login/device/code", [("client_id", clientID), ("scope", Self.scopes)],
            within: .seconds(10))
        if let code = body.refusal { throw Refused(code: code) }
        guard let grant = body.grant(host) else { throw Self.malformed }
        return grant
    }

    /// Polls for the token, which GitHub issues once the user has entered the code. Throws `GitHubFailure` and
    /// `CancellationError`.
    func token(deviceCode: String) async throws -> Outcome {
        let fields = [
            ("client_id", clientID), ("device_code", deviceCode), ("grant_type", Self.grantType),
        ]
        return try outcome(try await post("/login/oauth/access_token", fields, within: .seconds(10)))
    }

    /// Exchanges the web flow's code for a token. Throws `GitHubFailure` and `CancellationError`.
    func token(code: String, verifier: String, callback: String) async throws -> Outcome {
        let fields = [
            ("client_id", clientID), ("client_secret", clientSecret ?? ""), ("code", code),
            ("redirect_uri", callback), ("code_verifier", verifier),
        ]
        return try outcome(try await post("/login/oauth/access_token", fields, within: .seconds(5)))
    }

    func webAddress(state: String, challenge: String, callback: String) -> String {
        let fields = [
            ("client_id", clientID), ("redirect_uri", callback), ("scope", Self.scopes), ("state", state),
            ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        return host.webURL + "/login/oauth/authorize?" + Self.encoded(fields)
    }

    private static let malformed = GitHubFailure(
        error: .invalidResponse(statusCode: 200), status: 200, detail: "not the documented JSON")

    private func outcome(_ body: SignInResponse) throws -> Outcome {
        if let token = body.token { return .token(token) }
        guard let code = body.refusal else { throw Self.malformed }
        return .refused(code, interval: body.interval)
    }

    /// Sends secrets in the body only, because URLs appear in logs.
    private func post(_ path: String, _ fields: [(String, String)], within timeout: Duration) async throws
        -> SignInResponse
    {
        var call = GitHubAPI.Call(method: "POST", url: host.webURL + path, host: host)
        call.body = Array(Self.encoded(fields).utf8)
        call.mediaType = "application/x-www-form-urlencoded"
        call.timeout = timeout
        call.maximumBytes = 64 * 1_024
        return try await api.form(call) { try? UpstreamJSON.decode(SignInResponse.self, from: $0) }
    }

    private static func encoded(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
    }
}

/// All fields of the sign-in responses. Any of them may be missing or malformed.
private struct SignInResponse: Decodable, Sendable {
    private enum Key: String, CodingKey {
        case error, interval, accessToken = "access_token", deviceCode = "device_code", userCode = "user_code"
        case verificationURI = "verification_uri", lifetime = "expires_in"
    }

    let token: String?
    let refusal: String?
    let interval: Double?
    private let lifetime: Double?
    private let deviceCode: String?
    private let userCode: String?
    private let verificationURI: String?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) -> String? { try? values.decode(String.self, forKey: key) }
        func number(_ key: Key) -> Double? {
            (try? values.decode(Double.self, forKey: key)).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
        token = text(.accessToken)
        refusal = text(.error).map { $0.utf8.count <= 60 ? $0 : "unknown" }
        interval = number(.interval)
        lifetime = number(.lifetime)
        deviceCode = text(.deviceCode)
        userCode = text(.userCode)
        verificationURI = text(.verificationURI)
    }

    /// Returns nil if a field is missing, or unsafe to show or follow.
    func grant(_ host: GitHubHost) -> GitHubSignInAPI.Grant? {
        guard let deviceCode, !deviceCode.isEmpty, deviceCode.utf8.count <= 512, let userCode,
            userCode.wholeMatch(of: #/[A-Za-z0-9-]{4,32}/#) != nil, let verificationURI,
            Self.isSafe(verificationURI, host)
        else { return nil }
        return .init(
            deviceCode: deviceCode, userCode: userCode, verificationURI: verificationURI,
            lifetime: min(max(lifetime ?? 900, 1), 3_600), interval: min(max(interval ?? 5, 1), 120))
    }

    private static func isSafe(_ address: String, _ host: GitHubHost) -> Bool {
        guard address.utf8.count <= 300, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let origin = WebOrigin(within: address)
        else { return false }
        return origin.isSecure || origin == WebOrigin(within: host.webURL)
    }
}
