/// Parses a template.
///
/// Removes the whole line of a tag that is alone on it, except for `{{name}}` and `{{{name}}}`. Removes the indentation
/// of every line, which would be sent with each page without any visible effect.
struct TemplateParser {
    private let name, file: String
    private let bytes: [UInt8]
    private var index = 0
    private var position = Position(line: 1, column: 1)
    private var isAtLineStart = true

    static func parse(_ text: String, name: String, file: String) throws(TemplateError) -> Template {
        var parser = TemplateParser(text, name: name, file: file)
        let header = try parser.header()
        let nodes = try parser.nodes(of: nil)
        return Template(name: name, file: file, header: header, nodes: nodes)
    }

    private init(_ text: String, name: String, file: String) {
        (self.name, self.file) = (name, file)
        bytes = Array(text.utf8)
    }

    private mutating func header() throws(TemplateError) -> Header {
        let expected =
            "the first line says what the template shows: {{! view NAME }}, {{! part NAME }} or {{! part }}"
        guard isAt("{{!"), let tag = try tag(), tag.isStandalone else {
            throw TemplateError(file: file, position: Position(line: 1, column: 1), reason: expected)
        }
        let words = tag.text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("view", 2): return .view(words[1])
        case ("part", 2): return .part(words[1])
        case ("part", 1): return .plain
        default: throw error(expected, tag.position)
        }
    }

    // MARK: Nodes

    /// Parses up to the tag that closes `opening`, or to the end.
    private mutating func nodes(of opening: Tag?) throws(TemplateError) -> [Node] {
        var nodes: [Node] = []
        while true {
            let text = text()
            if !text.isEmpty { nodes.append(.text(text)) }
            guard let tag = try tag() else { break }
            if tag.kind == .close {
                guard let opening, opening.words.first == tag.text else {
                    let open = opening.map { "{{\($0.sign)\($0.text)}} of line \($0.position.line)" }
                    throw error("{{/\(tag.text)}} does not close \(open ?? "anything")", tag.position)
                }
                return nodes
            }
            if let node = try node(tag) { nodes.append(node) }
        }
        if let opening { throw error("{{\(opening.sign)\(opening.text)}} is never closed", opening.position) }
        return nodes
    }

    private mutating func node(_ tag: Tag) throws(TemplateError) -> Node? {
        switch tag.kind {
        case .comment, .close: return nil
        case .value: return .value(try name(tag), isRaw: false)
        case .raw: return .value(try name(tag), isRaw: true)
        case .section, .inverted:
            return .section(try name(tag), isInverted: tag.kind == .inverted, try nodes(of: tag))
        case .block:
            let name = try name(tag)
            guard name.text.allSatisfy({ $0.isLetter || $0.isNumber }) else {
                throw error("a block's name consists of letters and digits", name.position)
            }
            return .block(name, try nodes(of: tag))
        case .partial:
            guard (1...2).contains(tag.words.count) else { throw error("{{>template name}}", tag.position) }
            return .partial(template: tag.words[0], of: try second(of: tag), tag.position)
        case .layout:
            guard let name = try second(of: tag), tag.words.count == 2 else {
                throw error("a layout shows a value: {{<template name}}", tag.position)
            }
            return .layout(template: tag.words[0], of: name, blocks: try blocks(of: tag), tag.position)
        }
    }

    private mutating func blocks(of layout: Tag) throws(TemplateError) -> [(name: Name, nodes: [Node])] {
        var blocks: [(name: Name, nodes: [Node])] = []
        for node in try nodes(of: layout) {
            switch node {
            case .block(let name, let nodes): blocks.append((name, nodes))
            case .text(let text) where text.allSatisfy(\.isWhitespace): break
            default: throw error("only blocks are allowed in {{<\(layout.text)}}", layout.position)
            }
        }
        return blocks
    }

    private func name(_ tag: Tag) throws(TemplateError) -> Name {
        guard tag.words.count == 1 else { throw error("a tag has one name", tag.position) }
        return try checked(Name(text: tag.words[0], position: tag.position))
    }

    private func second(of tag: Tag) throws(TemplateError) -> Name? {
        guard tag.words.count > 1 else { return nil }
        // The text has single blanks between words, so its end gives the position of the second word.
        let before = tag.text.utf8.count - tag.words[1].utf8.count
        let column = tag.position.column + before
        return try checked(
            Name(text: tag.words[1], position: Position(line: tag.position.line, column: column)))
    }

    private func checked(_ name: Name) throws(TemplateError) -> Name {
        let path = name.text.hasPrefix("@") ? name.text.dropFirst() : name.text[...]
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            part.first?.isLetter == true && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        guard name.text == "." || isName else { throw error("“\(name.text)” isn't a name", name.position) }
        return name
    }

    // MARK: Tags

    private enum Kind {
        case value, raw, section, inverted, close, comment, partial, block, layout

        init(sign: UInt8) {
            switch sign {
            case UInt8(ascii: "{"): self = .raw
            case UInt8(ascii: "#"): self = .section
            case UInt8(ascii: "^"): self = .inverted
            case UInt8(ascii: "/"): self = .close
            case UInt8(ascii: "!"): self = .comment
            case UInt8(ascii: ">"): self = .partial
            case UInt8(ascii: "$"): self = .block
            case UInt8(ascii: "<"): self = .layout
            default: self = .value
            }
        }

        var canBeStandalone: Bool { self != .value && self != .raw }
    }

    private struct Tag {
        let kind: Kind
        let sign: String
        /// Without the sign, and without blanks around it.
        let text: String
        let position: Position
        var isStandalone = false

        var words: [String] { text.split(separator: " ").map(String.init) }
    }

    private mutating func tag() throws(TemplateError) -> Tag? {
        guard index < bytes.count else { return nil }
        let start = position
        let wasAtLineStart = isAtLineStart
        advance(2)
        guard index < bytes.count else { throw error("the tag is never closed", start) }
        let kind = Kind(sign: bytes[index])
        if [UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "*")].contains(bytes[index])
        {
            throw error("{{\(Character(UnicodeScalar(bytes[index]))) is not known here", start)
        }
        let sign = kind == .value ? "" : String(decoding: bytes[index...index], as: UTF8.self)
        if kind != .value { advance(1) }
        skipBlanks()
        let inner = position
        let end = kind == .raw ? "}}}" : "}}"
        let from = index
        while index < bytes.count, !isAt(end) {
            guard kind == .comment || bytes[index] != UInt8(ascii: "\n") else { break }
            advance(1)
        }
        guard isAt(end) else { throw error("the tag is never closed with \(end)", start) }
        let text = String(decoding: bytes[from..<index], as: UTF8.self).split(separator: " ").joined(
            separator: " ")
        guard !text.isEmpty || kind == .comment else { throw error("the tag has no name", start) }
        advance(end.utf8.count)
        isAtLineStart = false
        var tag = Tag(kind: kind, sign: sign, text: text, position: inner)
        if kind.canBeStandalone, wasAtLineStart { tag.isStandalone = skipRestOfBlankLine() }
        return tag
    }

    // MARK: Bytes

    /// Returns the text up to the next tag, without the indentation of its lines.
    private mutating func text() -> String {
        var text: [UInt8] = []
        if isAtLineStart { skipBlanks() }
        while index < bytes.count, !isAt("{{") {
            let byte = bytes[index]
            text.append(byte)
            advance(1)
            isAtLineStart = byte == UInt8(ascii: "\n")
            if isAtLineStart { skipBlanks() }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func skipRestOfBlankLine() -> Bool {
        let end = bytes[index...].firstIndex { !Self.isBlank($0) } ?? bytes.count
        guard end == bytes.count || bytes[end] == UInt8(ascii: "\n") else { return false }
        advance(min(end + 1, bytes.count) - index)
        isAtLineStart = true
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { advance(1) }
    }

    private mutating func advance(_ count: Int) {
        for _ in 0..<count where index < bytes.count {
            let isLineEnd = bytes[index] == UInt8(ascii: "\n")
            position =
                isLineEnd
                ? Position(line: position.line + 1, column: 1)
                : Position(line: position.line, column: position.column + 1)
            index += 1
        }
    }

    private func isAt(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private func error(_ reason: String, _ position: Position) -> TemplateError {
        TemplateError(file: file, position: position, reason: reason)
    }
}
