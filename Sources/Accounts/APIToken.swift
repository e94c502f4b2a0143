package import Foundation
package import RoostSupport
import TextFormats

/// A bearer token of the JSON API, as stored: the database has only the token's hash.
package struct APIToken: Equatable, Sendable, Identifiable {
    /// `write` includes reading; `metrics` allows `/metrics` and `/healthz` only.
    package enum Scope: String, Sendable, CaseIterable, ColumnValue {
        case read, write, metrics
    }

    /// What a request does. `write` and `act` include reading.
    package enum Access: String, Sendable {
        case read, write
        /// Acts on another server in the user's name. Only a token that is limited to areas can have it.
        case act
    }

    package private(set) var id: Int64
    package private(set) var userId: UserID
    package private(set) var username: String
    package private(set) var name: String
    package private(set) var scope: Scope
    /// The areas that the token is limited to, such as "chat:read reading:write"; empty for no limit.
    package private(set) var areas: String
    package private(set) var createdAt: Date
    package private(set) var expiresAt: Date?
    package var lastUsedAt: Date?

    package var isLimited: Bool { !areas.isEmpty }

    /// The token's scopes as text, such as "read" or "chat:read reading:write".
    package var scopes: String { isLimited ? areas : scope.rawValue }

    /// - Parameter area: nil for what belongs to no area, which a limited token may not use
    package func allows(_ access: Access, in area: String?) -> Bool {
        guard isLimited else { return access == .read || access == .write && scope == .write }
        guard let area else { return false }
        let allowing: [Access] = access == .read ? [.read, .write, .act] : [access]
        return areas.splitBytes(at: " ").contains { scope in
            allowing.contains { scope.utf8.elementsEqual("\(area):\($0.rawValue)".utf8) }
        }
    }

    func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

extension APIToken: ColumnRecord {
    package init() {
        self.init(
            id: 0, userId: 0, username: "", name: "", scope: .read, areas: "", createdAt: .distantPast,
            expiresAt: nil)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &userId)
        try columns.column(
            "username", sql: "(SELECT username FROM users WHERE id = api_tokens.user_id)", &username)
        try columns.column("name", &name)
        try columns.column("scope", &scope)
        try columns.column("areas", &areas)
        try columns.column("created_at", &createdAt)
        try columns.column("expires_at", &expiresAt)
        try columns.column("last_used_at", &lastUsedAt)
    }
}
