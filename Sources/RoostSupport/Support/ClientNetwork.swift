import Glibc

/// A visitor's address as far as it tells one neighbour from another.
package struct ClientNetwork: Equatable, Sendable {
    package let isLoopback: Bool
    /// The address itself; text that is no address stands for itself.
    package let neighbour: String
    /// Of an IPv6 address its /64: one neighbour can take as many addresses of it as he likes, and at home all
    /// neighbours share it.
    package let network: String?
    /// The address in hexadecimal digits: 8 of IPv4, 32 of IPv6; empty for text that is no address.
    package let digits: String

    package init(_ text: String) {
        let bare = String(text.prefix { $0 != "%" })
        var v4 = in_addr()
        if inet_pton(AF_INET, bare, &v4) == 1 {
            self.init(v4: withUnsafeBytes(of: v4) { Array($0) })
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, bare, &v6) == 1 else {
            self.init(isLoopback: false, neighbour: text, bytes: [])
            return
        }
        let bytes = withUnsafeBytes(of: v6) { Array($0) }
        if bytes.starts(with: Self.mapped) {
            self.init(v4: Array(bytes.suffix(4)))
            return
        }
        self.init(
            isLoopback: bytes == Self.loopback, neighbour: "\(bytes)", network: "\(bytes.prefix(8))",
            bytes: bytes)
    }

    private init(isLoopback: Bool, neighbour: String, network: String? = nil, bytes: [UInt8]) {
        self.isLoopback = isLoopback
        self.neighbour = neighbour
        self.network = network
        digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private init(v4 bytes: [UInt8]) {
        self.init(isLoopback: bytes[0] == 127, neighbour: "\(bytes)", bytes: bytes)
    }

    /// ::ffff:0:0/96, IPv4 inside IPv6 (RFC 4291, section 2.5.5.2).
    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    private static let loopback = [UInt8](repeating: 0, count: 15) + [1]
}
