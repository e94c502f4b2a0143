import Crypto
import TextFormats

/// The OAuth web flow: a page that asks the person, and a code that the browser passes to Roost.
///
/// Source: docs.github.com, "Authorizing OAuth apps", "Web application flow"; PKCE (RFC 7636) with S256 only.
struct WebFlow {
    let state: SignInState
    let tokens: GitHubTokens
    let now: Int

    struct AuthorizationRequest {
        let client: String
        let redirect: String
        let state: String
        let scope: String
        let challenge: String
        let method: String

        init(_ request: GitHubRequest) {
            client = request.parameter("client_id") ?? ""
            redirect = request.parameter("redirect_uri") ?? ""
            state = request.parameter("state") ?? ""
            scope = request.parameter("scope") ?? ""
            challenge = request.parameter("code_challenge") ?? ""
            method = request.parameter("code_challenge_method") ?? ""
        }

        var fields: [(String, String)] {
            [
                ("client_id", client), ("redirect_uri", redirect), ("state", state), ("scope", scope),
                ("code_challenge", challenge), ("code_challenge_method", method),
            ]
        }
    }

    func page(_ request: GitHubRequest) -> SimulatedResponse {
        let authorization = AuthorizationRequest(request)
        guard isValid(authorization) else { return GitHubPages.notFound }
        return GitHubPages.authorise(authorization)
    }

    func decide(_ request: GitHubRequest) -> SimulatedResponse {
        let authorization = AuthorizationRequest(request)
        guard isValid(authorization) else { return GitHubPages.notFound }
        guard request.parameter("decision") == "allow" else {
            let description = PercentEncoding.encode("The user has denied your application access.")
            return redirect(authorization, "error=access_denied&error_description=\(description)")
        }
        let login =
            request.parameter("login").flatMap { SimulatedCast.person($0) }?.login ?? PullScript.viewer
        let now = now
        let code = state.withLock { state in
            state.serial += 1
            let code = String(SignInState.digits(state.serial, "web").prefix(20))
            state.codes.append(
                .init(
                    client: authorization.client, code: code, login: login,
                    scopes: DeviceFlow.scopes(authorization.scope),
                    redirect: authorization.redirect,
                    challenge: authorization.challenge.isEmpty ? nil : authorization.challenge,
                    expiresAt: now + 600_000))
            return code
        }
        return redirect(authorization, "code=\(code)")
    }

    /// Exchanges a code once, if client, secret, redirect URL and verifier match.
    func exchange(_ request: GitHubRequest) -> OAuthResponse {
        let code = request.parameter("code") ?? ""
        let (id, secret) = (request.parameter("client_id") ?? "", request.parameter("client_secret") ?? "")
        let redirect = request.parameter("redirect_uri")
        let verifier = request.parameter("code_verifier") ?? ""
        let (now, tokens) = (now, tokens)
        return state.withLock { state in
            guard state.clientID.map({ $0 == id }) ?? !id.isEmpty,
                state.clientSecret.map({ $0 == secret }) ?? !secret.isEmpty
            else { return .error("incorrect_client_credentials") }
            guard let index = state.codes.firstIndex(where: { $0.code == code }) else {
                return .error("bad_verification_code")
            }
            let found = state.codes.remove(at: index)
            guard found.expiresAt > now, found.client == id, Self.matches(verifier, found.challenge) else {
                return .error("bad_verification_code")
            }
            guard redirect == nil || redirect == found.redirect else {
                return .error("redirect_uri_mismatch")
            }
            return DeviceFlow.grant(&state, tokens, found.login, found.scopes)
        }
    }

    private func isValid(_ authorization: AuthorizationRequest) -> Bool {
        let isAddress =
            authorization.redirect.hasPrefix("http://") || authorization.redirect.hasPrefix("https://")
        let isProof = authorization.challenge.isEmpty || authorization.method == "S256"
        return isAddress && isProof
            && (state.current.clientID.map { $0 == authorization.client } ?? !authorization.client.isEmpty)
    }

    private func redirect(_ authorization: AuthorizationRequest, _ query: String) -> SimulatedResponse {
        let separator = authorization.redirect.contains("?") ? "&" : "?"
        let address =
            "\(authorization.redirect)\(separator)\(query)&state=\(PercentEncoding.encode(authorization.state))"
        return SimulatedResponse(status: 302, headers: [.init("Location", address)], body: [])
    }

    private static func matches(_ verifier: String, _ challenge: String?) -> Bool {
        guard let challenge else { return true }
        return Base64.encodeForAddress(Array(SHA256.hash(data: Array(verifier.utf8)))) == challenge
    }
}
