import Accounts
import Foundation
import RoostWeb
import TextFormats

/// A new token with its secret, shown only once.
struct NewTokenView: Sendable {
    let name: String
    let secret: String
}

struct TokenRow: Sendable {
    let id: String
    let name: String
    let scope: APIToken.Scope
    /// See `APIToken.areas`.
    var areas = ""
    let createdAt: Date
    /// Nil if it never expires.
    let expiresAt: Date?
    let lastUsedAt: Date?
    let now: Date

    var tokenId: String { PathSegment(id).description }
    var tokenScope: String {
        guard areas.isEmpty else { return areas.splitBytes(at: " ").joined(separator: ", ") }
        return switch scope {
        case .read: "read"
        case .write: "read and write"
        case .metrics: "metrics only"
        }
    }
    var tokenCreated: String { ISO8601.seconds(createdAt) }
    var tokenCreatedDay: String { RelativeTime.day(createdAt) }
    var tokenEnds: String? { expiresAt.map(ISO8601.seconds) }
    var tokenEndsDay: String? { expiresAt.map { RelativeTime.day($0) } }
    var isTokenExpired: Bool { expiresAt.map { $0 <= now } ?? false }
    var tokenUsed: String? { lastUsedAt.map(ISO8601.seconds) }
    var tokenUsedAgo: String? { lastUsedAt.map { RelativeTime.ago($0, now: now) } }
}
