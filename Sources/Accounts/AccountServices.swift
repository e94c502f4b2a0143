import Foundation
package import Logging
package import RoostSupport

/// Everything about accounts, wired: the services, what they share, and their background work.
package final class AccountServices: Service {
    /// How often last uses are saved and expired rows are removed.
    private static let cleanUpInterval = Duration.seconds(60)

    package let accounts: AccountService
    package let sessions: SessionService
    package let tokens: TokenService
    package let invitations: InvitationService
    package let resets: ResetService
    package let todayFeeds: TodayFeedService
    package let audit: AuditLog
    private let identities: IdentityCache
    private let hasher: PasswordHasher
    private let log: Logger

    package init(
        _ identities: IdentityCache, sealer: Sealer, cost: PasswordCost, placeholderName: String,
        thumbnails: ThumbnailMaker, audit: AuditLog, feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        hasher = PasswordHasher(cost: cost)
        self.audit = audit
        let links = OpenLinks(
            database: identities.database, ends: SteadyExpirations(clock: clock),
            clock: clock)
        let authenticator = PasswordAuthenticator(
            database: identities.database, links: links, hasher: hasher,
            throttle: SignInThrottle(clock: clock), audit: audit, clock: clock)
        accounts = AccountService(
            identities: identities, authenticator: authenticator, thumbnails: thumbnails, audit: audit,
            clock: clock,
            placeholderName: placeholderName)
        sessions = SessionService(
            identities: identities, accounts: accounts, authenticator: authenticator, audit: audit,
            clock: clock)
        tokens = TokenService(identities: identities, audit: audit, clock: clock)
        invitations = InvitationService(
            identities: identities, sessions: sessions, authenticator: authenticator, links: links,
            sealer: sealer,
            audit: audit, clock: clock)
        resets = ResetService(
            identities: identities, accounts: accounts, authenticator: authenticator, links: links,
            audit: audit, clock: clock)
        todayFeeds = TodayFeedService(database: identities.database, sealer: sealer, clock: clock)
        self.identities = identities
        self.log = log
    }

    package var userData: [UserData] {
        [
            .deleted("Name, e-mail address, password and picture", from: ["users", "avatars"]),
            .deleted(
                "Sessions, known browsers, API tokens and reset links",
                from: ["sessions", "known_devices", "api_tokens", "reset_links"]),
            .deleted("Preferences of each feature", from: ["preferences"]),
            .retained("An owner’s join links are revoked and lose the owner’s name.", in: ["join_links"]),
            .retained("The owners’ log keeps the name for 90 days.", in: ["audit_entries"]),
        ]
    }

    package func load() async throws { try await accounts.load() }

    /// Follows other processes' writes. Saves last-used times and removes expired rows every minute until cancelled,
    /// and once more at the end.
    package func run() async {
        async let gathering: Void = audit.run()
        async let following: Void = identities.run()
        repeat {
            try? await Task.sleep(for: Self.cleanUpInterval)
            // A new task, because the cancelled one could not write.
            await Task { await cleanUp() }.value
        } while !Task.isCancelled
        await gathering
        await following
    }

    /// Stops password hashing.
    package func stop() { hasher.stop() }

    private func cleanUp() async {
        do {
            try await sessions.cleanUp()
            try await tokens.cleanUp()
            try await invitations.cleanUp()
            try await resets.cleanUp()
            try await audit.trim()
        } catch {
            log.databaseFailure("Accounts could not be cleaned up", error)
        }
    }
}
