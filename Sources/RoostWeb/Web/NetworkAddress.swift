import Foundation

/// An IPv4 or IPv6 address; IPv4 within IPv6 (`::ffff:10.0.0.1`, RFC 4291 section 2.5.5.2) is the IPv4 address.
struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16, most significant first.
    let bytes: [UInt8]

    /// Reads "10.0.0.1", "2001:db8::1" and "fe80::1%eth0", whose zone is left out; nil for anything else.
    init?(_ text: String) {
        let plain = text.prefix { $0 != "%" }
        // The longest address has 45 characters; C would stop reading at a NUL.
        guard plain.utf8.count <= 45, !plain.utf8.contains(0),
            let bytes = Self.parse(String(plain), AF_INET, count: 4)
                ?? Self.parse(String(plain), AF_INET6, count: 16)
        else { return nil }
        self.bytes = bytes.starts(with: Self.mapped) && bytes.count == 16 ? Array(bytes[12...]) : bytes
    }

    var isIPv4: Bool { bytes.count == 4 }

    /// 127.0.0.0/8 and ::1.
    var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// In the one way of writing it (RFC 5952).
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    private static func parse(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
