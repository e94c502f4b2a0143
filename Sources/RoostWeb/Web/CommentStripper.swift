/// Scripts as browsers get them: without what is for their readers alone.
package enum CommentStripper {
    /// The script without its comments and the blanks before its lines.
    ///
    /// It goes line by line: a comment within code stays, and a text in backquotes must end in its line.
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

    /// A remark with a quotation mark may be part of a text: it stays.
    private static func withoutRemark(_ line: Substring) -> Substring {
        guard let remark = line.firstRange(of: " // "),
            !line[remark.lowerBound...].contains(where: { "\"'`".contains($0) })
        else { return line }
        return line[..<remark.lowerBound]
    }
}
