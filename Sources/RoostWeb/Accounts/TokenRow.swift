package import Accounts
package import Foundation
import TextFormats

/// A token in full, this once.
package struct NewTokenView: Sendable {
    package let name: String
    package let secret: String

    package init(name: String, secret: String) {
        self.name = name
        self.secret = secret
    }

    package static let sample = NewTokenView(
        name: "Backup script", secret: "roost_q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eUoI5xTqVwZ4k")

    var newTokenName: String { self.name }
    var newTokenSecret: String { secret }
}

/// One token, without its secret.
package struct TokenRow: Sendable {
    package let id: String
    package let name: String
    package let scope: APIToken.Scope
    package let createdAt: Date
    package let expiresAt: Date?
    package let lastUsedAt: Date?
    package let now: Date

    /// - Parameter expiresAt: nil never
    package init(
        id: String, name: String, scope: APIToken.Scope, createdAt: Date, expiresAt: Date?, lastUsedAt: Date?,
        now: Date
    ) {
        self.id = id
        self.name = name
        self.scope = scope
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.now = now
    }

    package static let samples = [
        TokenRow(
            id: "1", name: "Backup script", scope: .read, createdAt: .sample,
            expiresAt: .sample + 86_400 * 90, lastUsedAt: nil, now: .sample),
        TokenRow(
            id: "2", name: "Home automation", scope: .write, createdAt: .sample - 86_400 * 40,
            expiresAt: nil, lastUsedAt: .sample - 43, now: .sample),
        TokenRow(
            id: "3", name: "Something with a long name that I made when I tried the interface",
            scope: .metrics, createdAt: .sample - 86_400 * 100, expiresAt: .sample - 86_400 * 10,
            lastUsedAt: .sample - 86_400 * 30, now: .sample),
    ]

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
