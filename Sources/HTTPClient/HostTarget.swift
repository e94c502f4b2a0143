/// Where a host really is, whatever the name servers say: for demonstrations and tests.
package struct HostTarget: Sendable, Equatable {
    package let address: IPAddress
    package let port: Int

    package init(address: IPAddress, port: Int) {
        self.address = address
        self.port = port
    }

    /// Reads "127.0.0.1:8081" and "[::1]:8081"; nil for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = bytes[..<colon]
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
        }
        let digits = bytes[(colon + 1)...]
        guard let address = IPAddress(String(decoding: host, as: UTF8.self)), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port)
        else { return nil }
        self.init(address: address, port: port)
    }

    /// As libcurl takes it: an IPv6 address in brackets.
    var text: String {
        let text = address.description
        return (text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]" : text) + ":\(port)"
    }
}
