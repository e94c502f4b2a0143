/// A range of addresses in CIDR notation: "10.0.0.0/8", "fd00::/8", or one address alone (RFC 4632).
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let start: IPAddress
    private let bits: Int

    /// Returns nil if the text is not an address or the prefix is too long for it. Host bits are ignored.
    package init?(_ text: String) {
        let parts = text.splitBytes(at: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let written = IPAddress(String(first)) else {
            return nil
        }
        start = written.unmapped
        guard parts.count == 2 else {
            bits = start.bitCount
            return
        }
        let length = parts[1]
        guard (1...3).contains(length.utf8.count), length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(length)
        else { return nil }
        // "::ffff:10.0.0.0/104" is 10.0.0.0/8.
        bits = number - (written.bitCount - start.bitCount)
        guard (0...start.bitCount).contains(bits) else { return nil }
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == start.isIPv4 && (address.number ^ start.number) >> (start.bitCount - bits) == 0
    }

    package var description: String { bits == start.bitCount ? "\(start)" : "\(start)/\(bits)" }
}
