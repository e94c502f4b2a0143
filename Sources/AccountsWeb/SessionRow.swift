import Foundation
import RoostWeb
import TextFormats

struct SessionRow: Sendable {
    let id: String
    /// The user, on the owners' page of all sessions; nil on the user's own page.
    var person: PersonView?
    /// "Firefox on Linux".
    let device: String
    let address: String
    let startedAt: Date
    let lastSeenAt: Date
    var isThis = false
    let now: Date

    var sessionId: String { PathSegment(id).description }
    var started: String { ISO8601.seconds(startedAt) }
    var startedDay: String { RelativeTime.day(startedAt) }
    var active: String { ISO8601.seconds(lastSeenAt) }
    var activeAgo: String { RelativeTime.ago(lastSeenAt, now: now) }
}
