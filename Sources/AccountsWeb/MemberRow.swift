import Foundation
import RoostWeb
import TextFormats

struct MemberRow: Sendable {
    let id: String
    let person: PersonView
    let username: String
    var email: String?
    let isOwner: Bool
    let isYou: Bool
    let joinedAt: Date
    let lastSeenAt: Date?
    let accountData: AccountDataView
    /// A sentence that says why the last owner can be neither removed nor demoted.
    var obstacle: String?
    let now: Date

    var memberId: String { PathSegment(id).description }
    var memberJoined: String { ISO8601.seconds(joinedAt) }
    var memberJoinedDay: String { RelativeTime.day(joinedAt) }
    var memberSeen: String? { lastSeenAt.map(ISO8601.seconds) }
    var memberSeenAgo: String? { lastSeenAt.map { RelativeTime.ago($0, now: now) } }
}
