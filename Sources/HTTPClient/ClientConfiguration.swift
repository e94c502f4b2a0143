/// What all requests of one client share.
package struct ClientConfiguration: Sendable {
    /// A PEM file of the authorities to trust instead of the system's; `nil`: the system's.
    package var certificateAuthority: String?
    /// Open connections to one host and port; a request past it waits, within its own total timeout.
    package var connectionsPerHost = 64
    /// Open connections in all; likewise.
    package var connections = 512
    /// Connections kept open, when nothing runs on them, for the next request.
    package var idleConnections = 32

    package init() {}
}
