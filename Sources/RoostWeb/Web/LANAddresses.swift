import Foundation

/// Addresses at which other machines reach this one, for links that are made on loopback and opened elsewhere.
package enum LANAddresses {
    /// An address of a network card that is up.
    package struct Interface: Sendable, Equatable {
        let name: String
        let address: NetworkAddress
    }

    /// Every address at which others reach a server that listens here, the best first: "192.168.1.20:8080",
    /// "[fd00::20]:8080", "nas.local:8080"; none for a server on loopback.
    static func places(
        listening address: String, interfaces: [Interface] = interfaces(), hostName: String = hostName()
    ) -> [String] {
        guard let (own, port) = split(address) else { return [] }
        guard isUnspecified(own) else { return own.isLoopback ? [] : [String(address)] }
        // A socket on [::] takes IPv4 as well.
        let reached = interfaces.filter { isUseful($0.address) && ($0.address.isIPv4 || !own.isIPv4) }
        let sorted = reached.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }
        let hosts = sorted.map {
            $0.element.address.isIPv4 ? "\($0.element.address)" : "[\($0.element.address)]"
        }
        return (hosts + localName(hostName)).map { $0 + port }
    }

    /// True for "0.0.0.0:8080" and "[::]:8080": a socket that listens on all addresses of this machine.
    static func isUnspecified(_ address: String) -> Bool {
        split(address).map { isUnspecified($0.host) } ?? false
    }

    private static func isUnspecified(_ host: NetworkAddress) -> Bool { host.bytes.allSatisfy { $0 == 0 } }

    /// The host and ":8080"; nil if the host is no literal address.
    private static func split(_ address: String) -> (host: NetworkAddress, port: Substring)? {
        guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")),
            let host = NetworkAddress(String(address[..<colon].filter { $0 != "[" && $0 != "]" }))
        else { return nil }
        return (host, address[colon...])
    }

    /// The addresses of this machine's network cards now.
    static func interfaces() -> [Interface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap { entry in
            guard let entry = entry?.pointee, entry.ifa_flags & UInt32(IFF_UP) != 0,
                let address = entry.ifa_addr,
                let text = text(of: address), let parsed = NetworkAddress(text)
            else { return nil }
            return Interface(name: String(cString: entry.ifa_name), address: parsed)
        }
    }

    /// This machine's own host name.
    static func hostName() -> String { ProcessInfo.processInfo.hostName }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Neither loopback nor link-local (169.254.0.0/16, fe80::/10), which a link cannot name for others.
    private static func isUseful(_ address: NetworkAddress) -> Bool {
        if address.isIPv4 { return !address.isLoopback && !address.bytes.starts(with: [169, 254]) }
        // Global unicast (2000::/3) and unique local addresses (fc00::/7).
        return address.bytes[0] & 0xE0 == 0x20 || address.bytes[0] & 0xFE == 0xFC
    }

    /// The machine's multicast DNS name (RFC 6762); nil if the host name cannot be one.
    private static func localName(_ hostName: String) -> [String] {
        let label = hostName.prefix { $0 != "." }.lowercased()
        guard label != "localhost", PublicURL("http://\(label)") != nil, NetworkAddress(hostName) == nil
        else {
            return []
        }
        return [label + ".local"]
    }
}

extension LANAddresses.Interface {
    /// IPv4 first, which people can type; container bridges and tunnels last, which other machines cannot reach.
    fileprivate var rank: Int {
        let isInner = ["docker", "br-", "veth", "virbr", "lxc", "cni", "tun", "tap", "wg"].contains {
            name.hasPrefix($0)
        }
        return (isInner ? 2 : 0) + (address.isIPv4 ? 0 : 1)
    }
}
