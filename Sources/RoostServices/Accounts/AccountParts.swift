import Foundation
import Logging

/// Everything about accounts, wired: the services, what they share, and their background work.
struct AccountParts: Service {
    /// How often sights are written down and what is over is removed.
    private static let tidyInterval = Duration.seconds(60)

    let accounts: AccountService
    let sessions: SessionService
    let tokens: TokenService
    let invitations: InvitationService
    let resets: ResetService
    private let audit: AuditLog
    private let book: AccountBookStore
    private let hasher: PasswordHasher
    private let log: Logger

    /// - Parameters:
    ///   - stores: of this database
    ///   - removed: told of users who are gone, whoever removed them
    init(
        _ stores: AccountStores, sealer: Sealer, cost: PasswordCost, standInName: String, audit: AuditLog,
        feed: ChangeFeed, clock: WallClock, log: Logger, removed: @escaping @Sendable (Set<UserID>) -> Void
    ) {
        let book = AccountBook(clock: clock, removed: removed) { users in
            for user in users { feed.publish(Topic.account(user)) }
            if !users.isEmpty { feed.publish(Topic.members) }
        }
        let shared = AccountBookStore(database: stores.database, book: book)
        let people = AccountStore(accounts: shared)
        hasher = PasswordHasher(cost: cost)
        self.audit = audit
        let gate = PasswordAuthenticator(
            store: people, devices: KnownDeviceStore(accounts: shared), hasher: hasher,
            throttle: SignInThrottle(clock: clock), audit: audit, clock: clock)
        accounts = AccountService(
            store: people, gate: gate, audit: audit, clock: clock, standInName: standInName)
        let signedIn = SessionStore(accounts: shared)
        sessions = SessionService(store: signedIn, accounts: accounts, gate: gate, audit: audit, clock: clock)
        tokens = TokenService(store: TokenStore(accounts: shared), audit: audit, clock: clock)
        invitations = InvitationService(
            store: JoinLinkStore(database: stores.database), people: people, sessions: sessions, gate: gate,
            sealer: sealer, audit: audit, feed: feed, clock: clock)
        resets = ResetService(
            store: ResetLinkStore(database: stores.database), accounts: accounts, sessions: signedIn,
            gate: gate, audit: audit, clock: clock)
        self.book = shared
        self.log = log
    }

    func load() async throws { try await accounts.load() }

    /// Another process has written: what it changed of accounts holds here as well.
    func reload() async {
        await trying("The accounts could not be read again") { try await book.reload() }
    }

    /// Writes down sights and removes what is over, every minute until cancelled, and once more at the end.
    func run() async {
        async let gathering: Void = audit.run()
        repeat {
            try? await Task.sleep(for: Self.tidyInterval)
            // A cancelled task could not write any more.
            await Task { await tidy() }.value
        } while !Task.isCancelled
        await gathering
    }

    /// No password is hashed any more.
    func stop() { hasher.stop() }

    private func tidy() async {
        await trying("Accounts could not be tidied up") {
            try await sessions.tidy()
            try await tokens.tidy()
            try await invitations.tidy()
            try await resets.tidy()
            try await audit.trim()
        }
    }

    private func trying(_ what: Logger.Message, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            log.error(what, metadata: ["error": "\(error)"])
        }
    }
}
