enum CommentStripper {
    /// Removes comments, indentation, and line ends after `{`, `(`, `,` and `;` of a script or style sheet.
    ///
    /// Works line by line: comments within code stay, and a template literal must end on its line.
    static func stripped(_ script: String) -> String {
        var isInComment = false
        var result: [UInt8] = []
        for line in Array(script.utf8).split(separator: UInt8(ascii: "\n")) {
            let code = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isInComment || code.starts(with: "/*".utf8) {
                isInComment = !code.suffix(2).elementsEqual("*/".utf8)
            } else if !code.isEmpty, !code.starts(with: "//".utf8) {
                let line = withoutTrailingComment(code)
                result += line
                if !isLineEndRedundant(after: line) { result.append(UInt8(ascii: "\n")) }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// True if the next line may follow on the same line. Not if a comment may still be in it.
    private static func isLineEndRedundant(after line: ArraySlice<UInt8>) -> Bool {
        guard let last = line.last else { return true }
        return "{(,;".utf8.contains(last) && index(of: "//", in: line) == nil
    }

    /// Keeps a comment that has a quotation mark, as it may be part of a string.
    private static func withoutTrailingComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let comment = index(of: " // ", in: line),
            !line[comment...].contains(where: { "\"'`".utf8.contains($0) })
        else { return line }
        return line[..<comment]
    }

    private static func index(of sign: String, in line: ArraySlice<UInt8>) -> Int? {
        line.indices.first { line[$0...].starts(with: sign.utf8) }
    }
}
