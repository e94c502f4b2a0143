/// Where a request comes from, as far as signing in cares.
package struct Origin: Sendable, Equatable {
    package let address: String
    package let device: String
    /// True for a browser on the machine that Roost runs on, which no stranger can lock out.
    package let isOnThisMachine: Bool

    package init(address: String, device: String = "", isOnThisMachine: Bool = false) {
        self.address = address
        self.device = device
        self.isOnThisMachine = isOnThisMachine
    }

    /// The command line on this machine.
    package static let commandLine = Origin(address: "command line", isOnThisMachine: true)
}
