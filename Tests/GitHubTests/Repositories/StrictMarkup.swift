import Foundation
import Testing

@testable import GitHub

/// The grammar of cleaned markup: so strict that every HTML parser finds the same tags in it.
///
/// Written independently of the cleaner: a list of permitted elements, and a grammar.
enum StrictMarkup {
    struct Offence: Error, CustomStringConvertible {
        let description: String
    }

    private static let elements: Set = [
        "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "details", "dfn", "div",
        "dl",
        "dt", "em", "figcaption", "figure", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark",
        "ol", "p",
        "pre", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub", "summary", "sup",
        "table",
        "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var",
    ]
    private static let void: Set = ["br", "hr"]
    private static let phrasing: Set = [
        "a", "abbr", "b", "br", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "rp",
        "rt",
        "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
    ]
    private static let frame: Set = ["table", "thead", "tbody", "tfoot", "tr"]
    private static let entities: Set = ["amp", "lt", "gt", "quot", "#39", "#123"]
    /// The form of each attribute's value, as written.
    private static let attributes: [String: String] = [
        "dir": "ltr|rtl|auto", "lang": "[A-Za-z0-9-]+", "align": "left|center|right|justify", "open": "",
        "reversed": "", "start": "-?[0-9]+", "value": "-?[0-9]+", "type": "[1aAiI]", "colspan": "[0-9]+",
        "rowspan": "[0-9]+", "scope": "(col|row)(group)?", "class": "code-[a-z]+", "role": "img",
        "aria-label": "Done|To do", "rel": "noopener noreferrer nofollow ugc", "target": "_blank",
        "id": "readme-[^\\s\"'<>]+", "title": "[^\"'<>]+",
        "href": "(https?://[!-~]+|mailto:[!-~]+|#readme-[^\\s\"'<>]+)",
    ]
    private static let parents: [String: Set<String>] = [
        "li": ["ul", "ol"], "dt": ["dl"], "dd": ["dl"], "summary": ["details"], "figcaption": ["figure"],
        "caption": ["table"], "thead": ["table"], "tbody": ["table"], "tfoot": ["table"],
        "tr": ["table", "thead", "tbody", "tfoot"], "td": ["tr"], "th": ["tr"],
    ]

    static func check(_ readme: Readme) throws {
        var open: [String] = []
        var ids: Set<String> = []
        for part in readme.parts {
            switch part {
            case .markup(let markup): try check(markup.html, &open, &ids)
            case .picture(let picture):
                try check(picture)
                try check(text: "picture", in: open.last)
            }
        }
        guard open.isEmpty else { throw Offence(description: "open: \(open)") }
    }

    private static func check(_ picture: Readme.Picture) throws {
        guard picture.url.wholeMatch(of: #/https?://[!-~]+/#) != nil, !picture.url.contains("\"") else {
            throw Offence(description: "picture \(picture.url)")
        }
        guard picture.alt == picture.alt.sanitized, picture.alt.utf8.count <= 2_000 else {
            throw Offence(description: "alt \(picture.alt)")
        }
    }

    private static func check(_ markup: String, _ open: inout [String], _ ids: inout Set<String>) throws {
        var rest = Substring(markup)
        guard !markup.contains("{{") else { throw Offence(description: "template") }
        while let next = rest.firstIndex(of: "<") {
            try check(text: rest[..<next], in: open.last)
            guard let end = rest[next...].firstIndex(of: ">") else { throw Offence(description: "no end") }
            try check(tag: rest[rest.index(after: next)..<end], &open, &ids)
            rest = rest[rest.index(after: end)...]
        }
        try check(text: rest, in: open.last)
    }

    /// No raw markup character, no control character, and only the entities that Roost writes.
    private static func check(text: Substring, in parent: String? = nil) throws {
        if let parent, frame.contains(parent), !text.allSatisfy(\.isWhitespace) {
            throw Offence(description: "text in \(parent)")
        }
        var rest = text.unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "&" {
                let entity = String(rest.prefix { $0 != ";" }.prefix(10))
                guard entities.contains(entity) else {
                    throw Offence(description: "entity in \(text.prefix(500))")
                }
                rest = rest.dropFirst(entity.unicodeScalars.count + 1)
            }
            guard !"<>\"'".unicodeScalars.contains(scalar), isCalm(scalar) else {
                throw Offence(description: "\(scalar) in \(text.prefix(500))")
            }
        }
    }

    private static func isCalm(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    /// Finds elements that a browser would move or close early: later end tags would then close elements of the page.
    private static func check(_ name: String, in open: [String]) throws {
        let headings = ["h3", "h4", "h5", "h6"]
        if headings.contains(name), open.contains(where: headings.contains) {
            throw Offence(description: "\(name) in \(open)")
        }
        let cell = open.lastIndex { ["td", "th", "caption"].contains($0) } ?? -1
        let paragraph = open.lastIndex(of: "p") ?? -1
        if paragraph > cell, !phrasing.contains(name) { throw Offence(description: "\(name) in \(open)") }
        if let last = open.last, frame.contains(last), parents[name] == nil {
            throw Offence(description: "\(name) in \(last)")
        }
    }

    private static func check(tag: Substring, _ open: inout [String], _ ids: inout Set<String>) throws {
        if tag.hasPrefix("/") {
            guard let last = open.popLast(), last == tag.dropFirst() else {
                throw Offence(description: "end \(tag)")
            }
            return
        }
        guard let form = tag.wholeMatch(of: #/([a-z0-9]+)((?: [a-z-]+="[^"<>]*")*)/#) else {
            throw Offence(description: "tag \(tag)")
        }
        let name = String(form.1)
        guard elements.contains(name) else { throw Offence(description: "element \(name)") }
        if let allowed = parents[name], !allowed.contains(open.last ?? "") {
            throw Offence(description: "\(name) in \(open)")
        }
        try check(name, in: open)
        if name == "a", open.contains("a") { throw Offence(description: "link in link") }
        for pair in form.2.matches(of: #/ ([a-z-]+)="([^"]*)"/#) {
            try check(text: pair.2)
            let key = String(pair.1)
            guard let pattern = attributes[key], try Regex(pattern).wholeMatch(in: pair.2) != nil else {
                throw Offence(description: "attribute \(key)=\(pair.2)")
            }
            if key == "id", !ids.insert(String(pair.2)).inserted { throw Offence(description: "id twice") }
        }
        if form.2.contains("https://") || form.2.contains("http://"), name == "a", !form.2.contains(" rel=") {
            throw Offence(description: "rel \(tag)")
        }
        if !void.contains(name) { open.append(name) }
    }
}
