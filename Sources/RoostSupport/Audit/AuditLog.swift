package import Foundation
package import Logging
import Synchronization

/// A log of account events for the owners, kept for ninety days.
///
/// Failed sign-ins are collected for ten seconds; those for one account from one address become one entry. So a flood
/// of them neither keeps the disk busy nor pushes out other entries.
package final class AuditLog: Sendable {
    private struct Target: Equatable {
        let subject, address: String
    }

    private struct Failures {
        let target: Target
        var count = 0
        var device = ""
        var at = Date.distantPast
    }

    /// Targets beyond this limit are recorded with the address "several addresses".
    private static let maximumTargets = 100
    static let severalAddresses = "several addresses"

    private static let lifetime: TimeInterval = 90 * 86_400
    private static let gathering = Duration.seconds(10)
    package static let pageSize = 50

    private let database: Database
    private let clock: WallClock
    private let log: Logger
    private let failures = Mutex<[Failures]>([])
    private let signal = AsyncSignal()

    package init(database: Database, clock: WallClock, log: Logger) {
        self.database = database
        self.clock = clock
        self.log = log
    }

    /// Adds an entry. A failed write is only logged, because the recorded action has already happened.
    package func record(
        _ kind: AuditEntry.Kind, actor: String, subject: String = "", from origin: ClientInfo,
        detail: String = ""
    ) async {
        // Earlier failures come first in the log.
        await write(
            takeFailures() + [
                AuditEntry(
                    id: 0, at: clock.now(), kind: kind, actor: actor,
                    subject: subject == actor ? "" : subject, address: origin.address, detail: detail)
            ])
    }

    /// Records that `count` API tokens of a user were revoked together; does nothing for 0.
    package func recordRevoked(_ count: Int, of username: String, by actor: String, from origin: ClientInfo)
        async
    {
        guard count > 0 else { return }
        await record(
            .tokensRevoked, actor: actor, subject: username, from: origin,
            detail: count == 1 ? "1 token" : "\(count) tokens")
    }

    /// Counts a failed sign-in; `subject` is the account's name, or empty if there is no such account.
    package func noteFailure(of subject: String, from origin: ClientInfo) {
        let now = clock.now()
        failures.withLock { failures in
            let exact = Target(subject: subject, address: origin.address)
            let isTracked = failures.count < Self.maximumTargets || failures.contains { $0.target == exact }
            let target = isTracked ? exact : Target(subject: subject, address: Self.severalAddresses)
            let index = failures.firstIndex { $0.target == target } ?? failures.count
            if index == failures.count { failures.append(Failures(target: target)) }
            failures[index].count += 1
            failures[index].device = origin.device
            failures[index].at = now
        }
        signal.fire()
    }

    /// Returns a page of entries, newest first.
    ///
    /// - Parameter isSignIn: true for sign-ins and sign-outs only, false for all other changes only, nil for both
    package func entries(
        _ reads: Reads, isSignIn: Bool? = nil, before id: Int64? = nil
    ) throws -> [AuditEntry] {
        let kinds = AuditEntry.Kind.allCases.filter { isSignIn == nil || $0.isSignIn == isSignIn }
        return try reads.auditEntries(of: kinds, before: id, limit: Self.pageSize)
    }

    /// Returns a page with the failures so far, which are otherwise saved from time to time.
    package func entries(isSignIn: Bool? = nil, before id: Int64? = nil) async throws -> [AuditEntry] {
        await saveFailures()
        return try await database.read { try entries($0, isSignIn: isSignIn, before: id) }
    }

    package func saveFailures() async { await write(takeFailures()) }

    package func run() async {
        while !Task.isCancelled {
            await signal.wait()
            try? await Task.sleep(for: Self.gathering)
            // A new task, because a cancelled one cannot write.
            await Task { await write(takeFailures()) }.value
        }
    }

    package func trim() async throws {
        try await database.write { [limit = clock.now() - Self.lifetime] writes in
            try writes.trimAuditEntries(before: limit)
        }
    }

    private func takeFailures() -> [AuditEntry] {
        let gathered = failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
        return gathered.map { failure in
            let times = failure.count == 1 ? "" : ", \(failure.count) times"
            return AuditEntry(
                id: 0, at: failure.at, kind: .signInFailed, actor: "", subject: failure.target.subject,
                address: failure.target.address, detail: failure.device + times)
        }
    }

    private func write(_ entries: [AuditEntry]) async {
        guard !entries.isEmpty else { return }
        do {
            try await database.write { writes in for entry in entries { try writes.addAuditEntry(entry) } }
        } catch {
            log.databaseFailure("The audit log could not be written", error)
        }
    }
}

package struct AuditEntry: Equatable, Sendable, Identifiable {
    package enum Kind: String, Sendable, CaseIterable, ColumnValue {
        case setUp, joined, signedIn, signInFailed, signedOut, sessionEnded, sessionsEnded
        case passwordChanged, passwordReset, resetLinkMade
        case roleChanged, userAdded, userRemoved
        case tokenMade, tokenRevoked, tokensRevoked, joinLinkMade, joinLinkRevoked
        case gitHubConnected, gitHubDisconnected, gitHubExpired
        case webhookAddressAllowed, webhookAddressRemoved
        case pullAct

        /// True for the log's filter "sign-ins"; all other kinds are changes.
        package var isSignIn: Bool {
            switch self {
            case .signedIn, .signInFailed, .signedOut, .sessionEnded, .sessionsEnded: true
            default: false
            }
        }
    }

    package private(set) var id: Int64
    package private(set) var at: Date
    package private(set) var kind: Kind
    /// The user name of the person who did it, or empty for a stranger. Display names are not unique.
    package private(set) var actor: String
    package private(set) var subject: String
    package private(set) var address: String
    /// Details such as the role, the token's name or the device.
    package private(set) var detail: String
}

extension AuditEntry: ColumnRecord {
    package init() {
        self.init(
            id: 0, at: .distantPast, kind: .setUp, actor: "", subject: "", address: "", detail: "")
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("at", &at)
        try columns.column("kind", &kind)
        try columns.column("actor", &actor)
        try columns.column("subject", &subject)
        try columns.column("address", &address)
        try columns.column("detail", &detail)
    }
}

/// The client of a request, as needed for signing in.
package struct ClientInfo: Sendable, Equatable {
    package let address: String
    package let device: String
    package let isOnThisMachine: Bool
    /// The secrets in the device cookie, which prove earlier sign-ins in this browser.
    package let deviceSecrets: [String]
    /// The code of the join or reset link that the browser opened last, read from its cookie.
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

    package static let commandLine = ClientInfo(address: "command line", isOnThisMachine: true)
}
