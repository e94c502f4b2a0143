import HTTPServer
import TextFormats

/// The untrusted contents of a request's forwarding headers.
struct ForwardedHops: Equatable {
    /// From the first client to the nearest proxy's client; nil for an address that is hidden, unknown or malformed.
    package var clients: [IPAddress?] = []
    /// From the nearest proxy; nil if missing or not a valid `Host` header.
    package var host: String?
    package var isSecure: Bool?

    package init() {}

    /// Reads `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto`; returns nil without any of them.
    package init?(commonHeadersOf headers: Headers) {
        let clients = Self.items(headers, "X-Forwarded-For")
        let hosts = Self.items(headers, "X-Forwarded-Host")
        let schemes = Self.items(headers, "X-Forwarded-Proto")
        guard clients != nil || hosts != nil || schemes != nil else { return nil }
        self.clients = (clients ?? []).map(Self.address)
        host = hosts?.last.flatMap(Self.host)
        isSecure = schemes?.last.flatMap(Self.isSecure)
    }

    /// Reads `Forwarded` (RFC 7239); returns nil without it. One malformed element invalidates the whole header,
    /// because a client's quotation mark could swallow what the proxy appended.
    package init?(standardHeaderOf headers: Headers) {
        let values = headers.all("Forwarded")
        guard !values.isEmpty else { return nil }
        guard let elements = ForwardedElements.parse(values.joined(separator: ",")) else { return }
        clients = elements.map { $0["for"].flatMap(Self.address) }
        host = elements.last?["host"].flatMap(Self.host)
        isSecure = elements.last?["proto"].flatMap(Self.isSecure)
    }

    private static func items(_ headers: Headers, _ name: String) -> [String]? {
        let values = headers.all(name)
        guard !values.isEmpty else { return nil }
        return values.joined(separator: ",").splitBytes(at: ",", omittingEmptySubsequences: false).map {
            $0.trimmingSpace
        }
    }

    /// Parses "192.0.2.1", "192.0.2.1:4711", "2001:db8::1" or "[2001:db8::1]:4711".
    package static func address(_ text: String) -> IPAddress? {
        if text.hasPrefix("[") {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")),
                isPort(text[text.utf8.index(after: end)...])
            else { return nil }
            let inner = text[..<end].dropFirst()
            return inner.containsBytes(":") ? IPAddress(client: String(inner)) : nil
        }
        let parts = text.splitBytes(at: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return IPAddress(client: text) }
        return isPort(text[parts[0].endIndex...]) ? IPAddress(client: String(parts[0])) : nil
    }

    /// "", ":4711" or ":_hidden".
    private static func isPort(_ text: Substring) -> Bool {
        guard let colon = text.first else { return true }
        return colon == ":" && text.utf8.count > 1 && text.utf8.count <= 33
            && text.dropFirst().allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0))
            }
    }

    private static func host(_ text: String) -> String? {
        guard let url = PublicURL("http://" + text), !text.hasSuffix("/") else { return nil }
        // The "http://" URL omits port 80, which the browser sends if it is on HTTPS.
        return text.hasSuffix(":80") ? text.lowercased() : url.authority
    }

    private static func isSecure(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "https": true
        case "http": false
        default: nil
        }
    }
}

extension Substring {
    fileprivate var trimmingSpace: String {
        let start = utf8.drop { $0 == 0x20 || $0 == 0x09 }
        guard let last = start.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
        return String(self[start.startIndex..<utf8.index(after: last)])
    }
}

/// Parses a `Forwarded` header (RFC 7239 section 4): elements between commas, pairs between semicolons.
struct ForwardedElements {
    private var rest: Substring.UTF8View

    /// Returns each element's pairs by name in lower case, or nil if the text is malformed or repeats a name.
    package static func parse(_ text: String) -> [[String: String]]? {
        var parser = ForwardedElements(rest: text[...].utf8)
        var elements: [[String: String]] = []
        while true {
            parser.skipSpace()
            // Empty list elements are ignored (RFC 9110 section 5.6.1.2).
            if parser.consume(",") { continue }
            if parser.rest.isEmpty { return elements }
            guard let element = parser.element() else { return nil }
            elements.append(element)
            parser.skipSpace()
            guard parser.rest.isEmpty || parser.consume(",") else { return nil }
        }
    }

    private mutating func element() -> [String: String]? {
        var pairs: [String: String] = [:]
        repeat {
            // The grammar does not allow a space here, but several proxies write one.
            skipSpace()
            guard let name = token(), consume("="), let value = consume("\"") ? quoted() : token(),
                pairs.updateValue(value, forKey: name.lowercased()) == nil
            else { return nil }
        } while consume(";")
        return pairs
    }

    /// RFC 9110 section 5.6.2.
    private mutating func token() -> String? {
        let token = rest.prefix { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        guard !token.isEmpty else { return nil }
        rest = rest.dropFirst(token.count)
        return String(token)
    }

    /// Reads from after the opening quotation mark to the closing one (RFC 9110 section 5.6.4).
    private mutating func quoted() -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            bytes.append(escaped)
        }
        return nil
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }
}
