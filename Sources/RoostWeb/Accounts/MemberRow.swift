import Foundation
import TextFormats

/// One member, with what an owner can do about them.
struct MemberRow: Sendable {
    let id: String
    let person: PersonView
    let username: String
    let email: String?
    let isOwner: Bool
    let isYou: Bool
    let joinedAt: Date
    let lastSeenAt: Date?
    let accountData: AccountDataView
    let obstacle: String?
    let now: Date

    /// - Parameters:
    ///   - isYou: the owner who looks at the page
    ///   - lastSeenAt: in any session; nil if never
    ///   - accountData: what removing this member deletes
    ///   - obstacle: why this member can neither be removed nor made a plain member, a sentence: it is the
    ///     last owner
    init(
        id: String, person: PersonView, username: String, email: String? = nil, isOwner: Bool, isYou: Bool,
        joinedAt: Date, lastSeenAt: Date?, accountData: AccountDataView, obstacle: String? = nil, now: Date
    ) {
        self.id = id
        self.person = person
        self.username = username
        self.email = email
        self.isOwner = isOwner
        self.isYou = isYou
        self.joinedAt = joinedAt
        self.lastSeenAt = lastSeenAt
        self.accountData = accountData
        self.obstacle = obstacle
        self.now = now
    }

    var memberId: String { PathSegment(id).description }
    var member: PersonView { person }
    var memberJoined: String { ISO8601.seconds(joinedAt) }
    var memberJoinedDay: String { RelativeTime.day(joinedAt) }
    var memberSeen: String? { lastSeenAt.map(ISO8601.seconds) }
    var memberSeenAgo: String? { lastSeenAt.map { RelativeTime.ago($0, now: now) } }
}
