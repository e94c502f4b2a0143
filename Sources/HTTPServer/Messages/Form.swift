/// A decoded form: its fields, and the files of a multipart form.
public struct Form: Sendable {
    var fields = NamedValues()
    /// The chosen files in order, and empty ones for file fields without a choice.
    public var files: [FormFile] = []

    /// The first value of this name, or nil.
    public subscript(name: String) -> String? { fields[name] }

    /// Returns all values of this name in order.
    public func all(_ name: String) -> [String] { fields.all(name) }

    /// The names and values of all fields in order.
    public var pairs: [(name: String, value: String)] { fields.pairs }
}

/// A file that was sent with a form.
public struct FormFile: Sendable, Equatable {
    /// The field's name.
    public let name: String
    /// From the client: never use it as a path. Empty if no file was chosen.
    public let filename: String
    /// From the client: check the bytes before you trust it.
    public let contentType: String
    public let bytes: [UInt8]
}

/// Reads the body of a form.
///
/// libmicrohttpd's own post processor is not used: it needs the live connection, which an async handler cannot use, and
/// it accepts broken escapes and truncated bodies.
enum FormReader {
    static func read(_ body: [UInt8], contentType: String) throws -> Form {
        let type = MediaType(contentType)
        switch type.essence {
        case "application/x-www-form-urlencoded":
            guard let fields = NamedValues(urlencoded: body) else {
                throw RequestError.malformed("The form is not properly encoded.")
            }
            return Form(fields: fields)
        case "multipart/form-data":
            guard let boundary = type.parameter("boundary"), (1...70).contains(boundary.utf8.count) else {
                throw RequestError.malformed("The form's content type has no boundary.")
            }
            return try MultipartReader(body, boundary: boundary).read()
        default: throw RequestError.notAForm
        }
    }
}

/// Reads a multipart form (RFC 7578, RFC 2046 section 5.1) from memory.
struct MultipartReader {
    private static let lineBreak: [UInt8] = [13, 10]
    private static let partLimit = 1_000
    /// In bytes. The longest file names have 765. A limit, because comparing Strings of accents takes quadratic time.
    private static let maximumHead = 2_048

    private let body: [UInt8]
    private let delimiter: [UInt8]

    init(_ body: [UInt8], boundary: String) {
        self.body = body
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    func read() throws -> Form {
        var form = Form()
        var position = try firstPart()
        for _ in 0..<Self.partLimit {
            guard let start = try partStart(after: position) else { return form }
            guard let headEnd = find([13, 10, 13, 10], from: start - 2) else {
                throw broken("a part has no header")
            }
            let contentStart = headEnd + 4
            guard let contentEnd = find(delimiter, from: contentStart - 2) else {
                throw broken("its end is missing")
            }
            // In a part without content, the two line breaks overlap.
            let content = contentStart < contentEnd ? body[contentStart..<contentEnd] : []
            try add(content, head: body[start..<max(start, headEnd)], to: &form)
            position = contentEnd + delimiter.count
        }
        throw broken("it has too many parts")
    }

    private func firstPart() throws -> Int {
        let opening = delimiter.dropFirst(2)
        if body.starts(with: opening) { return opening.count }
        guard let found = find(delimiter, from: 0) else { throw broken("its boundary is missing") }
        return found + delimiter.count
    }

    private func partStart(after boundary: Int) throws -> Int? {
        let rest = body[boundary...]
        if rest.starts(with: "--".utf8) { return nil }
        let padded = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard padded.starts(with: Self.lineBreak) else { throw broken("its boundary is broken") }
        return padded.startIndex + 2
    }

    private func add(_ content: ArraySlice<UInt8>, head: ArraySlice<UInt8>, to form: inout Form) throws {
        guard head.count <= Self.maximumHead else { throw broken("a part's header is too long") }
        let (disposition, contentType) = try fields(ofHead: head)
        guard disposition.essence == "form-data", let name = disposition.parameter("name").map(Self.unescaped)
        else { throw broken("a part has no name") }
        if let filename = disposition.parameter("filename") {
            form.files.append(
                FormFile(
                    name: name, filename: Self.unescaped(filename),
                    contentType: contentType ?? "application/octet-stream", bytes: Array(content)))
        } else {
            guard let text = String(validating: content, as: UTF8.self) else {
                throw broken("a field isn't UTF-8")
            }
            form.fields.pairs.append((name, text))
        }
    }

    private func fields(ofHead head: ArraySlice<UInt8>) throws -> (disposition: MediaType, type: String?) {
        guard String(validating: head, as: UTF8.self) != nil else {
            throw broken("a part's header isn't text")
        }
        var disposition = MediaType("")
        var contentType: String?
        // Bytewise, because a combining mark in a name can join a separator and change the Character.
        for line in head.split(separator: Self.lineBreak) where !line.isEmpty {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw broken("a part's header is broken")
            }
            let padded = line[(colon + 1)...]
            let value = String(decoding: padded.drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
            switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
            case "content-disposition": disposition = MediaType(value)
            case "content-type": contentType = value
            default: break
            }
        }
        return (disposition, contentType)
    }

    /// The three characters that browsers escape in names (WHATWG HTML, "multipart/form-data encoding algorithm").
    private static func unescaped(_ text: String) -> String {
        let bytes = Array(text.utf8).replacing(Array("%22".utf8), with: [0x22])
            .replacing(Array("%0D".utf8), with: [0x0D]).replacing(Array("%0A".utf8), with: [0x0A])
        return String(decoding: bytes, as: UTF8.self)
    }

    private func find(_ needle: [UInt8], from start: Int) -> Int? {
        guard start >= 0, body.count >= needle.count else { return nil }
        return body.withUnsafeBufferPointer { bytes in
            var index = start
            while index <= bytes.count - needle.count {
                if bytes[index] == needle[0], needle.indices.allSatisfy({ bytes[index + $0] == needle[$0] }) {
                    return index
                }
                index += 1
            }
            return nil
        }
    }

    private func broken(_ why: String) -> RequestError { .malformed("The form cannot be read: \(why).") }
}
