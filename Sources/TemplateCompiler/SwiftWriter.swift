/// Writes a template as a Swift method of its view.
///
/// A section becomes a closure. swiftc decides by the overloads of `HTMLBuffer.section` whether it is a condition, a
/// list or an optional view. Each name is on its own line, after a `#sourceLocation` directive and, if there is room,
/// in its original column, so that swiftc's errors point into the template.
struct SwiftWriter {
    private let template: Template
    private let all: [String: Template]
    private let module: TemplateModule

    /// Throws `TemplateError` for a template or a block that does not exist.
    static func source(
        of template: Template, among all: [String: Template], for module: TemplateModule
    ) throws(TemplateError) -> String {
        try SwiftWriter(template: template, all: all, module: module).source()
    }

    private func source() throws(TemplateError) -> String {
        let scope = Scope(view: template.header.type == nil ? "()" : "self")
        let body = try lines(of: template.nodes, in: scope)
        let parameters = "(into html: inout HTMLBuffer, in context: TemplateContext"
        let blocks = template.blocks.map { ", \($0): HTMLBlock? = nil" }.joined()
        let access = module.isShared ? "package " : ""
        let method =
            ["\(access)func \(template.method)\(parameters)\(blocks)) {"] + body + ["#sourceLocation()", "}"]
        let content: [String] =
            switch template.header {
            case .view(let type):
                [sourceLocation(Position(line: 1, column: 1)), "extension \(type): HTMLView {"] + method
                    + [
                        "\(access)func render\(parameters)) { \(template.method)(into: &html, in: context) }",
                        "}",
                    ]
            case .part(let type):
                [sourceLocation(Position(line: 1, column: 1)), "extension \(type) {"] + method + ["}"]
            case .plain: [sourceLocation(Position(line: 1, column: 1))] + method
            }
        let imports = (["HTMLTemplates"] + module.imports).map { "\(access)import \($0)" }
        let head = ["// Made of \(template.name).mustache by TemplateCompiler."] + imports
        return (head + [""] + content).joined(separator: "\n") + "\n"
    }

    // MARK: Nodes

    private struct Scope {
        /// The variable that plain names refer to.
        let view: String
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
        case .partial(let template, let name?, let position):
            return try section(name, in: scope) { (scope) throws(TemplateError) in
                try call(template, position, in: scope)
            }
        case .partial(let template, nil, let position): return try call(template, position, in: scope)
        case .block(let name, let nodes):
            let inner = try lines(of: nodes, in: scope)
            return ["if let \(name.text) { \(name.text)(&html) } else {"] + inner + ["}"]
        case .layout(let template, let name, let blocks, let position):
            return try layout(template, of: name, blocks, position, in: scope)
        }
    }

    private func section(
        _ name: Name, in scope: Scope, _ body: (Scope) throws(TemplateError) -> [String]
    )
        throws(TemplateError) -> [String]
    {
        let inner = scope.inner
        let names = "html, \(inner.view), \(inner.value)"
        // In a separate statement: otherwise a mistake in the closure makes swiftc try all kinds of sections and report
        // a misleading error.
        return ["do {"] + line("let part = HTMLBuffer.section(", name, ")", scope)
            + ["part.show(in: &html, \(scope.view), \(scope.value)) { \(names) in"] + (try body(inner)) + [
                "}", "}",
            ]
    }

    private func call(_ name: String, _ position: Position, in scope: Scope) throws(TemplateError) -> [String]
    {
        let partial = try find(name, position)
        guard partial.blocks.isEmpty else { throw error("\(name) is a layout: {{<\(name) …}}", position) }
        let call = "\(partial.method)(into: &html, in: context)"
        return [sourceLocation(position), partial.header.type == nil ? call : "\(scope.view).\(call)"]
    }

    private func layout(
        _ name: String, of value: Name, _ filled: [(name: Name, nodes: [Node])], _ position: Position,
        in scope: Scope
    ) throws(TemplateError) -> [String] {
        let layout = try find(name, position)
        if let block = filled.first(where: { !layout.blocks.contains($0.name.text) })?.name {
            throw error("\(name) has no block \(block.text)", block.position)
        }
        var lines = line("", value, ".\(layout.method)(into: &html, in: context", scope)
        // Swift requires the order of the parameters.
        for block in layout.blocks {
            guard let nodes = filled.first(where: { $0.name.text == block })?.nodes else { continue }
            lines += [", \(block): { html in"] + (try self.lines(of: nodes, in: scope)) + ["}"]
        }
        return lines + [")"]
    }

    private func find(_ name: String, _ position: Position) throws(TemplateError) -> Template {
        guard let template = all[name] else { throw error("there is no template \(name)", position) }
        return template
    }

    // MARK: Lines

    /// Returns the line for a name, which is in its original column if `before` leaves room.
    private func line(_ before: String, _ name: Name, _ after: String, _ scope: Scope) -> [String] {
        let (base, path) = resolve(name, in: scope)
        let head = before + base + (path.isEmpty || base.isEmpty ? "" : ".")
        // "self." and "@" precede the path in the template, too.
        let column = name.position.column + name.text.utf8.count - path.utf8.count
        let blanks = String(repeating: " ", count: max(0, column - 1 - head.utf8.count))
        return [sourceLocation(name.position), blanks + head + path + after]
    }

    private func resolve(_ name: Name, in scope: Scope) -> (base: String, path: String) {
        if name.text == "." { return (scope.value, "") }
        if name.text.hasPrefix("@") { return ("context", String(name.text.dropFirst())) }
        if name.text.hasPrefix("self.") { return ("self", String(name.text.dropFirst(5))) }
        return (scope.view, name.text)
    }

    private func sourceLocation(_ position: Position) -> String {
        "#sourceLocation(file: \(Self.literal(template.file)), line: \(position.line))"
    }

    private func error(_ reason: String, _ position: Position) -> TemplateError {
        TemplateError(file: template.file, position: position, reason: reason)
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
