package import Foundation

/// A browser that is signed in; of its cookie only the hash is kept.
package struct Session: Equatable, Sendable, Identifiable {
    package let id: Int64
    package let userId: UserID
    package let createdAt: Date
    package var lastSeenAt: Date
    /// From where it was last seen: "192.168.1.7".
    package var address: String
    /// "Firefox on Linux"
    package let device: String

    /// A session that nobody has used for so long is over: thirty days, in seconds.
    package static let idleLimit: TimeInterval = 30 * 86_400

    package func isOver(at now: Date) -> Bool { now.timeIntervalSince(lastSeenAt) > Self.idleLimit }
}

/// Where a request comes from, as far as signing in cares.
package struct Origin: Sendable, Equatable {
    package let address: String
    package let device: String
    /// True for a browser on the machine that Roost runs on.
    package let isOnThisMachine: Bool
    /// What the browser shows to prove that somebody has signed in on it before: the device cookie's secrets.
    package let deviceSecrets: [String]

    package init(
        address: String, device: String = "", isOnThisMachine: Bool = false, deviceSecrets: [String] = []
    ) {
        self.address = address
        self.device = device
        self.isOnThisMachine = isOnThisMachine
        self.deviceSecrets = deviceSecrets
    }

    /// The command line on this machine.
    package static let commandLine = Origin(address: "command line", isOnThisMachine: true)
}
