/// The final answer, whole: what was redirected or merely informational is not in it.
package struct ClientResponse: Sendable {
    package let status: Int
    package let headers: ClientHeaders
    /// Decoded: gzip, deflate, brotli and zstd are undone. Empty for HEAD, 204 and 304.
    package let body: [UInt8]
    /// Absolute, after redirects, normalised.
    package let finalURL: String
    let httpVersion: HTTPVersion
    /// The answer came over a connection that an earlier request, or another running one, had opened.
    let connectionReused: Bool

    /// The body as UTF-8; bytes that are none become U+FFFD.
    package var text: String { String(decoding: body, as: UTF8.self) }
    /// The same answer with another body and other values of its headers.
    package func replacing(body: [UInt8], value: (String) -> String) -> ClientResponse {
        ClientResponse(
            status: status, headers: ClientHeaders(headers.fields.map { ($0.name, value($0.value)) }),
            body: body,
            finalURL: finalURL, httpVersion: httpVersion, connectionReused: connectionReused)
    }

    /// The entity tag with its quotes, for the next request's `ifNoneMatch`.
    package var etag: String? { headers["ETag"] }
}

/// What the answer was carried by.
enum HTTPVersion: Sendable, Equatable {
    case http1, http1_1, http2
}

/// The header fields of one answer, in order, each with the name as sent; names are compared without case.
package struct ClientHeaders: Sendable {
    private(set) package var fields: [(name: String, value: String)] = []

    package init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// The first field of this name.
    package subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }

    /// Every field of this name, in order: `Link` and `Set-Cookie` may come several times.
    package func all(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    mutating func append(name: String, value: String) {
        fields.append((name, value))
    }

    /// RFC 9112 section 5.2: a line that begins with white space goes on with the value before it.
    mutating func continueLast(with text: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + text
    }
}

/// Reads header lines as libcurl hands them over, and keeps those of the final answer only.
///
/// Lines come for 1xx answers too, and after the body for trailers: neither may leave a field behind.
struct HeaderBlock {
    private(set) var status = 0
    private(set) var headers = ClientHeaders()
    private(set) var isComplete = false
    /// Of all lines, 1xx answers and trailers included: libcurl 7.88 bounds one line (100 KB), not their sum.
    private(set) var bytes = 0

    static let limit = 262_144

    /// One line with its line ending; false when the sum passes the limit.
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
        let words = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        status = words.count > 1 ? Int(Substring(words[1])) ?? 0 : 0
        headers = ClientHeaders()
    }

    private static func trim(_ text: Substring) -> Substring {
        // As scalars: CR LF is one Character.
        let blank: Set<Unicode.Scalar> = [" ", "\t", "\r", "\n"]
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !blank.contains($0) }),
            let last = scalars.lastIndex(where: { !blank.contains($0) })
        else { return "" }
        return text[first..<scalars.index(after: last)]
    }
}
