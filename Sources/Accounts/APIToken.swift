package import Foundation
package import RoostSupport

/// A bearer token of the JSON API, as stored: the database has only the token's hash.
package struct APIToken: Equatable, Sendable, Identifiable {
    /// `write` includes reading; `metrics` allows `/metrics` and `/healthz` only.
    package enum Scope: String, Sendable, CaseIterable, ColumnValue {
        case read, write, metrics
    }

    package private(set) var id: Int64
    package private(set) var userId: UserID
    package private(set) var username: String
    package private(set) var name: String
    package private(set) var scope: Scope
    package private(set) var createdAt: Date
    package private(set) var expiresAt: Date?
    package var lastUsedAt: Date?

    func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

extension APIToken: ColumnRecord {
    package init() {
        self.init(
            id: 0, userId: 0, username: "", name: "", scope: .read, createdAt: .distantPast, expiresAt: nil)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &userId)
        try columns.column(
            "username", sql: "(SELECT username FROM users WHERE id = api_tokens.user_id)", &username)
        try columns.column("name", &name)
        try columns.column("scope", &scope)
        try columns.column("created_at", &createdAt)
        try columns.column("expires_at", &expiresAt)
        try columns.column("last_used_at", &lastUsedAt)
    }
}
