/// Where a request comes from, as far as signing in cares.
package struct ClientInfo: Sendable, Equatable {
    package let address: String
    package let device: String
    /// True for a browser on the machine that Roost runs on.
    package let isOnThisMachine: Bool
    /// What the browser shows to prove that somebody has signed in on it before: the device cookie's secrets.
    package let deviceSecrets: [String]
    /// The code of the join or reset link that the browser opened last, as its cookie has it.
    package let linkCode: String?

    package init(
        address: String, device: String = "", isOnThisMachine: Bool = false, deviceSecrets: [String] = [],
        linkCode: String? = nil
    ) {
        self.address = address
        self.device = device
        self.isOnThisMachine = isOnThisMachine
        self.deviceSecrets = deviceSecrets
        self.linkCode = linkCode
    }

    /// The command line on this machine.
    package static let commandLine = ClientInfo(address: "command line", isOnThisMachine: true)
}
