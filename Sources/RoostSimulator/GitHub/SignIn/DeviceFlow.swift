/// The OAuth device flow: a code for the device, one for the person, and polling.
///
/// Source: docs.github.com, "Authorizing OAuth apps", "Device flow" (RFC 8628). Errors have status 200.
struct DeviceFlow {
    let state: SignInState
    let tokens: GitHubTokens
    let now: Int

    static let lifetime = 900
    static let grant = "urn:ietf:params:oauth:grant-type:device_code"

    func code(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> OAuthResponse {
        let client = request.parameter("client_id") ?? ""
        let scopes = Self.scopes(request.parameter("scope"))
        let now = now
        return state.withLock { state in
            guard !client.isEmpty, state.clientID.map({ $0 == client }) ?? true else { return .notFound }
            guard !state.isDeviceFlowDisabled else { return .error("device_flow_disabled") }
            state.serial += 1
            let letters = SignInState.digits(state.serial, "user").uppercased()
            let device = SignInState.Device(
                client: client, deviceCode: SignInState.digits(state.serial, "device") + "0f9b3c21",
                userCode: "\(letters.prefix(4))-\(letters.dropFirst(4).prefix(4))", scopes: scopes,
                expiresAt: now + Self.lifetime * 1_000, interval: state.interval)
            state.devices.append(device)
            return .fields([
                ("device_code", .string(device.deviceCode)), ("user_code", .string(device.userCode)),
                ("verification_uri", .string("\(baseURL.web)/login/device")),
                ("expires_in", .int(Self.lifetime)), ("interval", .int(device.interval)),
            ])
        }
    }

    func poll(_ request: GitHubRequest) -> OAuthResponse {
        let code = request.parameter("device_code") ?? ""
        let client = request.parameter("client_id") ?? ""
        let (now, tokens) = (now, tokens)
        return state.withLock { state in
            guard state.clientID.map({ $0 == client }) ?? !client.isEmpty else {
                return .error("incorrect_client_credentials")
            }
            guard !state.isDeviceFlowDisabled else { return .error("device_flow_disabled") }
            let found = state.devices.firstIndex { $0.deviceCode == code && $0.client == client }
            guard let index = found else {
                return .error("incorrect_device_code")
            }
            if now >= state.devices[index].expiresAt { state.devices[index].verdict = .expired }
            let reply = Self.verdict(of: &state.devices[index], now)
            guard reply == nil else { return reply ?? .notFound }
            let device = state.devices.remove(at: index)
            return Self.grant(&state, tokens, device.login ?? PullScript.viewer, device.scopes)
        }
    }

    /// Returns nil if approved.
    private static func verdict(of device: inout SignInState.Device, _ now: Int) -> OAuthResponse? {
        let isEarly = device.polledAt.map { now < $0 + device.interval * 1_000 } ?? false
        device.polledAt = now
        switch device.verdict {
        case .expired: return .error("expired_token")
        case .denied: return .error("access_denied")
        case _ where isEarly:
            device.interval += 5
            return .error("slow_down", [("interval", .int(device.interval))])
        case .pending: return .error("authorization_pending")
        case .approved: return nil
        }
    }

    static func grant(
        _ state: inout SignInState.Contents, _ tokens: GitHubTokens, _ login: String, _ scopes: [String]
    ) -> OAuthResponse {
        state.serial += 1
        let token = "gho_" + (SignInState.digits(state.serial, login) + "Simulated").prefix(36)
        tokens.add(token, GitHubCaller(login: login, scopes: scopes.sorted()))
        return .fields([
            ("access_token", .string(token)), ("token_type", .string("bearer")),
            ("scope", .string(scopes.joined(separator: ","))),
        ])
    }

    /// Splits at spaces, or at commas, which GitHub also accepts.
    static func scopes(_ text: String?) -> [String] {
        (text ?? "").split { $0 == " " || $0 == "," }.map(String.init)
    }
}
