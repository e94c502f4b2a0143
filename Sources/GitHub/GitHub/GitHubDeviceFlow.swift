import Foundation
import Logging
import RoostSupport
import Synchronization

/// Signs users in with a code that they type in at GitHub (the device flow); one at a time for each user.
final class GitHubDeviceFlow: Sendable {
    typealias SignIn = GitHubAccountService.SignIn
    /// Sleeps for so many seconds; tests put their clock forward instead.
    typealias Pause = @Sendable (Double) async throws -> Void
    /// Keeps a token; throws as `GitHubAccountService.connect` does.
    typealias Connect = @Sendable (String, UserID, ClientInfo) async throws -> Void

    private struct Flow {
        let id: Int
        /// The end of its code by the steady clock.
        var signIn: SignIn
        var task: Task<Void, Never>?
    }

    private struct State {
        var flows: [UserID: Flow] = [:]
        /// GitHub counts everybody's beginnings against Roost's one app.
        var begun = SlidingWindowLimit(maximum: 10, within: 600)
        var next = 0
    }

    /// Why a flow ended, in words for its user.
    private struct End: Error {
        let words: String
    }

    /// The most that lost connections stretch the wait by, in seconds.
    private static let maximumBackoff = 60.0

    private let api: GitHubSignInAPI
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let pause: Pause
    private let connect: Connect
    private let state = Mutex(State())

    init(
        api: GitHubSignInAPI, feed: ChangeFeed, clock: WallClock, log: Logger, pause: @escaping Pause,
        connect: @escaping Connect
    ) {
        self.api = api
        self.feed = feed
        self.clock = clock
        self.log = log
        self.pause = pause
        self.connect = connect
    }

    func signIn(of user: UserID) -> SignIn {
        let signIn = state.withLock { $0.flows[user]?.signIn ?? .none }
        guard case .waiting(let code) = signIn else { return signIn }
        return .waiting(
            .init(
                userCode: code.userCode, verificationURI: code.verificationURI,
                expiresAt: clock.date(of: code.expiresAt)))
    }

    /// In place of the one that the user may have begun before. Throws `RoostError.tooMany`.
    func begin(for user: UserID, from origin: ClientInfo) throws {
        let now = clock.steady()
        let (id, old) = try state.withLock { state in
            try state.begun.note(
                user, at: now, orSay: "You have asked for many codes. Wait a few minutes for another.")
            state.next += 1
            let old = state.flows[user]?.task
            state.flows[user] = Flow(id: state.next, signIn: .starting)
            return (state.next, old)
        }
        old?.cancel()
        feed.publish(Topic.github(user))
        let task = Task { await self.follow(id, for: user, from: origin) }
        let isKept = state.withLock { state in
            guard state.flows[user]?.id == id else { return false }
            state.flows[user]?.task = task
            return true
        }
        if !isKept { task.cancel() }
    }

    /// Ends it, or takes its end's words away.
    func dismiss(_ user: UserID) {
        guard let flow = state.withLock({ $0.flows.removeValue(forKey: user) }) else { return }
        flow.task?.cancel()
        feed.publish(Topic.github(user))
    }

    /// Ends all of them; returns when none is at work.
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
            let end = clock.steady() + grant.lifetime
            set(
                .waiting(
                    .init(
                        userCode: grant.userCode, verificationURI: grant.verificationURI, expiresAt: end)),
                id, user)
            let token = try await token(for: grant, until: end)
            try await keep(token, user, origin)
            set(.none, id, user)
        } catch {
            // Cancelled by its user, who began another or wants none.
            guard !Task.isCancelled else { return }
            set(.ended(Self.words(error)), id, user)
        }
    }

    private func set(_ signIn: SignIn, _ id: Int, _ user: UserID) {
        let isMine = state.withLock { state in
            guard state.flows[user]?.id == id else { return false }
            state.flows[user]?.signIn = signIn
            return true
        }
        if isMine { feed.publish(Topic.github(user)) }
    }

    /// Asks until GitHub gives the token or ends it. A lost connection only slows it down.
    private func token(for grant: GitHubSignInAPI.Grant, until end: Date) async throws -> String {
        var interval = grant.interval
        var stretch = 0.0
        while true {
            let left = end.timeIntervalSince(clock.steady())
            guard left > 0 else { throw End(words: Self.expired) }
            // The last question comes before the code has run out.
            try await pause(min(interval + stretch, max(left - 0.5, 0.5)))
            do {
                switch try await api.token(deviceCode: grant.deviceCode) {
                case .token(let token): return token
                case .refused("authorization_pending", _): break
                case .refused("slow_down", let requested):
                    interval = min(max(requested ?? 0, interval + (requested == nil ? 5 : 0)), 120)
                case .refused(let word, _): throw End(words: Self.words(of: word))
                }
                stretch = 0
            } catch let failure as GitHubFailure {
                log.info("The sign-in at GitHub waits", metadata: ["why": "\(failure.detail)"])
                stretch = min(max(stretch * 2, interval, failure.retryAfter ?? 0), Self.maximumBackoff)
            }
        }
    }

    /// A token that GitHub has given once it gives no more: it is not lost to a lost connection.
    private func keep(_ token: String, _ user: UserID, _ origin: ClientInfo) async throws {
        for wait in [2.0, 5, 10, 20] {
            do {
                return try await connect(token, user, origin)
            } catch RoostError.unavailable {
                try await pause(wait)
            }
        }
        try await connect(token, user, origin)
    }

    // MARK: Words

    private static let expired = "The code has run out. Begin again for a new one."

    private static func words(_ error: any Error) -> String {
        switch error {
        case let end as End: end.words
        case let refused as GitHubSignInAPI.Refused: words(of: refused.word)
        case let failure as GitHubFailure: failure.error.message(source: "GitHub")
        case let error as RoostError: error.message
        default: APIError.unknown("").message(source: "GitHub")
        }
    }

    /// GitHub's documented words, in ours.
    static func words(of word: String) -> String {
        switch word {
        case "expired_token": expired
        case "access_denied": "You declined on GitHub. No account was connected."
        case "incorrect_device_code": "GitHub does not know this code any more. Begin again for a new one."
        case "device_flow_disabled":
            "The device flow is switched off for Roost’s app at GitHub; whoever owns the app can switch it on."
        case "incorrect_client_credentials", "Not Found":
            "GitHub does not know the app that Roost is set to use (--github-client-id)."
        case "unsupported_grant_type": "This GitHub offers no sign-in with a code. Paste a token instead."
        default: "GitHub ended the sign-in. Begin again, or paste a token instead."
        }
    }
}
