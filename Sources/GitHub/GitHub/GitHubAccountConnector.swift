import Foundation
import Logging
import RoostSupport
import Synchronization

/// Connects and disconnects accounts: on disk, in memory and in the audit log, one change at a time.
final class GitHubAccountConnector: Sendable {
    /// A user's accounts, at most.
    static let limit = 20

    let hosts: GitHubHosts
    let sessionRegistry: GitHubSessionRegistry
    private let api: GitHubAPI
    private let store: GitHubAccountStore
    private let tokens: any TokenStorage
    private let audit: AuditLog
    private let log: Logger
    private let changes = PrioritySemaphore()
    /// Each sends a request to a host of the user's choice, and may write into the audit log.
    private let tries = Mutex(SlidingWindowLimit(maximum: 60, within: 600))
    /// By user and host: whom the tokens stand for that are being connected, nobody knows yet.
    private let connecting = KeyedMutex()

    init(
        hosts: GitHubHosts, sessionRegistry: GitHubSessionRegistry, api: GitHubAPI, store: GitHubAccountStore,
        tokens: any TokenStorage, audit: AuditLog, log: Logger
    ) {
        self.hosts = hosts
        self.sessionRegistry = sessionRegistry
        self.api = api
        self.store = store
        self.tokens = tokens
        self.audit = audit
        self.log = log
    }

    private var now: Date { api.clock.now() }

    /// Reads the accounts; GitHub is not asked.
    func load() async throws {
        var entries: [GitHubSessionRegistry.Entry] = []
        for stored in try await store.accounts() { entries.append(await entry(of: stored)) }
        sessionRegistry.load(entries)
    }

    /// Asks the host whom the token stands for, and keeps it.
    func connect(
        _ value: String, at name: String?, for user: UserID, from origin: ClientInfo,
        within timeout: Duration = .seconds(10)
    ) async throws -> GitHubAccount {
        let host = try hosts.host(named: name)
        let draft = try token(value, scopes: [])
        try tries.withLock {
            try $0.note(
                user, at: api.clock.steady(),
                orSay: "You have tried to connect very often. Wait a few minutes for another try.")
        }
        let reply: GitHubAPI.Response
        let found: AuthenticatedUser
        do {
            reply = try await connecting.take("\(user) \(host.name)") {
                try await after(sessions(of: user, at: host)) {
                    try await api.get("/user", at: host, token: draft, within: timeout)
                }
            }
            found = try reply.user()
        } catch let failure as GitHubFailure {
            log.info(
                "A GitHub account could not be connected",
                metadata: ["host": "\(host.name)", "why": "\(failure.detail)"])
            throw Self.refusal(failure, host)
        }
        let token = try token(value, scopes: reply.scopes ?? [])
        let slot = GitHubSession.RequestSlot(clock: api.clock)
        slot.limits.note(reply.budget, isReadable: true)
        let news = VerifiedToken(
            host: host, user: found, token: token, isFineGrained: reply.scopes == nil, slot: slot)
        // From here on nobody's leaving stops it halfway.
        return try await Task { try await changes.take { try await keep(news, for: user, from: origin) } }
            .value
    }

    /// The user's accounts there: the token may be the next one of any.
    private func sessions(of user: UserID, at host: GitHubHost) -> [GitHubSession] {
        sessionRegistry.all.filter { $0.userId == user && $0.host == host.name }.compactMap {
            sessionRegistry.entry($0.id)?.session
        }
    }

    /// Does the work when none of the accounts has a request on its way, and holds theirs back meanwhile. They are taken
    /// in the order of their numbers, and by one connect at a time: two can never wait for each other.
    private func after<Value: Sendable>(
        _ sessions: [GitHubSession], _ work: () async throws -> Value
    ) async throws -> Value {
        guard let first = sessions.first else { return try await work() }
        return try await first.slot.turns.take(urgency: GitHubSession.Priority.click.rawValue) {
            try await after(Array(sessions.dropFirst()), work)
        }
    }

    /// Throws `RoostError.notFound` for an account that is not this user's.
    func disconnect(_ id: GitHubAccountID, of user: UserID, from origin: ClientInfo) async throws {
        try await Task {
            try await changes.take {
                guard let account = sessionRegistry.entry(id)?.account, account.userId == user else {
                    throw RoostError.notFound("There is no such GitHub account.")
                }
                let username = try await store.username(of: id)
                try await tokens.forget(Self.secretName(id), of: user)
                try await store.remove(id)
                sessionRegistry.remove(id)
                if let username {
                    await audit.record(
                        .gitHubDisconnected, actor: username, from: origin, detail: Self.words(account))
                }
            }
        }.value
    }

    /// GitHub no longer takes this session's token: it is dropped, and the account stays to say so.
    func expire(_ session: GitHubSession) async {
        sessionRegistry.end(session)
        let isNews = sessionRegistry.change(session) { entry in
            entry.session = nil
            entry.account.state = .unauthenticated
            entry.account.error = .unauthorized
        }
        guard isNews, let account = sessionRegistry.entry(session.account)?.account else { return }
        log.notice("GitHub ended a connection", metadata: ["account": "\(Self.words(account))"])
        // Whoever asked may have been cancelled meanwhile; the token goes all the same.
        await Task {
            do {
                try await changes.take {
                    // Connected anew while this one waited: the token is another by now.
                    guard sessionRegistry.entry(account.id)?.session == nil else { return }
                    try await tokens.forget(Self.secretName(account.id), of: account.userId)
                }
                guard let username = try await store.username(of: account.id) else { return }
                await audit.record(
                    .gitHubExpired, actor: "", subject: username, from: ClientInfo(address: account.host),
                    detail: Self.words(account))
            } catch {
                log.error("A GitHub token could not be deleted", metadata: ["error": "\(error)"])
            }
        }.value
    }

    /// GitHub calls the account otherwise by now.
    func rename(_ session: GitHubSession, to login: String) async {
        do {
            try await store.rename(session.account, to: login)
            sessionRegistry.change(session) { $0.account.login = login }
        } catch {
            log.error("A GitHub account could not be renamed", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Parts

    /// What a token has shown to be.
    private struct VerifiedToken: Sendable {
        let host: GitHubHost
        let user: AuthenticatedUser
        let token: GitHubToken
        let isFineGrained: Bool
        let slot: GitHubSession.RequestSlot
    }

    private func keep(_ news: VerifiedToken, for user: UserID, from origin: ClientInfo) async throws
        -> GitHubAccount
    {
        let stored = try await store.put(
            news.user.login, at: news.host.name, of: user, limit: Self.limit, now: now)
        do {
            try await tokens.store(Self.text(of: news.token), as: Self.secretName(stored.id), of: user)
        } catch {
            if stored.isNew { try await store.remove(stored.id) }
            throw error
        }
        let account = GitHubAccount(
            id: stored.id, userId: user, host: news.host.name, login: news.user.login, state: .authenticated,
            user: news.user, scopes: news.token.scopes, isFineGrained: news.isFineGrained,
            connectedAt: stored.connectedAt)
        let slot = sessionRegistry.entry(stored.id)?.session?.slot ?? news.slot
        sessionRegistry.put(.init(account: account, session: session(account, news.host, news.token, slot)))
        // The user may have been removed while this was under way.
        guard try await store.username(of: stored.id) != nil else {
            sessionRegistry.remove(stored.id)
            throw RoostError.notFound("There is no such user.")
        }
        await audit.record(
            .gitHubConnected, actor: stored.username, from: origin, detail: Self.words(account))
        return account
    }

    private func entry(of stored: GitHubAccountStore.StoredAccount) async -> GitHubSessionRegistry.Entry {
        var account = GitHubAccount(
            id: stored.id, userId: stored.userId, host: stored.host, login: stored.login,
            state: .unauthenticated,
            connectedAt: stored.connectedAt, error: .unauthorized)
        do {
            let host = try hosts.host(named: stored.host)
            guard let text = try await tokens.secret(Self.secretName(stored.id), of: stored.userId) else {
                return .init(account: account)
            }
            let token = try Self.token(in: text)
            account.state = .authenticating
            account.error = nil
            account.scopes = token.scopes
            account.isFineGrained = token.scopes.isEmpty
            return .init(account: account, session: session(account, host, token, .init(clock: api.clock)))
        } catch {
            if case RoostError.unavailable = error {
                account.error = error as? RoostError == Sealer.isWithoutKey ? .wrongKey : .unreadableToken
            }
            log.error(
                "A GitHub account cannot be used",
                metadata: ["account": "\(Self.words(account))", "error": "\(error)"])
            return .init(account: account)
        }
    }

    private func session(
        _ account: GitHubAccount, _ host: GitHubHost, _ token: GitHubToken,
        _ slot: GitHubSession.RequestSlot
    ) -> GitHubSession {
        // A host that a user names takes any text for a token: only what looks like one is hidden from everyone's answers.
        if host.isTrusted || token.isOfGitHubsForm { api.secrets.note(token.value) }
        return GitHubSession(
            account: account.id, host: host, login: account.login, token: token, api: api, slot: slot
        ) { [weak self] session in await self?.expire(session) }
    }

    private func token(_ value: String, scopes: Set<String>) throws -> GitHubToken {
        do {
            return try GitHubToken(value: value.trimmed, createdAt: now, scopes: scopes, now: now)
        } catch {
            throw RoostError.invalid(
                field: "token",
                why: "That isn’t a GitHub token. GitHub tokens start with ghp_ or github_pat_.")
        }
    }

    private static func secretName(_ id: GitHubAccountID) -> String { "github/\(id)" }

    /// "octocat at github.com"
    private static func words(_ account: GitHubAccount) -> String { "\(account.login) at \(account.host)" }

    private static func text(of token: GitHubToken) throws -> String {
        String(decoding: try JSONEncoder().encode(token), as: UTF8.self)
    }

    /// An error of the decoder may show what it read: another is thrown in its place.
    private static func token(in text: String) throws -> GitHubToken {
        guard let token = try? JSONDecoder().decode(GitHubToken.self, from: Data(text.utf8)) else {
            throw RoostError.unavailable("A stored token is malformed.")
        }
        return token
    }
}

extension GitHubAccountConnector {
    /// In the words of the form: what can be changed there is said at its field.
    static func refusal(_ failure: GitHubFailure, _ host: GitHubHost) -> RoostError {
        switch failure.error {
        case .unauthorized:
            .invalid(field: "token", why: "GitHub does not take this token. Is it complete and still valid?")
        case .forbidden: .invalid(field: "token", why: "GitHub refuses this token. Check what it may read.")
        case .singleSignOn: .invalid(field: "token", why: failure.error.message(source: "GitHub"))
        case .networkUnavailable where !host.isTrusted, .timedOut where !host.isTrusted,
            .interrupted where !host.isTrusted:
            .invalid(
                field: "host",
                why:
                    "No GitHub answers at \(host.name). Hosts in the LAN are named by Roost’s operator (--github-hosts)."
            )
        case .invalidResponse where !host.isTrusted:
            .invalid(field: "host", why: "What answers at \(host.name) is no GitHub.")
        case .rateLimited:
            .unavailable(
                failure.error.message(source: "GitHub"),
                retryAfter: failure.retryAfter.map { Int($0.rounded(.up)) })
        default: .unavailable(failure.error.message(source: "GitHub"))
        }
    }
}
