/// A link that somebody else is to open, perhaps on another machine.
package struct SharedLink: Sendable, Equatable {
    /// In full: "http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH".
    package let address: String
    /// The same link with other addresses of this machine, which may be reached where the first is not.
    package let others: [String]
    /// Why only this machine can open it, and how to change that; nil if others can.
    package let obstacle: String?

    init(address: String, others: [String] = [], obstacle: String? = nil) {
        self.address = address
        self.others = others
        self.obstacle = obstacle
    }

    var hasOthers: Bool { !others.isEmpty }
}
