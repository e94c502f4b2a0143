/// The final answer to a request.
public struct ClientResponse: Sendable {
    /// 200 to 599.
    public let status: Int
    public let headers: ClientHeaders
    /// Decompressed. Empty for HEAD, 204 and 304.
    public let body: [UInt8]
    /// Absolute and normalised, after redirects.
    public let finalURL: String
    /// The version that client and server agreed on.
    public let httpVersion: HTTPVersion
    /// True if the connection was already open or was opened for another request.
    let connectionReused: Bool

    /// The body as UTF-8; invalid bytes become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The same answer with another body and with each header's value changed.
    package func replacing(body: [UInt8], value: (String) -> String) -> ClientResponse {
        ClientResponse(
            status: status, headers: ClientHeaders(headers.fields.map { ($0.name, value($0.value)) }),
            body: body,
            finalURL: finalURL, httpVersion: httpVersion, connectionReused: connectionReused)
    }

    /// With its quotes, for the next request's `ifNoneMatch`.
    public var etag: String? { headers["ETag"] }
}

/// A version of HTTP.
public enum HTTPVersion: Sendable, Equatable {
    case http1, http1_1, http2
}

/// The header fields of an answer in order. Names are case-insensitive.
public struct ClientHeaders: Sendable {
    /// All fields in order.
    public private(set) var fields: [(name: String, value: String)] = []

    package init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// The first value of this name.
    public subscript(name: String) -> String? {
        let lowercaseName = name.lowercased()
        return fields.first { $0.name.lowercased() == lowercaseName }?.value
    }

    /// Returns all fields of this name in order: `Link` and `Set-Cookie` may occur several times.
    public func all(_ name: String) -> [String] {
        let lowercaseName = name.lowercased()
        return fields.filter { $0.name.lowercased() == lowercaseName }.map(\.value)
    }

    mutating func append(name: String, value: String) {
        fields.append((name, value))
    }

    /// A line that begins with white space continues the previous value (RFC 9112 section 5.2).
    mutating func continueLast(with text: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + text
    }
}

/// Reads header lines from libcurl and keeps those of the final answer.
///
/// Lines of 1xx answers and trailers arrive too, and are ignored.
struct HeaderBlock {
    private(set) var status = 0
    private(set) var headers = ClientHeaders()
    private(set) var isComplete = false
    /// Of all lines, including 1xx answers and trailers. libcurl 7.88 limits one line (100 KB), but not their sum.
    private(set) var bytes = 0

    static let limit = 262_144

    /// Reads a line with its line ending; returns false if the sum exceeds the limit.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
        bytes += line.count
        guard bytes <= Self.limit else { return false }
        guard !isComplete else { return true }
        let text = Self.trim(String(decoding: line, as: UTF8.self)[...])
        if text.isEmpty {
            isComplete = status >= 200
        } else if text.hasPrefix("HTTP/") {
            startAnswer(text)
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            headers.continueLast(with: String(text))
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = Self.trim(text[text.utf8.index(after: colon)...])
            headers.append(name: String(Self.trim(text[..<colon])), value: String(value))
        }
        return true
    }

    private mutating func startAnswer(_ line: Substring) {
        let parts = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        status = parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0
        headers = ClientHeaders()
    }

    private static func trim(_ text: Substring) -> Substring {
        // As scalars, because CR LF is a single Character.
        let blank: Set<Unicode.Scalar> = [" ", "\t", "\r", "\n"]
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !blank.contains($0) }),
            let last = scalars.lastIndex(where: { !blank.contains($0) })
        else { return "" }
        return text[first..<scalars.index(after: last)]
    }
}
