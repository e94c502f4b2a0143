/// A range of addresses in CIDR notation: "10.0.0.0/8", "fd00::/8", or one address alone (RFC 4632).
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let start: NetworkAddress
    private let bits: Int

    /// Nil if the text is not an address or the length is more than the address has; bits after the length are ignored.
    package init?(_ text: String) {
        let parts = text.splitBytes(at: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, !first.containsBytes("%"),
            let address = NetworkAddress(String(first))
        else { return nil }
        let bitCount = address.bytes.count * 8
        guard parts.count == 2 else {
            (start, bits) = (address, bitCount)
            return
        }
        let length = parts[1]
        guard (1...3).contains(length.utf8.count), length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            var bits = Int(length)
        else { return nil }
        // "::ffff:10.0.0.0/104" is 10.0.0.0/8.
        if address.isIPv4, first.containsBytes(":") { bits -= NetworkAddress.mapped.count * 8 }
        guard (0...bitCount).contains(bits) else { return nil }
        (start, self.bits) = (address, bits)
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == start.bytes.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard address.bytes[..<whole] == start.bytes[..<whole] else { return false }
        return rest == 0 || (address.bytes[whole] ^ start.bytes[whole]) >> (8 - rest) == 0
    }

    package var description: String {
        bits == start.bytes.count * 8 ? "\(start)" : "\(start)/\(bits)"
    }
}
