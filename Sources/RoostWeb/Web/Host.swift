/// The name in a `Host` header, and whether an attacker could point it at this server (DNS rebinding).
package struct Host: Sendable, Equatable {
    package let name: String

    /// Reads "localhost:8080", "192.168.1.20", "[::1]:8080".
    package init(_ header: String) {
        // ASCII only, as browsers send it.
        let text = header.utf8.allSatisfy { $0 < 0x80 } ? header.lowercased() : ""
        let end = text.hasPrefix("[") ? text.utf8.firstIndex(of: UInt8(ascii: "]")) : nil
        let rest =
            end.map { text[text.index(after: $0)...] } ?? text.utf8.firstIndex(of: UInt8(ascii: ":")).map {
                text[$0...]
            } ?? ""
        guard Self.isPort(rest) else {
            name = ""
            return
        }
        let host = text.dropLast(rest.count)
        name =
            end == nil
            ? String(host.hasSuffix(".") ? host.dropLast() : host) : String(host.dropFirst().dropLast())
    }

    /// "" or ":8080"
    private static func isPort(_ text: some StringProtocol) -> Bool {
        text.isEmpty
            || (text.hasPrefix(":") && text.utf8.count <= 6
                && text.utf8.dropFirst().allSatisfy { (48...57).contains($0) })
    }

    package var isLoopback: Bool {
        name == "localhost" || name.hasSuffix(".localhost") || name == "::1"
            || (isIPv4 && name.hasPrefix("127."))
    }

    /// Loopback names, literal addresses and `*.local`, none of which public DNS resolves.
    package var isOurs: Bool {
        isLoopback || isIPv4 || isIPv6 || name.hasSuffix(".local")
    }

    private var isIPv4: Bool {
        let parts = name.splitBytes(at: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    private var isIPv6: Bool {
        name.containsBytes(":") && name.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" }
    }
}
