package import Foundation
import TextFormats

/// One member, with what an owner can do about them.
package struct MemberRow: Sendable {
    package let id: String
    package let person: PersonView
    package let username: String
    package let email: String?
    package let isOwner: Bool
    package let isYou: Bool
    package let joinedAt: Date
    package let lastSeenAt: Date?
    package let accountData: AccountDataView
    package let obstacle: String?
    package let now: Date

    /// - Parameters:
    ///   - isYou: the owner who looks at the page
    ///   - lastSeenAt: in any session; nil if never
    ///   - accountData: what removing this member deletes
    ///   - obstacle: why this member can neither be removed nor made a plain member, a sentence: it is the
    ///     last owner
    package init(
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

    package static let samples = [
        MemberRow(
            id: "1", person: .sample, username: "ada", email: "ada@example.org", isOwner: true, isYou: true,
            joinedAt: .sample - 86_400 * 90, lastSeenAt: .sample - 4, accountData: .sample,
            obstacle: "Roost needs an owner: make somebody else one first.", now: .sample),
        MemberRow(
            id: "2", person: PersonView(name: "Grace Hopper"), username: "grace", isOwner: false,
            isYou: false, joinedAt: .sample - 86_400 * 30, lastSeenAt: .sample - 7_300,
            accountData: .sample, now: .sample),
        MemberRow(
            id: "3", person: PersonView(name: "The very long name of somebody who could not decide"),
            username: "the-very-long-name-of-somebody-who-could-not-decide",
            email: "a.rather.long.address@mail.department.university.example", isOwner: false, isYou: false,
            joinedAt: .sample - 86_400 * 2, lastSeenAt: nil, accountData: .sample, now: .sample),
    ]

    var memberId: String { PathSegment(id).description }
    var member: PersonView { person }
    var memberUsername: String { username }
    var memberEmail: String? { email }
    var isMemberOwner: Bool { isOwner }
    var memberJoined: String { ISO8601.seconds(joinedAt) }
    var memberJoinedDay: String { RelativeTime.day(joinedAt) }
    var memberSeen: String? { lastSeenAt.map(ISO8601.seconds) }
    var memberSeenAgo: String? { lastSeenAt.map { RelativeTime.ago($0, now: now) } }
}
