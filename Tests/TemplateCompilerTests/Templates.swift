/// Templates by their names, as if they lay in a folder "Templates".
struct Compiled {
    /// Each as a compiler's message: "Templates/a/B.mustache:1:1: error: …"
    let errors: [String]
    /// By the names of their files.
    let sources: [String: String]

    init(_ templates: [String: String]) {
        var set = TemplateSet(templates.keys.map { "\($0).mustache" }, in: "Templates") { file in
            templates[String(file.dropLast(".mustache".count))] ?? ""
        }
        let sources = set.sources()
        errors = set.errors.map(\.description)
        self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0.file, $0.text) })
    }

    /// One template, as that of the view `View`.
    init(_ text: String) {
        self.init(["hall/View": "{{! view View }}\n\(text)"])
    }
}
