import Glibc

/// The address at the other end of the connection, without its port.
package struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// "127.0.0.1", "::1", "192.168.1.7"; IPv4 over an IPv6 socket is written as IPv4.
    package let description: String

    package init(_ description: String) {
        let mapped = "::ffff:"
        let isMapped =
            description.lowercased().hasPrefix(mapped) && description.utf8.contains(UInt8(ascii: "."))
        self.description = isMapped ? String(description.dropFirst(mapped.count)) : description
    }

    init(of address: UnsafePointer<sockaddr>) { self.init(SocketAddress(copying: address).host) }

    init(of connection: OpaquePointer) { self.init(SocketAddress.ofClient(connection)?.host ?? "") }

    /// Whether the client runs on this machine: 127.0.0.0/8 and ::1.
    package var isLoopback: Bool { description.hasPrefix("127.") || description == "::1" }
}
