import Foundation
package import Logging
package import RoostSupport

/// Everything about accounts, wired: the services, what they share, and their background work.
package struct AccountModule: Service {
    /// How often sights are written down and what is over is removed.
    private static let tidyInterval = Duration.seconds(60)

    package let accounts: AccountService
    package let sessions: SessionService
    package let tokens: TokenService
    package let invitations: InvitationService
    package let resets: ResetService
    private let audit: AuditLog
    private let identities: IdentityCache
    private let hasher: PasswordHasher
    private let log: Logger

    package init(
        _ identities: IdentityCache, sealer: Sealer, cost: PasswordCost, standInName: String,
        thumbnails: ThumbnailMaker, audit: AuditLog, feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        hasher = PasswordHasher(cost: cost)
        self.audit = audit
        let links = OpenLinks(
            joins: JoinLinkStore(database: identities.database),
            resets: ResetLinkStore(database: identities.database), ends: SteadyEnds(clock: clock),
            clock: clock)
        let gate = PasswordAuthenticator(
            store: AccountStore(database: identities.database),
            devices: KnownDeviceStore(database: identities.database), links: links, hasher: hasher,
            throttle: SignInThrottle(clock: clock), audit: audit, clock: clock)
        accounts = AccountService(
            identities: identities, gate: gate, thumbnails: thumbnails, audit: audit, clock: clock,
            standInName: standInName)
        sessions = SessionService(
            identities: identities, accounts: accounts, gate: gate, audit: audit, clock: clock)
        tokens = TokenService(identities: identities, audit: audit, clock: clock)
        invitations = InvitationService(
            identities: identities, sessions: sessions, gate: gate, links: links, sealer: sealer,
            audit: audit, feed: feed, clock: clock)
        resets = ResetService(
            identities: identities, accounts: accounts, gate: gate, links: links, audit: audit, clock: clock)
        self.identities = identities
        self.log = log
    }

    package var userData: [UserData] {
        [
            .deleted("Name, e-mail address, password and picture", from: ["users", "avatars"]),
            .deleted(
                "Sessions, browsers that signed in, API tokens and reset links",
                from: ["sessions", "known_devices", "api_tokens", "reset_links"]),
            .staying("Join links of an owner are withdrawn and lose the name.", in: ["join_links"]),
            .staying("The owners’ log keeps the name for 90 days.", in: ["audit_entries"]),
        ]
    }

    package func load() async throws { try await accounts.load() }

    /// Follows what other processes write; writes down sights and removes what is over, every minute until cancelled,
    /// and once more at the end.
    package func run() async {
        async let gathering: Void = audit.run()
        async let following: Void = identities.run()
        repeat {
            try? await Task.sleep(for: Self.tidyInterval)
            // A cancelled task could not write any more.
            await Task { await tidy() }.value
        } while !Task.isCancelled
        await gathering
        await following
    }

    /// No password is hashed any more.
    package func stop() { hasher.stop() }

    private func tidy() async {
        do {
            try await sessions.tidy()
            try await tokens.tidy()
            try await invitations.tidy()
            try await resets.tidy()
            try await audit.trim()
        } catch {
            log.error("Accounts could not be tidied up", metadata: ["error": "\(error)"])
        }
    }
}
