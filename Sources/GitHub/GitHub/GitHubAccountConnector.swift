import Foundation
import Logging
import RoostSupport
import Synchronization

/// Connects and disconnects accounts in the database, in memory and in the audit log, one change at a time.
final class GitHubAccountConnector: Sendable {
    /// Per user.
    static let limit = 20

    let hosts: GitHubHosts
    let sessionRegistry: GitHubSessionRegistry
    private let api: GitHubAPI
    private let database: Database
    private let sealer: Sealer
    private let audit: AuditLog
    private let log: Logger
    private let changes = PrioritySemaphore()
    /// Limits attempts: each sends a request to a host that the user names, and may write to the audit log.
    private let attempts = Mutex(SlidingWindowLimit(maximum: 60, within: .seconds(600)))
    /// By user and host: the login is not known until GitHub answers.
    private let connecting = KeyedMutex()

    init(
        hosts: GitHubHosts, sessionRegistry: GitHubSessionRegistry, api: GitHubAPI, database: Database,
        sealer: Sealer, audit: AuditLog, log: Logger
    ) {
        self.hosts = hosts
        self.sessionRegistry = sessionRegistry
        self.api = api
        self.database = database
        self.sealer = sealer
        self.audit = audit
        self.log = log
    }

    private var now: Date { api.clock.now() }

    /// Reads the stored accounts without asking GitHub.
    func load() async throws {
        let accounts = try await database.read { [sealer] reads in
            try reads.gitHubAccounts().map { account in
                let name = Self.secretName(account.id)
                return (account, Result { try reads.secret(name, of: account.userId, with: sealer) })
            }
        }
        sessionRegistry.load(accounts.map(entry))
    }

    func connect(
        _ value: String, at name: String?, for user: UserID, from origin: ClientInfo,
        within timeout: Duration = .seconds(10)
    ) async throws -> GitHubAccount {
        let host = try hosts.host(named: name)
        let draft = try token(value, scopes: [])
        try attempts.withLock {
            try $0.note(
                user, at: api.clock.steady(),
                message: "Too many attempts. Wait a few minutes and try again.")
        }
        let reply: GitHubAPI.Response
        let found: AuthenticatedUser
        do {
            reply = try await connecting.withLock("\(user) \(host.name)") {
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
        let verified = VerifiedToken(
            host: host, user: found, token: token, isFineGrained: reply.scopes == nil, slot: slot)
        // From here on, cancelling the caller does not interrupt the change.
        return try await Task { try await changes.run { try await keep(verified, for: user, from: origin) } }
            .value
    }

    /// The new token may replace any of theirs.
    private func sessions(of user: UserID, at host: GitHubHost) -> [GitHubSession] {
        sessionRegistry.all.filter { $0.userId == user && $0.host == host.name }.compactMap {
            sessionRegistry.entry($0.id)?.session
        }
    }

    /// Runs the work while none of these accounts has a request under way, and holds their requests back in the
    /// meantime. Locks are taken in the order of account ids and by one connect at a time, so that two cannot deadlock.
    private func after<Value: Sendable>(
        _ sessions: [GitHubSession], _ work: () async throws -> Value
    ) async throws -> Value {
        guard let first = sessions.first else { return try await work() }
        return try await first.slot.turns.run(urgency: GitHubSession.Priority.click.rawValue) {
            try await after(Array(sessions.dropFirst()), work)
        }
    }

    /// Throws `RoostError.notFound` for another user's account.
    func disconnect(_ id: GitHubAccountID, of user: UserID, from origin: ClientInfo) async throws {
        try await Task {
            try await changes.run {
                guard let account = sessionRegistry.entry(id)?.account, account.userId == user else {
                    throw RoostError.notFound("There is no such GitHub account.")
                }
                let username = try await database.write { writes in
                    let username = try writes.username(ofGitHubAccount: id)
                    try writes.removeSecret(Self.secretName(id), of: user)
                    try writes.removeGitHubAccount(id)
                    return username
                }
                sessionRegistry.remove(id)
                if let username {
                    await audit.record(
                        .gitHubDisconnected, actor: username, from: origin, detail: Self.label(account))
                }
            }
        }.value
    }

    /// Drops a token that GitHub no longer accepts. The account stays, and shows the error.
    func expire(_ session: GitHubSession) async {
        sessionRegistry.end(session)
        let isChanged = sessionRegistry.change(session) { entry in
            entry.session = nil
            entry.account.state = .unauthenticated
            entry.account.error = .unauthorized
        }
        guard isChanged, let account = sessionRegistry.entry(session.account)?.account else { return }
        log.notice("GitHub ended a connection", metadata: ["account": "\(Self.label(account))"])
        // The token is deleted even if the caller is cancelled.
        await Task {
            do {
                try await changes.run {
                    // The account was connected again in the meantime, and now has a new token.
                    guard sessionRegistry.entry(account.id)?.session == nil else { return }
                    try await database.write {
                        try $0.removeSecret(Self.secretName(account.id), of: account.userId)
                    }
                }
                let username = try await database.read { try $0.username(ofGitHubAccount: account.id) }
                guard let username else { return }
                await audit.record(
                    .gitHubExpired, actor: "", subject: username, from: ClientInfo(address: account.host),
                    detail: Self.label(account))
            } catch {
                log.databaseFailure("A GitHub token could not be deleted", error)
            }
        }.value
    }

    func rename(_ session: GitHubSession, to login: String) async {
        do {
            try await database.write { try $0.renameGitHubAccount(session.account, to: login) }
            sessionRegistry.change(session) { $0.account.login = login }
        } catch {
            log.databaseFailure("A GitHub account could not be renamed", error)
        }
    }

    private struct VerifiedToken: Sendable {
        let host: GitHubHost
        let user: AuthenticatedUser
        let token: GitHubToken
        let isFineGrained: Bool
        let slot: GitHubSession.RequestSlot
    }

    private func keep(_ verified: VerifiedToken, for user: UserID, from origin: ClientInfo) async throws
        -> GitHubAccount
    {
        let stored = try await store(verified, for: user)
        let account = GitHubAccount(
            id: stored.id, userId: user, host: verified.host.name, login: verified.user.login,
            state: .authenticated,
            user: verified.user, scopes: verified.token.scopes, isFineGrained: verified.isFineGrained,
            connectedAt: stored.connectedAt)
        let slot = sessionRegistry.entry(stored.id)?.session?.slot ?? verified.slot
        sessionRegistry.put(
            .init(account: account, session: session(account, verified.host, verified.token, slot)))
        // The user may have been deleted in the meantime.
        guard try await database.read({ try $0.username(ofGitHubAccount: stored.id) }) != nil else {
            sessionRegistry.remove(stored.id)
            throw RoostError.notFound("There is no such user.")
        }
        await audit.record(
            .gitHubConnected, actor: stored.username, from: origin, detail: Self.label(account))
        return account
    }

    /// Throws `RoostError.notFound` if the user no longer exists, and `.invalid(field: "token")` if they cannot have
    /// another account.
    private func store(
        _ verified: VerifiedToken, for user: UserID
    ) async throws -> GitHubAccountStore.StoredAccount {
        try await database.write { [sealer, now] writes in
            let (login, host) = (verified.user.login, verified.host.name)
            guard try writes.hasUser(user) else { throw RoostError.notFound("There is no such user.") }
            let isNew = try writes.gitHubAccount(login, at: host, of: user) == nil
            guard try !isNew || writes.gitHubAccountCount(of: user) < Self.limit else {
                throw RoostError.invalid(
                    field: "token",
                    why: "You can connect at most \(Self.limit) GitHub accounts. Disconnect one first.")
            }
            let stored = try writes.putGitHubAccount(login, at: host, of: user, connectedAt: now)
            try writes.putSecret(
                Self.text(of: verified.token), as: Self.secretName(stored.id), of: user, with: sealer,
                at: now)
            return stored
        }
    }

    private func entry(
        of stored: GitHubAccountStore.StoredAccount, secret: Result<String?, any Error>
    ) -> GitHubSessionRegistry.Entry {
        var account = GitHubAccount(
            id: stored.id, userId: stored.userId, host: stored.host, login: stored.login,
            state: .unauthenticated,
            connectedAt: stored.connectedAt, error: .unauthorized)
        do {
            let host = try hosts.host(named: stored.host)
            guard let text = try secret.get() else { return .init(account: account) }
            let token = try Self.token(in: text)
            account.state = .authenticating
            account.error = nil
            account.scopes = token.scopes
            account.isFineGrained = token.scopes.isEmpty
            return .init(account: account, session: session(account, host, token, .init(clock: api.clock)))
        } catch {
            if case RoostError.unavailable = error {
                account.error = error as? RoostError == Sealer.missingKey ? .wrongKey : .unreadableToken
            }
            log.error(
                "A GitHub account cannot be used",
                metadata: ["account": "\(Self.label(account))", "error": "\(error)"])
            return .init(account: account)
        }
    }

    private func session(
        _ account: GitHubAccount, _ host: GitHubHost, _ token: GitHubToken,
        _ slot: GitHubSession.RequestSlot
    ) -> GitHubSession {
        // A host that a user names may accept any text as a token. Only text in GitHub's format is removed from
        // everyone's responses, or a user could remove any text from them.
        if host.isTrusted || token.hasGitHubFormat { api.secrets.note(token.value) }
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

    private static func label(_ account: GitHubAccount) -> String { "\(account.login) at \(account.host)" }

    private static func text(of token: GitHubToken) throws -> String {
        String(decoding: try JSONEncoder().encode(token), as: UTF8.self)
    }

    /// The decoder's error may contain the token, so it is replaced.
    private static func token(in text: String) throws -> GitHubToken {
        guard let token = try? JSONDecoder().decode(GitHubToken.self, from: Data(text.utf8)) else {
            throw RoostError.unavailable("A stored token is malformed.")
        }
        return token
    }
}

extension GitHubAccountConnector {
    static func refusal(_ failure: GitHubFailure, _ host: GitHubHost) -> RoostError {
        switch failure.error {
        case .unauthorized:
            .invalid(
                field: "token", why: "GitHub rejected this token. Check that it is complete and still valid.")
        case .forbidden:
            .invalid(field: "token", why: "GitHub refused access with this token. Check what it may read.")
        case .singleSignOn: .invalid(field: "token", why: failure.error.message(source: "GitHub"))
        case .networkUnavailable where !host.isTrusted, .timedOut where !host.isTrusted,
            .interrupted where !host.isTrusted:
            .invalid(
                field: "host",
                why:
                    "No GitHub server answers at \(host.name). Your administrator can add hosts in the LAN (--github-hosts)."
            )
        case .invalidResponse where !host.isTrusted:
            .invalid(field: "host", why: "\(host.name) isn’t a GitHub server.")
        case .rateLimited:
            .unavailable(
                failure.error.message(source: "GitHub"),
                retryAfter: failure.retryAfter.map { Int($0.rounded(.up)) })
        default: .unavailable(failure.error.message(source: "GitHub"))
        }
    }
}
