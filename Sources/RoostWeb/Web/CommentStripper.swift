/// Removes comments and blanks from the scripts that browsers load.
enum CommentStripper {
    /// The script without comments, indentation, and line ends after `{`, `(`, `,` and `;`.
    ///
    /// Works line by line: a comment within code stays, and a template literal must end on its line.
    static func slim(_ script: String) -> String {
        var isInComment = false
        var slim: [UInt8] = []
        for line in Array(script.utf8).split(separator: UInt8(ascii: "\n")) {
            let code = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isInComment || code.starts(with: "/*".utf8) {
                isInComment = !code.suffix(2).elementsEqual("*/".utf8)
            } else if !code.isEmpty, !code.starts(with: "//".utf8) {
                let line = withoutRemark(code)
                slim += line
                if !saysNothing(endOf: line) { slim.append(UInt8(ascii: "\n")) }
            }
        }
        return String(decoding: slim, as: UTF8.self)
    }

    /// Whether the next line may follow on the same one; not where a comment may have stayed.
    private static func saysNothing(endOf line: ArraySlice<UInt8>) -> Bool {
        guard let last = line.last else { return true }
        return "{(,;".utf8.contains(last) && index(of: "//", in: line) == nil
    }

    /// A comment with a quotation mark may be part of a string: it stays.
    private static func withoutRemark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let remark = index(of: " // ", in: line),
            !line[remark...].contains(where: { "\"'`".utf8.contains($0) })
        else { return line }
        return line[..<remark]
    }

    private static func index(of sign: String, in line: ArraySlice<UInt8>) -> Int? {
        line.indices.first { line[$0...].starts(with: sign.utf8) }
    }
}
