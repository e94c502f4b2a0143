/// A place in a template. Lines and columns count from 1, columns in bytes, as swiftc counts them.
package struct Place: Equatable, Sendable {
    package var line, column: Int

    package init(line: Int, column: Int) {
        (self.line, self.column) = (line, column)
    }
}

/// One template as it was read: its header and what it is made of.
package struct Template {
    /// Its path below the folder of templates, without the ending: "watchlist/WatchlistRow".
    let name: String
    /// Where it lies on the disk, for errors.
    let file: String
    let header: Header
    let nodes: [Node]

    /// The file's name without folder and ending: "WatchlistRow".
    var baseName: String { name.split(separator: "/").last.map(String.init) ?? name }

    /// The method that writes it, named after the file: a view has one for each of its templates.
    var method: String {
        "render" + baseName.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The names of the blocks that a page may fill, in their order. A template with blocks is a layout.
    var blocks: [String] { nodes.blocks }
}

/// What a template's first line says of it.
enum Header: Equatable {
    /// `{{! view NAME }}`: the template of that type, which is named as its file.
    case view(String)
    /// `{{! part NAME }}`: a part of other templates, which shows a value of that type.
    case part(String)
    /// `{{! part }}`: a part that shows no value at all.
    case plain

    var type: String? {
        switch self {
        case .view(let type), .part(let type): type
        case .plain: nil
        }
    }
}

/// A piece of a template.
indirect enum Node {
    case text(String)
    /// `{{name}}`, or raw: `{{{name}}}`.
    case value(Name, isRaw: Bool)
    /// `{{#name}}…{{/name}}`, or inverted: `{{^name}}…{{/name}}`.
    case section(Name, isInverted: Bool, [Node])
    /// `{{>template}}` of the view around it, or `{{>template name}}` of another value.
    case partial(template: String, of: Name?, Place)
    /// `{{$name}}…{{/name}}` with what stands there if no page fills it.
    case block(Name, [Node])
    /// `{{<template name}}…{{/template}}`: the layout is filled with the blocks.
    case layout(template: String, of: Name, blocks: [(name: Name, nodes: [Node])], Place)
}

/// A name as it stands in a tag: "title", "person.name", "self.query", "@formToken" or ".".
struct Name: Equatable {
    let text: String
    let place: Place
}

extension [Node] {
    /// The names of the blocks among them, each once.
    fileprivate var blocks: [String] {
        var names: [String] = []
        for node in self {
            let found: [String] =
                switch node {
                case .block(let name, let nodes): [name.text] + nodes.blocks
                case .section(_, _, let nodes): nodes.blocks
                default: []
                }
            names += found.filter { !names.contains($0) }
        }
        return names
    }
}

/// What is wrong with a template, in the form of a compiler's message: swift build shows it as an error of its own.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    package let file: String
    package let place: Place
    package let reason: String

    package var description: String { "\(file):\(place.line):\(place.column): error: \(reason)" }
}
