/// Removes comments and blanks from the scripts that browsers load.
package enum CommentStripper {
    /// The script without comments, indentation, and line ends after `{`, `(`, `,` and `;`.
    ///
    /// Works line by line: a comment within code stays, and a template literal must end on its line.
    package static func slim(_ script: String) -> String {
        var isInComment = false
        var slim = ""
        for line in script.split(separator: "\n") {
            let code = line.drop { $0 == " " || $0 == "\t" }
            if isInComment || code.hasPrefix("/*") {
                isInComment = !code.hasSuffix("*/")
            } else if !code.isEmpty, !code.hasPrefix("//") {
                let line = withoutRemark(code)
                slim += line
                if !saysNothing(endOf: line) { slim += "\n" }
            }
        }
        return slim
    }

    /// Whether the next line may follow on the same one; not where a comment may have stayed.
    private static func saysNothing(endOf line: Substring) -> Bool {
        guard let last = line.utf8.last else { return true }
        return "{(,;".utf8.contains(last) && !line.containsBytes("//")
    }

    /// A comment with a quotation mark may be part of a string: it stays.
    private static func withoutRemark(_ line: Substring) -> Substring {
        guard let remark = line.firstRange(of: " // "),
            !line[remark.lowerBound...].contains(where: { "\"'`".contains($0) })
        else { return line }
        return line[..<remark.lowerBound]
    }
}
