import Glibc

/// An IPv4 or IPv6 address, and whether it belongs to the public Internet.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    private enum Number: Hashable { case v4(UInt32), v6(UInt128) }
    private let number: Number

    /// Reads `192.0.2.1` or `2001:db8::1`, without brackets or zone.
    package init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            number = .v4(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            number = .v6(Self.value(of: v6))
        } else {
            return nil
        }
    }

    /// Reads what `connect` is about to be given; `nil` for another family or a short structure.
    init?(_ address: UnsafePointer<sockaddr>, length: Int) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            number = .v4(UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            number = .v6(Self.value(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr))
        default: return nil
        }
    }

    /// False for private, loopback, link-local, shared (CGNAT), multicast, unspecified, documentation and
    /// other special addresses, for tunnels that hide an IPv4 address (mapped, 6to4, Teredo), and for NAT64
    /// of one that is itself not public. Source: IANA's special-purpose address registries for IPv4 and IPv6
    /// (RFC 6890).
    package var isPublic: Bool {
        switch number {
        case .v4(let value): return !Self.special4.contains { value >> (32 - $0.bits) == $0.prefix }
        case .v6(let value):
            // RFC 6052: on a network without IPv4 every IPv4 site has such an address.
            if value >> 32 == 0x0064_ff9b << 64 {
                return IPAddress(number: .v4(UInt32(truncatingIfNeeded: value))).isPublic
            }
            // Outside 2000::/3 nothing is global unicast.
            return value >> 125 == 1 && !Self.special6.contains { value >> (128 - $0.bits) == $0.prefix }
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch number {
        case .v4(let value):
            var bytes = value.bigEndian
            inet_ntop(AF_INET, &bytes, &text, UInt32(text.count))
        case .v6(let value):
            var bytes = value.bigEndian
            inet_ntop(AF_INET6, &bytes, &text, UInt32(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private init(number: Number) {
        self.number = number
    }

    private static func value(of address: in6_addr) -> UInt128 {
        withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    }
}

extension IPAddress {
    private static func v4(_ a: UInt32, _ b: UInt32, _ c: UInt32, bits: Int) -> (prefix: UInt32, bits: Int) {
        ((a << 24 | b << 16 | c << 8) >> (32 - bits), bits)
    }

    private static let special4 = [
        v4(0, 0, 0, bits: 8),  // this network, unspecified
        v4(10, 0, 0, bits: 8),  // private
        v4(100, 64, 0, bits: 10),  // shared between a provider and its customers (CGNAT)
        v4(127, 0, 0, bits: 8),  // loopback
        v4(169, 254, 0, bits: 16),  // link-local; clouds keep their metadata service here
        v4(172, 16, 0, bits: 12),  // private
        v4(192, 0, 0, bits: 24),  // IETF protocol assignments
        v4(192, 0, 2, bits: 24),  // documentation
        v4(192, 88, 99, bits: 24),  // 6to4 relays, withdrawn
        v4(192, 168, 0, bits: 16),  // private
        v4(198, 18, 0, bits: 15),  // benchmarks
        v4(198, 51, 100, bits: 24),  // documentation
        v4(203, 0, 113, bits: 24),  // documentation
        v4(224, 0, 0, bits: 4),  // multicast
        v4(240, 0, 0, bits: 4),  // reserved, broadcast
    ]

    /// `high`: the first 32 bits.
    private static func v6(_ high: UInt128, bits: Int) -> (prefix: UInt128, bits: Int) {
        ((high << 96) >> (128 - bits), bits)
    }

    /// Within 2000::/3, which alone is let through.
    private static let special6 = [
        v6(0x2001_0000, bits: 23),  // IETF protocol assignments: Teredo, benchmarks, ORCHID
        v6(0x2001_0db8, bits: 32),  // documentation
        v6(0x2002_0000, bits: 16),  // 6to4: any IPv4 address inside
        v6(0x3fff_0000, bits: 20),  // documentation (RFC 9637)
    ]
}
