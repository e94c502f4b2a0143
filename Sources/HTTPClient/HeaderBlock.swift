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
