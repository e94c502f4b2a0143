package import Foundation
package import RoostSupport

package typealias DisplayID = Int64

/// A screen that shows its owner's watchlist to anyone with its secret link or a paired screen's key.
package struct Display: Equatable, Sendable, Identifiable {
    package private(set) var id: DisplayID
    package private(set) var userId: UserID
    /// SHA-256 of its link's secret.
    package private(set) var tokenHash: [UInt8]
    package private(set) var name: String
    package private(set) var settings: DisplaySettings
    package private(set) var ownerCurrency: String?
    package private(set) var createdAt: Date
    package var lastSeenAt: Date?
    package var screen: ScreenReport?

    /// True while a screen shows it: screens poll at least twice a minute.
    package func isOnline(at now: Date) -> Bool {
        lastSeenAt.map { !ClockSkew.isExpired($0, lifetime: DisplayService.presence, now: now) } ?? false
    }
}

extension Display: ColumnRecord {
    package init() {
        self.init(
            id: 0, userId: 0, tokenHash: [], name: "", settings: DisplaySettings(), ownerCurrency: nil,
            createdAt: .distantPast)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &userId)
        try columns.bytes("token_hash", &tokenHash)
        try columns.column("name", &name)
        try settings.columns(&columns)
        try columns.column("owner_currency", sql: DisplayStore.ownerCurrency, &ownerCurrency)
        try columns.column("created_at", &createdAt)
        try columns.column("last_seen_at", &lastSeenAt)
        try columns.part(&screen)
    }
}

package struct ScreenReport: Equatable, Sendable {
    package private(set) var version: String
    package private(set) var address: String
    /// How often its page has loaded since it was opened or paired.
    package private(set) var reloads: Int

    package init(version: String, address: String, reloads: Int) {
        self.version = version
        self.address = address
        self.reloads = reloads
    }
}

extension ScreenReport: ColumnRecord {
    package init() { self.init(version: "", address: "", reloads: 0) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("screen_version", &version)
        try columns.column("screen_address", &address)
        try columns.column("screen_reloads", &reloads)
    }
}

/// A one-time command for a screen.
package struct DisplayCommand: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// Shows the display's name, large, for ten seconds.
        case identify
        case reload
    }

    /// The number with which the screen confirms the command; unique, also across restarts.
    package let number: Int
    package let kind: Kind
    package let name: String
}
