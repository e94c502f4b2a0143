/// The module that a run compiles templates for.
package struct TemplateModule {
    /// The folders of its own templates; nil for all.
    package var folders: Set<String>?
    /// Modules whose templates it may use.
    package var imports: [String] = []
    /// Whether other modules use its templates.
    fileprivate(set) var isShared = false

    package init() {}

    func contains(_ name: String) -> Bool {
        folders?.contains(String(name.split(separator: "/").first ?? "")) ?? true
    }
}

/// All templates of a folder: those that name each other.
package struct TemplateSet {
    package struct Source: Equatable {
        package let file: String
        package let text: String
    }

    private var templates: [String: Template] = [:]
    package private(set) var errors: [TemplateError] = []

    /// - Parameters:
    ///   - files: the paths within `folder`, such as "watchlist/WatchlistRow.mustache"
    ///   - folder: precedes the path in errors
    ///   - read: returns the text of a file
    package init(_ files: [String], in folder: String, read: (_ file: String) throws -> String) rethrows {
        for file in files.sorted() {
            let name = String(file.dropLast(".mustache".count))
            let text = try read(file)
            do {
                templates[name] = try TemplateParser.parse(text, name: name, file: "\(folder)/\(file)")
            } catch {
                errors.append(error)
            }
        }
    }

    /// Returns Swift for the templates of one module; `errors` then has what is wrong with them.
    package mutating func sources(for module: TemplateModule = TemplateModule()) -> [Source] {
        checkNames()
        checkUses()
        var module = module
        module.isShared = templates.values.contains { template in
            !module.contains(template.name) && template.nodes.templates.contains(where: module.contains)
        }
        var sources: [Source] = []
        for template in sorted where module.contains(template.name) {
            do {
                let text = try SwiftWriter.source(of: template, among: templates, for: module)
                sources.append(Source(file: Self.sourceFile(of: template.name), text: text))
            } catch {
                errors.append(error)
            }
        }
        errors.removeAll { error in
            !templates.values.contains { $0.file == error.file && module.contains($0.name) }
                && templates.values.contains { $0.file == error.file }
        }
        return sources
    }

    /// Returns "watchlist.WatchlistRow.mustache.swift" for the template "watchlist/WatchlistRow". SwiftPM refuses a name that
    /// another file of the target has, such as the view's.
    package static func sourceFile(of name: String) -> String {
        name.split(separator: "/").joined(separator: ".") + ".mustache.swift"
    }

    private var sorted: [Template] { templates.values.sorted { $0.name < $1.name } }

    /// Names must be unique, because swiftc identifies the files of a module by name, ignoring folders.
    private mutating func checkNames() {
        var seen: [String: Template] = [:]
        for template in sorted {
            if let existing = seen[template.baseName] {
                add("\(existing.name) has the same name", template)
            }
            seen[template.baseName] = template
            if case .view(let type) = template.header {
                if type != template.baseName {
                    add("the template of \(type) is named \(type).mustache", template)
                }
                if !template.blocks.isEmpty { add("a layout is a part: {{! part \(type) }}", template) }
            }
        }
    }

    private mutating func checkUses() {
        let used = templates.values.reduce(into: Set<String>()) { used, template in
            used.formUnion(template.nodes.templates)
        }
        for template in sorted where !used.contains(template.name) {
            if case .view = template.header { continue }
            add("no other template uses this part", template)
        }
    }

    private mutating func add(_ reason: String, _ template: Template) {
        errors.append(
            TemplateError(file: template.file, position: Position(line: 1, column: 1), reason: reason))
    }
}

extension [Node] {
    fileprivate var templates: Set<String> {
        reduce(into: []) { names, node in
            switch node {
            case .text, .value: break
            case .section(_, _, let nodes), .block(_, let nodes): names.formUnion(nodes.templates)
            case .partial(let template, _, _): names.insert(template)
            case .layout(let template, _, let blocks, _):
                names.insert(template)
                for block in blocks { names.formUnion(block.nodes.templates) }
            }
        }
    }
}
