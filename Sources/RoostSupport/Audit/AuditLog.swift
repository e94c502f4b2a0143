package import Foundation
package import Logging
import Synchronization

/// What happened to accounts, kept for the owners to read, for ninety days.
///
/// Failed sign-ins are gathered for some seconds and written together, those at one account from one address as one
/// entry: a flood of them neither keeps the disk busy nor pushes out what else has happened.
package final class AuditLog: Sendable {
    /// An account (or none, "") and where somebody tried to sign in to it.
    private struct Target: Equatable {
        let subject, address: String
    }

    /// Failed tries since the last writing.
    private struct Failures {
        let target: Target
        var count = 0
        var device = ""
        var at = Date.distantPast
    }

    /// More than these are told as from several addresses.
    private static let maximumTargets = 100
    static let severalAddresses = "several addresses"

    private static let lifetime: TimeInterval = 90 * 86_400
    private static let gathering = Duration.seconds(10)
    package static let pageSize = 50

    private let store: AuditStore
    private let clock: WallClock
    private let log: Logger
    /// In the order of their first.
    private let failures = Mutex<[Failures]>([])
    private let signal = AsyncSignal()

    package init(store: AuditStore, clock: WallClock, log: Logger) {
        self.store = store
        self.clock = clock
        self.log = log
    }

    /// Writes an entry down; what was done is done, so that a log that cannot be written is only reported.
    package func record(
        _ kind: AuditEntry.Kind, actor: String, subject: String = "", from origin: ClientInfo,
        detail: String = ""
    ) async {
        // What failed before this stands before it.
        await writeFailures()
        await write(
            kind, actor: actor, subject: subject == actor ? "" : subject, address: origin.address,
            detail: detail, at: clock.now())
    }

    /// That all API tokens of a user were revoked together; nothing where there were none.
    package func recordRevoked(_ count: Int, of username: String, by actor: String, from origin: ClientInfo)
        async
    {
        guard count > 0 else { return }
        await record(
            .tokensRevoked, actor: actor, subject: username, from: origin,
            detail: count == 1 ? "1 token" : "\(count) tokens")
    }

    /// A failed sign-in; `subject` is the name of the account, or empty where there is none.
    package func noteFailure(of subject: String, from origin: ClientInfo) {
        let now = clock.now()
        failures.withLock { failures in
            let exact = Target(subject: subject, address: origin.address)
            let isKnown = failures.count < Self.maximumTargets || failures.contains { $0.target == exact }
            let target = isKnown ? exact : Target(subject: subject, address: Self.severalAddresses)
            let index = failures.firstIndex { $0.target == target } ?? failures.count
            if index == failures.count { failures.append(Failures(target: target)) }
            failures[index].count += 1
            failures[index].device = origin.device
            failures[index].at = now
        }
        signal.fire()
    }

    /// The newest first, a page at a time.
    ///
    /// - Parameter isSignIn: only sign-ins and sign-outs, only the other changes, or all for nil
    package func entries(isSignIn: Bool? = nil, before id: Int64? = nil) async throws -> [AuditEntry] {
        await writeFailures()
        let kinds = AuditEntry.Kind.allCases.filter { isSignIn == nil || $0.isSignIn == isSignIn }
        return try await store.entries(of: kinds, before: id, limit: Self.pageSize)
    }

    /// Writes gathered failures down until cancelled, and once more at the end.
    package func run() async {
        while !Task.isCancelled {
            await signal.wait()
            try? await Task.sleep(for: Self.gathering)
            // A cancelled task could not write any more.
            await Task { await writeFailures() }.value
        }
    }

    package func trim() async throws { try await store.trim(before: clock.now() - Self.lifetime) }

    private func writeFailures() async {
        let gathered = failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
        for failure in gathered {
            let times = failure.count == 1 ? "" : ", \(failure.count) times"
            await write(
                .signInFailed, actor: "", subject: failure.target.subject, address: failure.target.address,
                detail: failure.device + times, at: failure.at)
        }
    }

    private func write(
        _ kind: AuditEntry.Kind, actor: String, subject: String, address: String, detail: String, at: Date
    ) async {
        do {
            try await store.add(
                kind, actor: actor, subject: subject, address: address, detail: detail, at: at)
        } catch {
            log.error("The audit log could not be written", metadata: ["error": "\(error)"])
        }
    }
}

/// Something that happened to accounts, for the owners to read.
package struct AuditEntry: Equatable, Sendable, Identifiable {
    /// What happened.
    package enum Kind: String, Sendable, CaseIterable {
        case setUp, joined, signedIn, signInFailed, signedOut, sessionEnded, sessionsEnded
        case passwordChanged, passwordReset, resetLinkMade
        case roleChanged, userAdded, userRemoved
        case tokenMade, tokenRevoked, tokensRevoked, joinLinkMade, joinLinkRevoked
        case gitHubConnected, gitHubDisconnected, gitHubExpired

        /// Those of the log's filter "sign-ins"; all others are changes.
        package var isSignIn: Bool {
            switch self {
            case .signedIn, .signInFailed, .signedOut, .sessionEnded, .sessionsEnded: true
            default: false
            }
        }
    }

    package let id: Int64
    package let at: Date
    package let kind: Kind
    /// Who did it, by the user name (what one is called besides, others may be called as well); empty for a stranger.
    package let actor: String
    /// To whom, if to another person; else empty.
    package let subject: String
    /// From where.
    package let address: String
    /// More in words: the role, the token's name, the device.
    package let detail: String
}

/// Where a request comes from, as far as signing in cares.
package struct ClientInfo: Sendable, Equatable {
    package let address: String
    package let device: String
    /// True for a browser on the machine that Roost runs on.
    package let isOnThisMachine: Bool
    /// The device cookie's secrets, which prove earlier sign-ins in this browser.
    package let deviceSecrets: [String]
    /// The code of the join or reset link that the browser opened last, as its cookie has it.
    package let linkCode: String?

    package init(
        address: String, device: String = "", isOnThisMachine: Bool = false, deviceSecrets: [String] = [],
        linkCode: String? = nil
    ) {
        self.address = address
        self.device = device
        self.isOnThisMachine = isOnThisMachine
        self.deviceSecrets = deviceSecrets
        self.linkCode = linkCode
    }

    /// The command line on this machine.
    package static let commandLine = ClientInfo(address: "command line", isOnThisMachine: true)
}
