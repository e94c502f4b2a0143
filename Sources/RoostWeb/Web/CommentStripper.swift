/// Removes comments and indentation from the scripts that browsers load.
package enum CommentStripper {
    /// The script without comments and indentation.
    ///
    /// Works line by line: a comment within code stays, and a template literal must end on its line.
    package static func slim(_ script: String) -> String {
        var isInComment = false
        var lines: [Substring] = []
        for line in script.split(separator: "\n") {
            let code = line.drop { $0 == " " || $0 == "\t" }
            if isInComment || code.hasPrefix("/*") {
                isInComment = !code.hasSuffix("*/")
            } else if !code.isEmpty, !code.hasPrefix("//") {
                lines.append(withoutRemark(code))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A comment with a quotation mark may be part of a string: it stays.
    private static func withoutRemark(_ line: Substring) -> Substring {
        guard let remark = line.firstRange(of: " // "),
            !line[remark.lowerBound...].contains(where: { "\"'`".contains($0) })
        else { return line }
        return line[..<remark.lowerBound]
    }
}
