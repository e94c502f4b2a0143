/// The name in a `Host` header, and whether an attacker could point it at this server (DNS rebinding).
///
/// Read by bytes: every request is judged by it before anything else is done.
struct Host: Sendable, Equatable {
    private enum Kind { case loopback, address, local, other }

    let name: String
    private let kind: Kind

    /// Reads "localhost:8080", "192.168.1.20", "[::1]:8080"; "" for what is not a host's name and port.
    init(_ header: String) {
        var bytes = Array(header.utf8)
        for index in bytes.indices where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index]) {
            bytes[index] |= 0x20
        }
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
            : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        // ASCII only, as browsers send it.
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
        kind = Self.kind(host)
    }

    var isLoopback: Bool { kind == .loopback }

    /// Loopback names, literal addresses and `*.local`, none of which public DNS resolves.
    var isOurs: Bool { kind != .other }

    private static func kind(_ host: ArraySlice<UInt8>) -> Kind {
        if isIPv4(host) { return host.starts(with: "127.".utf8) ? .loopback : .address }
        if host.elementsEqual("localhost".utf8) || ends(host, with: ".localhost")
            || host.elementsEqual("::1".utf8)
        {
            return .loopback
        }
        if isIPv6(host) { return .address }
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

    private static func isIPv4(_ host: ArraySlice<UInt8>) -> Bool {
        guard host.first.map(isDigit) == true else { return false }
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(isDigit)
                    && part.reduce(0) { $0 * 10 + Int($1 - 48) } <= 255
            }
    }

    private static func isIPv6(_ host: ArraySlice<UInt8>) -> Bool {
        host.contains(UInt8(ascii: ":"))
            && host.allSatisfy { byte in
                isDigit(byte) || (97...102).contains(byte)
                    || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%")
            }
    }
}
