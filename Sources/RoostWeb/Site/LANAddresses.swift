import Foundation
package import TextFormats

/// Addresses at which other machines reach this one, for links that are made on loopback and opened elsewhere.
package enum LANAddresses {
    package struct Interface: Sendable, Equatable {
        package let name: String
        package let address: IPAddress
    }

    /// Returns the addresses at which others reach a server that listens here, the best first: "192.168.1.20:8080",
    /// "[fd00::20]:8080", "nas.local:8080". Returns none for a server on loopback.
    package static func authorities(
        listening address: String, interfaces: [Interface] = interfaces(), hostName: String = hostName()
    ) -> [String] {
        guard let (own, port) = split(address) else { return [] }
        guard own.isUnspecified else { return own.isLoopback ? [] : [String(address)] }
        // A socket on [::] accepts IPv4 too.
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
        split(address)?.host.isUnspecified == true
    }

    /// Returns the host and ":8080", or nil if the host is not a literal address.
    private static func split(_ address: String) -> (host: IPAddress, port: Substring)? {
        guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")),
            let host = IPAddress(host: String(address[..<colon]))?.unmapped
        else { return nil }
        return (host, address[colon...])
    }

    static func interfaces() -> [Interface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap { entry in
            guard let entry = entry?.pointee, entry.ifa_flags & UInt32(IFF_UP) != 0,
                let address = entry.ifa_addr.flatMap({ IPAddress($0) })
            else { return nil }
            return Interface(name: String(cString: entry.ifa_name), address: address)
        }
    }

    package static func hostName() -> String { ProcessInfo.processInfo.hostName }

    /// Neither loopback nor link-local, which do not work in a link for others.
    private static func isUseful(_ address: IPAddress) -> Bool {
        address.isIPv4
            ? !local.contains { $0.contains(address) } : reachable.contains { $0.contains(address) }
    }

    private static let local = ["127.0.0.0/8", "169.254.0.0/16"].compactMap(AddressRange.init)
    /// Global unicast and unique local addresses.
    private static let reachable = ["2000::/3", "fc00::/7"].compactMap(AddressRange.init)

    /// The machine's multicast DNS name (RFC 6762), if the host name can be one.
    private static func localName(_ hostName: String) -> [String] {
        let label = hostName.prefix { $0 != "." }.lowercased()
        guard label != "localhost", PublicURL("http://\(label)") != nil, IPAddress(hostName) == nil
        else {
            return []
        }
        return [label + ".local"]
    }
}

extension LANAddresses.Interface {
    /// IPv4 first, because people can type it. Container bridges and tunnels last, because other machines cannot reach
    /// them.
    fileprivate var rank: Int {
        let isInner = ["docker", "br-", "veth", "virbr", "lxc", "cni", "tun", "tap", "wg"].contains {
            name.hasPrefix($0)
        }
        return (isInner ? 2 : 0) + (address.isIPv4 ? 0 : 1)
    }
}
