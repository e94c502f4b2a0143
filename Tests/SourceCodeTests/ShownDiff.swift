@testable import SourceCode

/// Writes diffs as short texts that tests compare.
enum ShownDiff {
    /// Returns a line such as "+2 a{b}": sign, number, and changed words in braces. Codes of invisible characters are in
    /// brackets; a cut line ends with "…".
    static func text(_ line: FileDiff.Line) -> String {
        let sign =
            switch line.kind {
            case .context: " \(line.oldNumber ?? 0),\(line.newNumber ?? 0) "
            case .removed: "-\(line.oldNumber ?? 0) "
            case .added: "+\(line.newNumber ?? 0) "
            }
        return sign + words(line) + (line.isCut ? "…" : "")
    }

    static func words(_ line: FileDiff.Line) -> String {
        var text = ""
        var isChanged = false
        for span in line.spans {
            if span.isChanged != isChanged { text += span.isChanged ? "{" : "}" }
            isChanged = span.isChanged
            text += span.isEscape ? "[\(span.text)]" : span.text
        }
        return text + (isChanged ? "}" : "")
    }

    /// Returns "keyword(let) string("a")" for each line of a new file: what is colored in it.
    static func syntax(_ code: String, path: String) -> [String] {
        FileDiff(patch: added(code), path: path).hunks.flatMap(\.lines).map(syntax)
    }

    static func syntax(_ line: FileDiff.Line) -> String {
        var parts: [(syntax: FileDiff.Syntax?, text: String)] = []
        for span in line.spans {
            if let last = parts.last, last.syntax == span.syntax {
                parts[parts.count - 1].text += span.text
            } else {
                parts.append((span.syntax, span.text))
            }
        }
        return parts.compactMap { part in part.syntax.map { "\($0.rawValue)(\(part.text))" } }
            .joined(separator: " ")
    }

    /// Returns a patch that adds a file.
    static func added(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (["@@ -0,0 +1,\(lines.count) @@"] + lines.map { "+\($0)" }).joined(separator: "\n")
    }

    /// Returns a patch that replaces lines by others.
    static func replaced(_ old: [String], by new: [String]) -> String {
        let header = "@@ -1,\(old.count) +1,\(new.count) @@"
        return ([header] + old.map { "-\($0)" } + new.map { "+\($0)" }).joined(separator: "\n")
    }
}
