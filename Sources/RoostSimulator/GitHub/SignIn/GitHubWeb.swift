/// The parts of the simulated GitHub outside the API: sign-in, images and pages.
struct GitHubWeb {
    let state: SignInState
    let tokens: GitHubTokens
    let world: GitHubWorld?
    let repositories: RepositoryIndex?
    let now: Int

    func answer(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse? {
        let path = request.path
        switch path.first {
        case "login": return signIn(request, baseURL)
        case "avatars": return picture(path, size: request["s"].flatMap { Int($0) })
        case nil where !request.isBelowAPI: return GitHubPages.plain("Simulated GitHub")
        case "camo" where path.count > 1:
            return RepositoryFiles.badge(path.dropFirst().joined(separator: " "))
        case "settings", "orgs", "apps": return GitHubPages.plain(path.joined(separator: " / "))
        default: return page(path, baseURL)
        }
    }

    private func signIn(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        let device = DeviceFlow(state: state, tokens: tokens, now: now)
        let web = WebFlow(state: state, tokens: tokens, now: now)
        switch (request.method, request.path.dropFirst().joined(separator: "/")) {
        case ("POST", "device/code"): return device.code(request, baseURL).answer(request)
        case ("GET", "device"): return GitHubPages.device(code: request["user_code"] ?? "")
        case ("POST", "device"): return decide(request)
        case ("GET", "oauth/authorize"): return web.page(request)
        case ("POST", "oauth/authorize"): return web.decide(request)
        case ("POST", "oauth/access_token"):
            switch request.parameter("grant_type") {
            case DeviceFlow.grant: return device.poll(request).answer(request)
            case nil, "authorization_code": return web.exchange(request).answer(request)
            default: return OAuthResponse.error("unsupported_grant_type").answer(request)
            }
        default: return GitHubPages.notFound
        }
    }

    private func decide(_ request: GitHubRequest) -> SimulatedResponse {
        let code = (request.parameter("user_code") ?? "").uppercased()
        let login = request.parameter("login").flatMap { SimulatedCast.person($0) }?.login
        let isAllowed = request.parameter("decision") == "allow"
        guard state.decide(code, isAllowed ? .approved : .denied, login: login, at: now) else {
            return GitHubPages.deviceDone("There is no such code, or it has expired.", status: 422)
        }
        return GitHubPages.deviceDone(
            isAllowed ? "Congratulations, you're all set! Your device is now connected." : "Device cancelled."
        )
    }

    private func picture(_ path: [String], size: Int?) -> SimulatedResponse {
        guard path.count == 3, path[1] == "u", let number = Int(path[2]) else {
            return GitHubResponse.notFound
        }
        return SimulatedResponse(
            status: 200,
            headers: [
                .init("Content-Type", "image/png"), .init("Cache-Control", "max-age=300"),
                .init("ETag", "\"avatar-\(number)-\(size ?? 460)\""),
            ],
            body: AvatarPNG.bytes(of: number, size: min(460, max(1, size ?? 460))))
    }

    /// Responds to `/OWNER/NAME/pull/NUMBER`, `/OWNER/NAME` and paths below it, and `/LOGIN`.
    private func page(_ path: [String], _ baseURL: GitHubBaseURL) -> SimulatedResponse? {
        if path.count >= 4, path[2] == "pull" {
            return world?.moment().pull(key: "\(path[0])/\(path[1])#\(path[3])").map(GitHubPages.pull)
        }
        guard let moment = repositories?.moment() else { return nil }
        guard path.count == 1 else { return RepositoryFiles(moment: moment, baseURL: baseURL).answer(path) }
        let owner = SimulatedCast.person(path[0])?.name ?? moment.catalogue.owner(path[0])?.login
        return owner.map { GitHubPages.plain($0) }
    }
}

extension SignInState {
    /// - Parameters:
    ///   - code: nil for all waiting devices
    ///   - now: nil to include expired devices
    /// - Returns: false when no device with this code is waiting
    @discardableResult
    func decide(_ code: String?, _ verdict: Device.Verdict, login: String? = nil, at now: Int? = nil)
        -> Bool
    {
        withLock { state in
            var isFound = false
            for index in state.devices.indices where state.devices[index].verdict == .pending {
                guard code == nil || state.devices[index].userCode == code,
                    now.map({ $0 < state.devices[index].expiresAt }) ?? true
                else { continue }
                state.devices[index].verdict = verdict
                state.devices[index].login = login
                isFound = true
            }
            return isFound
        }
    }
}
