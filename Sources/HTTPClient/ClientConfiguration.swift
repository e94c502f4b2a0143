/// What all requests of one client share.
package struct ClientConfiguration: Sendable {
    /// A PEM file of the authorities to trust instead of the system's; `nil`: the system's.
    var certificateAuthority: String?
    /// Open connections to one host and port; a request past it waits, within its own total timeout.
    var connectionsPerHost = 32
    /// Open connections in all; likewise.
    package var connections = 512
    /// Open connections, busy ones among them, above which one that becomes idle is closed instead of kept
    /// for the next request.
    var idleConnections = 64
    /// `nil`: what the environment names (`https_proxy`, `no_proxy`); empty: none. Loopback and
    /// `publicAddressesOnly` never go through one.
    package var proxy: String?
    /// What `publicAddressesOnly` lets through; another rule is for demonstrations and tests, whose
    /// strangers' servers are on loopback. Called on the client's thread: must not block.
    var countsAsPublic: @Sendable (IPAddress) -> Bool = { $0.isPublic }
    /// Hosts in lower case that `publicAddressesOnly` finds at these addresses, which need not be public, and nowhere else;
    /// no other host is let through to them. For demonstrations and tests.
    package var hostMap: [String: HostTarget] = [:]

    package init() {}
}
