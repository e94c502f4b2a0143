/// A position in a template. Lines and columns count from 1, columns in bytes, as in swiftc.
package struct Position: Equatable, Sendable {
    package var line, column: Int

    package init(line: Int, column: Int) {
        (self.line, self.column) = (line, column)
    }
}

package struct Template {
    /// The path within the template folder, without the extension, such as "watchlist/WatchlistRow".
    let name: String
    let file: String
    let header: Header
    let nodes: [Node]

    var baseName: String { name.split(separator: "/").last.map(String.init) ?? name }

    /// The name of the generated method. It contains the file's name, because a view may have several templates.
    var method: String {
        "render" + baseName.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The names of the blocks that a page can fill, in order. A template with blocks is a layout.
    var blocks: [String] { nodes.blocks }
}

enum Header: Equatable {
    /// `{{! view NAME }}`: the template of that type. The file must have the same name.
    case view(String)
    /// `{{! part NAME }}`: a part of other templates, which shows a value of that type.
    case part(String)
    /// `{{! part }}`: a part without a value.
    case plain

    var type: String? {
        switch self {
        case .view(let type), .part(let type): type
        case .plain: nil
        }
    }
}

indirect enum Node {
    case text(String)
    /// `{{name}}`, or raw: `{{{name}}}`.
    case value(Name, isRaw: Bool)
    /// `{{#name}}…{{/name}}`, or inverted: `{{^name}}…{{/name}}`.
    case section(Name, isInverted: Bool, [Node])
    /// `{{>template}}` for the surrounding view, or `{{>template name}}` for another value.
    case partial(template: String, of: Name?, Position)
    /// `{{$name}}…{{/name}}` with its default content.
    case block(Name, [Node])
    /// `{{<template name}}…{{/template}}`: a layout and the blocks that fill it.
    case layout(template: String, of: Name, blocks: [(name: Name, nodes: [Node])], Position)
}

/// A name in a tag, such as "title", "person.name", "self.query", "@formToken" or ".".
struct Name: Equatable {
    let text: String
    let position: Position
}

extension [Node] {
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

/// An error in a template, formatted like a compiler's message, so that swift build shows it as an error.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    package let file: String
    package let position: Position
    package let reason: String

    package var description: String { "\(file):\(position.line):\(position.column): error: \(reason)" }
}
