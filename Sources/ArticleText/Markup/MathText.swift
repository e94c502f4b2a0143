import TextFormats

/// The text of a formula in MathML: its source in TeX, if the element has it, or else its signs in a line.
struct MathText {
    /// In bytes.
    private static let maximumLength = 4_000
    private static let source: Set<String> = ["application/x-tex", "tex", "latex", "application/x-latex"]
    /// What comes before each part of an element, such as "a" and "k" of a_k.
    private static let joints: [String: [String]] = [
        "msub": ["", "_"], "msup": ["", "^"], "msubsup": ["", "_", "^"], "mfrac": ["", "/"],
        "munder": ["", "_"], "mover": ["", "^"], "munderover": ["", "_", "^"], "mroot": ["√", " "],
    ]

    private struct Open {
        let name: String
        var parts = 0
        let end: String
    }

    private var open: [Open] = []
    private var annotation: String?
    private var isInSource = false
    private var ignored = 0
    private var line = ""
    private let alternative: String?

    /// - Parameter alternative: the element's `alttext`
    init(alternative: String?) { self.alternative = alternative }

    mutating func start(_ name: String, encoding: String?) {
        if ignored > 0 || ["annotation", "annotation-xml"].contains(name) {
            ignored += 1
            if name == "annotation", Self.source.contains(encoding?.lowercased() ?? "") { isInSource = true }
            return
        }
        var end = ""
        if let last = open.indices.last {
            let joints = Self.joints[open[last].name] ?? []
            let part = open[last].parts
            open[last].parts += 1
            if part < joints.count { add(joints[part]) }
            if name == "mrow", !joints.isEmpty {
                add("(")
                end = ")"
            }
        }
        if name == "msqrt" {
            add("√(")
            end = ")"
        }
        open.append(Open(name: name, end: end))
    }

    mutating func text(_ text: String) {
        if isInSource {
            if (annotation?.utf8.count ?? 0) < Self.maximumLength { annotation = (annotation ?? "") + text }
        } else if ignored == 0 {
            add(text.trimmed)
        }
    }

    mutating func end() {
        if ignored > 0 {
            ignored -= 1
            isInSource = false
        } else if let last = open.popLast() {
            add(last.end)
        }
    }

    private mutating func add(_ text: String) {
        if line.utf8.count < Self.maximumLength { line += text }
    }

    /// Empty if there is no formula.
    var formula: String {
        let text = [alternative, annotation].lazy.compactMap(\.self).first { !$0.isBlank } ?? line
        return Self.plain(text)
    }

    /// Removes the wrapper that Wikipedia puts around a formula: "{\displaystyle x}".
    static func plain(_ text: String) -> String {
        var text = String(decoding: text.utf8.prefix(maximumLength), as: UTF8.self)
            .words.joined(separator: " ")
        for wrapper in ["{\\displaystyle ", "{\\textstyle "]
        where text.hasPrefix(wrapper) && text.hasSuffix("}") {
            text = String(text.dropFirst(wrapper.count).dropLast()).trimmed
        }
        return text
    }
}
