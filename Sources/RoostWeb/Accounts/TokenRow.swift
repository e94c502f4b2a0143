import Accounts
import Foundation
import TextFormats

/// A token in full, this once.
struct NewTokenView: Sendable {
    let name: String
    let secret: String

    var newTokenName: String { self.name }
}

/// One token, without its secret.
struct TokenRow: Sendable {
    let id: String
    let name: String
    let scope: APIToken.Scope
    let createdAt: Date
    /// Nil never.
    let expiresAt: Date?
    let lastUsedAt: Date?
    let now: Date

    var tokenId: String { PathSegment(id).description }
    var tokenName: String { self.name }
    var tokenScope: String {
        switch scope {
        case .read: "reads"
        case .write: "reads and writes"
        case .metrics: "reads the metrics"
        }
    }
    var tokenMade: String { ISO8601.seconds(createdAt) }
    var tokenMadeDay: String { RelativeTime.day(createdAt) }
    var tokenEnds: String? { expiresAt.map(ISO8601.seconds) }
    var tokenEndsDay: String? { expiresAt.map { RelativeTime.day($0) } }
    var isTokenOver: Bool { expiresAt.map { $0 <= now } ?? false }
    var tokenUsed: String? { lastUsedAt.map(ISO8601.seconds) }
    var tokenUsedAgo: String? { lastUsedAt.map { RelativeTime.ago($0, now: now) } }
}
