package import Foundation
package import RoostSupport

/// A bearer token of the JSON interface as the database knows it: never the token itself, only its hash.
package struct APIToken: Equatable, Sendable, Identifiable {
    /// What the bearer may do: `write` includes reading; `metrics` reads `/metrics` and `/healthz` alone.
    package enum Scope: String, Sendable, CaseIterable {
        case read, write, metrics
    }

    package let id: Int64
    package let userId: UserID
    package let username: String
    /// What its user calls it; may be empty.
    package let name: String
    package let scope: Scope
    package let createdAt: Date
    /// Nil for a token that never ends by itself.
    package let expiresAt: Date?
    package var lastUsedAt: Date?

    func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }
}
