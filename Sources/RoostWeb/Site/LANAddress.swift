import Foundation

/// Where other machines reach this one: needed for a link that is made on loopback and opened on a screen.
enum LANAddress {
    /// "192.168.1.20:8080" for a server that listens on all addresses, nil for any other.
    static func of(listening address: String) -> String? {
        guard let colon = address.lastIndex(of: ":") else { return nil }
        let host = address[..<colon]
        guard host == "0.0.0.0" || host == "[::]", let own = firstIPv4() else { return nil }
        return own + address[colon...]
    }

    /// The first IPv4 address of an interface that is up and is not loopback.
    private static func firstIPv4() -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            let isUp = interface.ifa_flags & UInt32(IFF_UP) != 0
            let isLoopback = interface.ifa_flags & UInt32(IFF_LOOPBACK) != 0
            guard isUp, !isLoopback, let address = interface.ifa_addr, address.pointee.sa_family == AF_INET
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            if getnameinfo(address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        return nil
    }
}
