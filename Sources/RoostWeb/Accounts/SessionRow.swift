import Foundation
import TextFormats

/// One browser in which somebody is signed in.
struct SessionRow: Sendable {
    let id: String
    let person: PersonView?
    let device: String
    let address: String
    let startedAt: Date
    let lastSeenAt: Date
    let isThis: Bool
    let now: Date

    /// - Parameters:
    ///   - person: whose it is, on the owners' page of all; nil among one's own
    ///   - device: "Firefox on Linux"
    ///   - address: the IP address it was last seen at
    ///   - isThis: it is the one that asks for the page
    init(
        id: String, person: PersonView? = nil, device: String, address: String, startedAt: Date,
        lastSeenAt: Date, isThis: Bool = false, now: Date
    ) {
        self.id = id
        self.person = person
        self.device = device
        self.address = address
        self.startedAt = startedAt
        self.lastSeenAt = lastSeenAt
        self.isThis = isThis
        self.now = now
    }

    var sessionId: String { PathSegment(id).description }
    var holder: PersonView? { person }
    var started: String { ISO8601.seconds(startedAt) }
    var startedDay: String { RelativeTime.day(startedAt) }
    var active: String { ISO8601.seconds(lastSeenAt) }
    var activeAgo: String { RelativeTime.ago(lastSeenAt, now: now) }
}
