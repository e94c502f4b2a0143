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
