/// The address that a server listens on, as operators write it.
package enum ListenAddress {
    /// Completes a port without an address, "8080" or ":8080", to "127.0.0.1:8080"; other text stays as it is.
    ///
    /// Both mean loopback, although some servers listen on all addresses for ":8080": opening a server to the network
    /// takes an explicit address, such as "0.0.0.0:8080".
    package static func completed(_ text: String) -> String {
        let port = text.hasPrefix(":") ? text.dropFirst() : text[...]
        guard UInt16(port) != nil, port.utf8.allSatisfy(isDigit) else { return text }
        return "127.0.0.1:\(port)"
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
