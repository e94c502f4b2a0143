import TextFormats

/// The name in a `Host` header, and whether an attacker could point it at this server (DNS rebinding).
///
/// Works on bytes for speed, because every request is checked first.
package struct Host: Sendable, Equatable {
    private enum Kind { case loopback, address, local, other }

    package let name: String
    private let kind: Kind

    /// Parses "localhost:8080", "192.168.1.20" or "[::1]:8080". `name` is "" if the header is malformed.
    package init(_ header: String) {
        var bytes = Array(header.utf8)
        for index in bytes.indices where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index]) {
            bytes[index] |= 0x20
        }
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
            : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        // Browsers send ASCII only.
        guard let end, Self.isPort(bytes[end...]), bytes.allSatisfy({ $0 < 0x80 }) else {
            (name, kind) = ("", .other)
            return
        }
        var host = bytes[..<end]
        if isBracketed {
            host = host.dropFirst().dropLast()
        } else if host.last == UInt8(ascii: ".") {
            host = host.dropLast()
        }
        name = String(decoding: host, as: UTF8.self)
        // Some clients send the zone of a link-local address.
        let address = IPAddress(isBracketed ? String(name.prefix { $0 != "%" }) : name)
        kind = address.map { $0.isLoopback ? .loopback : .address } ?? Self.kind(host)
    }

    package var isLoopback: Bool { kind == .loopback }

    /// Loopback names, literal addresses and `*.local`. Public DNS resolves none of them.
    package var isRebindingSafe: Bool { kind != .other }

    private static func kind(_ host: ArraySlice<UInt8>) -> Kind {
        if host.elementsEqual("localhost".utf8) || ends(host, with: ".localhost") { return .loopback }
        return ends(host, with: ".local") ? .local : .other
    }

    /// "" or ":8080"
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.first else { return true }
        return colon == UInt8(ascii: ":") && bytes.count <= 6 && bytes.dropFirst().allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func ends(_ host: ArraySlice<UInt8>, with end: String) -> Bool {
        host.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
