import Foundation
import Logging
import Synchronization

/// What happened to accounts, kept for the owners to read, for ninety days.
///
/// Failed sign-ins are gathered for some seconds and written together, those of one account as one entry: a flood of
/// them neither keeps the disk busy nor pushes out what else has happened.
package final class AuditLog: Sendable {
    /// Failed tries at one account (or at none, "") since the last writing.
    private struct Failures {
        var count = 0
        var origin = Origin(address: "")
        var at = Date.distantPast
    }

    private static let lifetime: TimeInterval = 90 * 86_400
    private static let gathering = Duration.seconds(10)
    package static let pageSize = 50

    private let store: AuditStore
    private let clock: WallClock
    private let log: Logger
    private let failures = Mutex<[String: Failures]>([:])
    private let bell = WakeUp()

    init(store: AuditStore, clock: WallClock, log: Logger) {
        self.store = store
        self.clock = clock
        self.log = log
    }

    /// Writes an entry down; what was done is done, so that a log that cannot be written is only reported.
    func record(
        _ kind: AuditEntry.Kind, actor: String, subject: String = "", from origin: Origin, detail: String = ""
    ) async {
        // What failed before this stands before it.
        await writeFailures()
        await write(
            kind, actor: actor, subject: subject == actor ? "" : subject, address: origin.address,
            detail: detail, at: clock.now())
    }

    /// A failed sign-in; `subject` is the name of the account, or empty where there is none.
    func noteFailure(of subject: String, from origin: Origin) {
        let now = clock.now()
        failures.withLock { failures in
            failures[subject, default: Failures()].count += 1
            failures[subject]?.origin = origin
            failures[subject]?.at = now
        }
        bell.ring()
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
    func run() async {
        while !Task.isCancelled {
            await bell.wait()
            try? await Task.sleep(for: Self.gathering)
            // A cancelled task could not write any more.
            await Task { await writeFailures() }.value
        }
    }

    func trim() async throws { try await store.trim(before: clock.now() - Self.lifetime) }

    private func writeFailures() async {
        let gathered = failures.withLock { failures in
            defer { failures = [:] }
            return failures
        }
        for (subject, failure) in gathered.sorted(by: { $0.value.at < $1.value.at }) {
            let times = failure.count == 1 ? "" : ", \(failure.count) times"
            await write(
                .signInFailed, actor: "", subject: subject, address: failure.origin.address,
                detail: failure.origin.device + times, at: failure.at)
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
