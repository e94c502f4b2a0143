package import Foundation
import TextFormats

/// One browser in which somebody is signed in.
package struct SessionRow: Sendable {
    package let id: String
    package let person: PersonView?
    package let device: String
    package let address: String
    package let startedAt: Date
    package let lastSeenAt: Date
    package let isThis: Bool
    package let now: Date

    /// - Parameters:
    ///   - person: whose it is, on the owners' page of all; nil among one's own
    ///   - device: "Firefox on Linux"
    ///   - address: the IP address it was last seen at
    ///   - isThis: it is the one that asks for the page
    package init(
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

    package static let samples = [
        SessionRow(
            id: "1", device: "Firefox on Linux", address: "192.168.1.7", startedAt: .sample - 86_400 * 12,
            lastSeenAt: .sample - 4, isThis: true, now: .sample),
        SessionRow(
            id: "2", device: "Safari on iPhone", address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            startedAt: .sample - 86_400 * 3, lastSeenAt: .sample - 7_300, now: .sample),
        SessionRow(
            id: "3", device: "Unknown device", address: "192.168.1.31", startedAt: .sample - 86_400 * 28,
            lastSeenAt: .sample - 86_400 * 9, now: .sample),
    ]

    var sessionId: String { PathSegment(id).description }
    var holder: PersonView? { person }
    var sessionAddress: String { address }
    var started: String { ISO8601.seconds(startedAt) }
    var startedDay: String { RelativeTime.day(startedAt) }
    var active: String { ISO8601.seconds(lastSeenAt) }
    var activeAgo: String { RelativeTime.ago(lastSeenAt, now: now) }
    var isThisSession: Bool { isThis }
}
