/// Where a request comes from, as far as signing in cares.
package struct ClientInfo: Sendable, Equatable {
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
    package static let commandLine = ClientInfo(address: "command line", isOnThisMachine: true)
}
