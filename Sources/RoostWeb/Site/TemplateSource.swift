import Mustache

/// One template file as it was read.
struct TemplateSource: Sendable {
    let name: String
    /// The names of its partials and of its parent.
    let partials: [String]
    /// Without the indentation of its lines (the library would indent each line of a partial again, token by
    /// token),
    /// and with `site.layout` for a parent `site/layout`: the library reads no slash in the tag that closes it.
    let text: String

    init(name: String, text: String) {
        self.name = name
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let parts = lines.map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "\n").split(
            separator: "{{", omittingEmptySubsequences: false)
        var partials: [String] = []
        var plain = String(parts.first ?? "")
        for part in parts.dropFirst() {
            let end = part.firstRange(of: "}}")?.lowerBound ?? part.endIndex
            let sigil = part.first ?? " "
            if "<>/".contains(sigil), end > part.startIndex {
                let tagged = part[part.index(after: part.startIndex)..<end].filter { $0 != " " }
                if sigil != "/" { partials.append(tagged) }
                plain += "{{\(sigil)\(sigil == ">" ? tagged : Self.parentName(tagged))\(part[end...])"
            } else {
                plain += "{{\(part)"
            }
        }
        self.partials = partials
        self.text = plain
    }

    /// What it is called where it is a parent.
    var parentName: String { Self.parentName(name) }

    /// Begins with the pragma that makes `HTMLEscaping` escape its fields: the library gives every partial and
    /// parent its own escaping again, so each template needs it.
    func compiled() throws -> MustacheTemplate {
        HTMLEscaping.register()
        do {
            return try MustacheTemplate(string: "{{% CONTENT_TYPE:\(HTMLEscaping.name)}}\n\(text)")
        } catch let error as MustacheTemplate.ParserError {
            throw TemplateError.syntax(name, line: error.context.lineNumber - 1, "\(error.error)")
        }
    }

    private static func parentName(_ name: String) -> String {
        String(name.map { $0 == "/" ? "." : $0 })
    }
}
