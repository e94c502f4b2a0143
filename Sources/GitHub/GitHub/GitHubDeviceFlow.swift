import Foundation
import Logging
import RoostSupport
import Synchronization

/// Signs users in with a code that they enter on GitHub (the device flow), one sign-in per user at a time.
final class GitHubDeviceFlow: Sendable {
    typealias SignIn = GitHubAccountService.SignIn
    /// Sleeps for a number of seconds; tests advance their clock instead.
    typealias Pause = @Sendable (Double) async throws -> Void

    private struct Flow {
        let id: Int
        var signIn: SignIn
        /// When the sign-in's code expires.
        var end: ContinuousClock.Instant?
        var task: Task<Void, Never>?
    }

    private struct State {
        var flows: [UserID: Flow] = [:]
        /// GitHub counts all users' attempts against Roost's one app.
        var startLimit = SlidingWindowLimit(maximum: 10, within: .seconds(600))
        var next = 0
    }

    private struct End: Error {
        let message: String
    }

    /// The most that lost connections can add to the interval, in seconds.
    private static let maximumBackoff = 60.0

    private let api: GitHubSignInAPI
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let pause: Pause
    private let connector: GitHubAccountConnector
    private let state = Mutex(State())

    init(
        api: GitHubSignInAPI, connector: GitHubAccountConnector, feed: ChangeFeed, clock: WallClock,
        log: Logger, pause: @escaping Pause
    ) {
        self.api = api
        self.feed = feed
        self.clock = clock
        self.log = log
        self.pause = pause
        self.connector = connector
    }

    func signIn(of user: UserID) -> SignIn {
        guard let flow = state.withLock({ $0.flows[user] }) else { return .none }
        guard case .waiting(let code) = flow.signIn, let end = flow.end else { return flow.signIn }
        return .waiting(
            .init(
                userCode: code.userCode, verificationURI: code.verificationURI, expiresAt: clock.date(of: end)
            ))
    }

    /// Starts a sign-in, and cancels the user's previous one. Throws `RoostError.tooMany`.
    func begin(for user: UserID, from origin: ClientInfo) throws {
        let now = clock.steady()
        let (id, old) = try state.withLock { state in
            try state.startLimit.note(
                user, at: now, message: "Too many codes requested. Wait a few minutes and try again.")
            state.next += 1
            let old = state.flows[user]?.task
            state.flows[user] = Flow(id: state.next, signIn: .starting)
            return (state.next, old)
        }
        old?.cancel()
        feed.publish(Topic.github(user))
        let task = Task { await self.follow(id, for: user, from: origin) }
        let isCurrent = state.withLock { state in
            guard state.flows[user]?.id == id else { return false }
            state.flows[user]?.task = task
            return true
        }
        if !isCurrent { task.cancel() }
    }

    func dismiss(_ user: UserID) {
        guard let flow = state.withLock({ $0.flows.removeValue(forKey: user) }) else { return }
        flow.task?.cancel()
        feed.publish(Topic.github(user))
    }

    func stop() async {
        let tasks = state.withLock { state in
            defer { state.flows = [:] }
            return state.flows.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func follow(_ id: Int, for user: UserID, from origin: ClientInfo) async {
        do {
            let grant = try await api.deviceCode()
            let end = clock.steady() + .seconds(grant.lifetime)
            set(
                .waiting(
                    .init(
                        userCode: grant.userCode, verificationURI: grant.verificationURI,
                        expiresAt: clock.date(of: end))),
                until: end, id, user)
            let token = try await token(for: grant, until: end)
            try await keep(token, user, origin)
            set(.none, id, user)
        } catch {
            // Dismissed by the user, or replaced by their next sign-in.
            guard !Task.isCancelled else { return }
            set(.ended(Self.message(for: error)), id, user)
        }
    }

    private func set(
        _ signIn: SignIn, until end: ContinuousClock.Instant? = nil, _ id: Int, _ user: UserID
    ) {
        let isCurrent = state.withLock { state in
            guard state.flows[user]?.id == id else { return false }
            state.flows[user]?.signIn = signIn
            state.flows[user]?.end = end
            return true
        }
        if isCurrent { feed.publish(Topic.github(user)) }
    }

    /// Polls until GitHub issues the token or refuses it. A lost connection only lengthens the interval.
    private func token(
        for grant: GitHubSignInAPI.Grant, until end: ContinuousClock.Instant
    ) async throws -> String {
        var interval = grant.interval
        var stretch = 0.0
        while true {
            let left = (end - clock.steady()).inSeconds
            guard left > 0 else { throw End(message: Self.expired) }
            // The last request is sent just before the code expires.
            try await pause(min(interval + stretch, max(left - 0.5, 0.5)))
            do {
                switch try await api.token(deviceCode: grant.deviceCode) {
                case .token(let token): return token
                case .refused("authorization_pending", _): break
                case .refused("slow_down", let requested):
                    interval = min(max(requested ?? 0, interval + (requested == nil ? 5 : 0)), 120)
                case .refused(let code, _): throw End(message: Self.message(for: code))
                }
                stretch = 0
            } catch let failure as GitHubFailure {
                log.info("A GitHub sign-in could not be checked", metadata: ["why": "\(failure.detail)"])
                stretch = min(max(stretch * 2, interval, failure.retryAfter ?? 0), Self.maximumBackoff)
            }
        }
    }

    /// Retries while the host is unavailable, because GitHub issues a token only once.
    private func keep(_ token: String, _ user: UserID, _ origin: ClientInfo) async throws {
        for wait in [2.0, 5, 10, 20] {
            do {
                _ = try await connector.connect(token, at: nil, for: user, from: origin)
                return
            } catch RoostError.unavailable {
                try await pause(wait)
            }
        }
        _ = try await connector.connect(token, at: nil, for: user, from: origin)
    }

    private static let expired = "The code has expired. Get a new one."

    private static func message(for error: any Error) -> String {
        switch error {
        case let end as End: end.message
        case let refused as GitHubSignInAPI.Refused: message(for: refused.code)
        case let failure as GitHubFailure: failure.error.message(source: "GitHub")
        case let error as RoostError: error.message
        default: APIError.unknown("").message(source: "GitHub")
        }
    }

    static func message(for code: String) -> String {
        switch code {
        case "expired_token": expired
        case "access_denied": "You declined on GitHub. No account was connected."
        case "incorrect_device_code": "GitHub no longer accepts this code. Get a new one."
        case "device_flow_disabled":
            "The device flow is disabled for Roost’s OAuth app. The app’s owner can enable it on GitHub."
        case "incorrect_client_credentials", "Not Found":
            "GitHub does not know Roost’s OAuth app (--github-client-id)."
        case "unsupported_grant_type":
            "This GitHub server does not support signing in with a code. Paste a token instead."
        default: "GitHub ended the sign-in. Start again, or paste a token instead."
        }
    }
}
