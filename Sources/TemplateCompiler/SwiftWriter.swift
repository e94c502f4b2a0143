/// Writes a template as a Swift method of its view.
///
/// A section is a closure. What it is called for, a condition, a list or a view that may be missing, is left to swiftc and
/// the overloads of `HTMLBuffer.section`. Each name stands in a line of its own, after a directive that says where it came from, and in its
/// column, if there is room: so that an error of swiftc's names the place in the template.
struct SwiftWriter {
    private let template: Template
    private let all: [String: Template]

    /// Throws `TemplateError` for a template or a block that does not exist.
    static func source(of template: Template, among all: [String: Template]) throws(TemplateError) -> String {
        try SwiftWriter(template: template, all: all).source()
    }

    private func source() throws(TemplateError) -> String {
        let scope = Scope(view: template.header.type == nil ? "()" : "self")
        let body = try lines(of: template.nodes, in: scope)
        let parameters = "(into html: inout HTMLBuffer, in context: TemplateContext"
        let blocks = template.blocks.map { ", \($0): HTMLBlock? = nil" }.joined()
        let method = ["func \(template.method)\(parameters)\(blocks)) {"] + body + ["#sourceLocation()", "}"]
        let content: [String] =
            switch template.header {
            case .view(let type):
                [place(Place(line: 1, column: 1)), "extension \(type): HTMLView {"] + method
                    + [
                        "func render\(parameters)) { \(template.method)(into: &html, in: context) }",
                        "}",
                    ]
            case .part(let type): [place(Place(line: 1, column: 1)), "extension \(type) {"] + method + ["}"]
            case .plain: [place(Place(line: 1, column: 1))] + method
            }
        let head = ["// Made of \(template.name).mustache by TemplateCompiler.", "import HTMLTemplates", ""]
        return (head + content).joined(separator: "\n") + "\n"
    }

    // MARK: Nodes

    /// What names mean at some place of the template.
    private struct Scope {
        /// What a plain name belongs to.
        let view: String
        /// What `{{.}}` is.
        let value: String
        let depth: Int

        init(view: String) {
            (self.view, value, depth) = (view, view, 0)
        }

        private init(depth: Int) {
            (view, value, self.depth) = ("v\(depth)", "d\(depth)", depth)
        }

        var inner: Scope { Scope(depth: depth + 1) }
    }

    private func lines(of nodes: [Node], in scope: Scope) throws(TemplateError) -> [String] {
        var lines: [String] = []
        for node in nodes { lines += try self.lines(of: node, in: scope) }
        return lines
    }

    private func lines(of node: Node, in scope: Scope) throws(TemplateError) -> [String] {
        switch node {
        case .text(let text): return ["html.literal(\(Self.literal(text)))"]
        case .value(let name, let isRaw):
            return line(isRaw ? "html.raw(" : "html.text(", name, ")", scope)
        case .section(let name, let isInverted, let nodes):
            guard isInverted else {
                return try section(name, in: scope) { (scope) throws(TemplateError) in
                    try lines(of: nodes, in: scope)
                }
            }
            return line("if HTMLBuffer.isNothing(", name, ") {", scope) + (try lines(of: nodes, in: scope))
                + ["}"]
        case .partial(let template, let name?, let place):
            return try section(name, in: scope) { (scope) throws(TemplateError) in
                try call(template, place, in: scope)
            }
        case .partial(let template, nil, let place): return try call(template, place, in: scope)
        case .block(let name, let nodes):
            let inner = try lines(of: nodes, in: scope)
            return ["if let \(name.text) { \(name.text)(&html) } else {"] + inner + ["}"]
        case .layout(let template, let name, let blocks, let place):
            return try layout(template, of: name, blocks, place, in: scope)
        }
    }

    private func section(
        _ name: Name, in scope: Scope, _ body: (Scope) throws(TemplateError) -> [String]
    )
        throws(TemplateError) -> [String]
    {
        let inner = scope.inner
        let names = "html, \(inner.view), \(inner.value)"
        // In a statement of its own: within the one that holds the closure, a mistake in the closure would make swiftc try
        // all kinds of sections, and tell of another mistake.
        return ["do {"] + line("let part = HTMLBuffer.section(", name, ")", scope)
            + ["part.show(in: &html, \(scope.view), \(scope.value)) { \(names) in"] + (try body(inner)) + [
                "}", "}",
            ]
    }

    private func call(_ name: String, _ at: Place, in scope: Scope) throws(TemplateError) -> [String] {
        let partial = try known(name, at)
        guard partial.blocks.isEmpty else { throw error("\(name) is a layout: {{<\(name) …}}", at) }
        let call = "\(partial.method)(into: &html, in: context)"
        return [place(at), partial.header.type == nil ? call : "\(scope.view).\(call)"]
    }

    private func layout(
        _ name: String, of value: Name, _ filled: [(name: Name, nodes: [Node])], _ at: Place,
        in scope: Scope
    ) throws(TemplateError) -> [String] {
        let layout = try known(name, at)
        if let block = filled.first(where: { !layout.blocks.contains($0.name.text) })?.name {
            throw error("\(name) has no block \(block.text)", block.place)
        }
        var lines = line("", value, ".\(layout.method)(into: &html, in: context", scope)
        // Swift wants them in the order of the parameters.
        for block in layout.blocks {
            guard let nodes = filled.first(where: { $0.name.text == block })?.nodes else { continue }
            lines += [", \(block): { html in"] + (try self.lines(of: nodes, in: scope)) + ["}"]
        }
        return lines + [")"]
    }

    private func known(_ name: String, _ place: Place) throws(TemplateError) -> Template {
        guard let template = all[name] else { throw error("there is no template \(name)", place) }
        return template
    }

    // MARK: Lines

    /// The line of a name, standing in its column if `before` leaves room.
    private func line(_ before: String, _ name: Name, _ after: String, _ scope: Scope) -> [String] {
        let (base, path) = resolve(name, in: scope)
        let head = before + base + (path.isEmpty || base.isEmpty ? "" : ".")
        // "self." and "@" stand before the path in the template too.
        let column = name.place.column + name.text.utf8.count - path.utf8.count
        let blanks = String(repeating: " ", count: max(0, column - 1 - head.utf8.count))
        return [place(name.place), blanks + head + path + after]
    }

    /// What a name is a property of, and the rest of it.
    private func resolve(_ name: Name, in scope: Scope) -> (base: String, path: String) {
        if name.text == "." { return (scope.value, "") }
        if name.text.hasPrefix("@") { return ("context", String(name.text.dropFirst())) }
        if name.text.hasPrefix("self.") { return ("self", String(name.text.dropFirst(5))) }
        return (scope.view, name.text)
    }

    private func place(_ place: Place) -> String {
        "#sourceLocation(file: \(Self.literal(template.file)), line: \(place.line))"
    }

    private func error(_ reason: String, _ place: Place) -> TemplateError {
        TemplateError(file: template.file, place: place, reason: reason)
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": literal += "\\\\"
            case "\"": literal += "\\\""
            case "\n": literal += "\\n"
            case "\0"..<" ", "\u{7F}": literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
