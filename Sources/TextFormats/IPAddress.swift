package import Glibc

/// An IPv4 or IPv6 address, read and written by the C library.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 address is in the lowest 32 bits.
    let number: UInt128
    /// False for IPv6.
    public let isIPv4: Bool

    /// 0.0.0.0. A server that listens on it accepts connections on all addresses of the machine.
    public static let unspecified = IPAddress(number: 0, isIPv4: true)
    /// 127.0.0.1
    public static let loopback = IPAddress(number: 0x7F00_0001, isIPv4: true)

    /// Reads "192.0.2.1" or "2001:db8::1", without brackets or zone.
    public init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        // C would stop at a NUL.
        if text.utf8.contains(0) { return nil }
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// Reads the host of a web address: IPv6 may be in brackets.
    public init?(host: String) {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        self.init(isBracketed ? String(Substring(host.utf8.dropFirst().dropLast())) : host)
    }

    /// Reads the address of a client. Drops the zone of "fe80::1%eth0" and turns IPv4-mapped IPv6 into IPv4, so that
    /// each client has one address.
    package init?(client text: String) {
        guard let address = IPAddress(String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "%") }))) else {
            return nil
        }
        self = address.unmapped
    }

    /// Returns nil for a socket address that is neither IPv4 nor IPv6.
    package init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) {
        self.init(number: UInt128(UInt32(bigEndian: address.s_addr)), isIPv4: true)
    }

    private init(_ address: in6_addr) {
        self.init(
            number: withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) },
            isIPv4: false)
    }

    private init(number: UInt128, isIPv4: Bool) {
        (self.number, self.isIPv4) = (number, isIPv4)
    }

    /// The IPv4 address in an IPv4-mapped one (`::ffff:10.0.0.1`, RFC 4291 section 2.5.5.2); otherwise the same address.
    public var unmapped: IPAddress {
        let isMapped = !isIPv4 && number >> 32 == 0xFFFF
        return isMapped ? IPAddress(number: number & 0xFFFF_FFFF, isIPv4: true) : self
    }

    /// The canonical form (RFC 5952).
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            // IPv4 comes first in memory, as in `in_addr`.
            var bytes = (isIPv4 ? number << 96 : number).bigEndian
            let family = isIPv4 ? AF_INET : AF_INET6
            let written = inet_ntop(family, &bytes, text.baseAddress, socklen_t(text.count))
            return written.map { String(cString: $0) } ?? ""
        }
    }

    var bitCount: Int { isIPv4 ? 32 : 128 }

    /// 8 digits for IPv4, 32 for IPv6.
    package var hexadecimal: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: bitCount / 4 - digits.utf8.count) + digits
    }

    /// 0.0.0.0 and ::.
    public var isUnspecified: Bool { number == 0 }

    /// 127.0.0.0/8 and ::1.
    public var isLoopback: Bool { isIPv4 ? number >> 24 == 127 : number == 1 }

    /// True for "localhost" and loopback addresses, with IPv6 in brackets or without.
    package static func isLoopback(host: String) -> Bool {
        host == "localhost" || IPAddress(host: host)?.isLoopback == true
    }

    /// False for private, loopback, link-local, shared (CGNAT), multicast, unspecified, documentation and other special
    /// addresses, for tunnels that hide an IPv4 address (mapped, 6to4, Teredo), and for NAT64 of an address that is
    /// itself not public. Source: IANA's special-purpose address registries for IPv4 and IPv6 (RFC 6890).
    public var isPublic: Bool {
        // RFC 6052: on networks without IPv4, every IPv4 site has such an address.
        if !isIPv4, number >> 32 == 0x0064_ff9b << 64 {
            return IPAddress(number: number & 0xFFFF_FFFF, isIPv4: true).isPublic
        }
        // Only 2000::/3 is global unicast.
        return (isIPv4 || number >> 125 == 1) && !Self.special.contains { $0.contains(self) }
    }

    private static let special = [
        "0.0.0.0/8",  // this network, unspecified
        "10.0.0.0/8",  // private
        "100.64.0.0/10",  // shared between a provider and its customers (CGNAT)
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local; clouds keep their metadata service here
        "172.16.0.0/12",  // private
        "192.0.0.0/24",  // IETF protocol assignments
        "192.0.2.0/24",  // documentation
        "192.88.99.0/24",  // 6to4 relays, withdrawn
        "192.168.0.0/16",  // private
        "198.18.0.0/15",  // benchmarks
        "198.51.100.0/24",  // documentation
        "203.0.113.0/24",  // documentation
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4",  // reserved, broadcast
        // Within 2000::/3, because all other addresses are refused anyway.
        "2001::/23",  // IETF protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  // documentation
        "2002::/16",  // 6to4: any IPv4 address inside
        "3fff::/20",  // documentation (RFC 9637)
    ].compactMap(AddressRange.init)
}
