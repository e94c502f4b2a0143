import Foundation
import Logging

/// What happened to accounts, kept for the owners to read: ninety days and 20,000 entries at most.
package final class AuditLog: Sendable {
    private static let lifetime: TimeInterval = 90 * 86_400
    private static let limit = 20_000
    package static let pageSize = 50

    private let store: AuditStore
    private let clock: WallClock
    private let log: Logger

    init(store: AuditStore, clock: WallClock, log: Logger) {
        self.store = store
        self.clock = clock
        self.log = log
    }

    /// Writes an entry down; what was done is done, so that a log that cannot be written is only reported.
    func record(
        _ kind: AuditEntry.Kind, actor: String, subject: String = "", from origin: Origin, detail: String = ""
    ) async {
        do {
            try await store.add(
                kind, actor: actor, subject: subject == actor ? "" : subject, address: origin.address,
                detail: detail, at: clock.now())
        } catch {
            log.error("The audit log could not be written", metadata: ["error": "\(error)"])
        }
    }

    /// The newest first, a page at a time.
    ///
    /// - Parameter isSignIn: only sign-ins and sign-outs, only the other changes, or all for nil
    package func entries(isSignIn: Bool? = nil, before id: Int64? = nil) async throws -> [AuditEntry] {
        let kinds = AuditEntry.Kind.allCases.filter { isSignIn == nil || $0.isSignIn == isSignIn }
        return try await store.entries(of: kinds, before: id, limit: Self.pageSize)
    }

    func trim() async throws {
        try await store.trim(before: clock.now() - Self.lifetime, keeping: Self.limit)
    }
}
