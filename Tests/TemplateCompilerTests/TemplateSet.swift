/// All templates of a folder: those that name each other.
package struct TemplateSet {
    /// A Swift file made of a template.
    package struct Source: Equatable {
        /// "watchlist.WatchlistRow.swift"
        package let file: String
        package let text: String
    }

    private var templates: [String: Template] = [:]
    /// What is wrong, in the order of the templates.
    package private(set) var errors: [TemplateError] = []

    /// - Parameters:
    ///   - files: their paths below `folder`: "watchlist/WatchlistRow.mustache"
    ///   - folder: goes into errors, before the path
    ///   - read: the text of a file
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

    /// The templates as Swift; where one of them is wrong, `errors` tells.
    package mutating func sources() -> [Source] {
        checkNames()
        checkUses()
        var sources: [Source] = []
        for template in sorted {
            do {
                let text = try SwiftWriter.source(of: template, among: templates)
                sources.append(Source(file: Self.sourceFile(of: template.name), text: text))
            } catch {
                errors.append(error)
            }
        }
        return sources
    }

    /// "watchlist.WatchlistRow.swift" for the template "watchlist/WatchlistRow".
    package static func sourceFile(of name: String) -> String {
        name.split(separator: "/").joined(separator: ".") + ".swift"
    }

    private var sorted: [Template] { templates.values.sorted { $0.name < $1.name } }

    /// swiftc takes two files by one name in a module for one, be they in different folders.
    private mutating func checkNames() {
        var seen: [String: Template] = [:]
        for template in sorted {
            if let twin = seen[template.baseName] {
                add("\(twin.name) has the same name", template)
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
        errors.append(TemplateError(file: template.file, place: Place(line: 1, column: 1), reason: reason))
    }
}

extension [Node] {
    /// The names of all templates that they use.
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
