/// Templates by name, as in a folder "Templates".
struct Compiled {
    /// Errors in a compiler's format: "Templates/a/B.mustache:1:1: error: …"
    let errors: [String]
    /// The generated sources by file name.
    let sources: [String: String]

    init(_ templates: [String: String]) {
        var set = TemplateSet(templates.keys.map { "\($0).mustache" }, in: "Templates") { file in
            templates[String(file.dropLast(".mustache".count))] ?? ""
        }
        let sources = set.sources()
        errors = set.errors.map(\.description)
        self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0.file, $0.text) })
    }

    /// A single template, for the view `View`.
    init(_ text: String) {
        self.init(["hall/View": "{{! view View }}\n\(text)"])
    }
}
