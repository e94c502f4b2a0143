import Foundation
import RoostServices
import Testing

/// The form that cleaned markup has: so strict that every reader of HTML finds the same tags in it.
///
/// Written without a word of the cleaner's: a list of what may be there, and a grammar.
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
    /// What each attribute's value looks like, as it is written.
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
            case .markup(let markup): try check(markup, &open, &ids)
            case .picture(let picture): try check(picture)
            }
        }
        guard open.isEmpty else { throw Offence(description: "open: \(open)") }
    }

    private static func check(_ picture: Readme.Picture) throws {
        guard picture.url.wholeMatch(of: #/https?://[!-~]+/#) != nil, !picture.url.contains("\"") else {
            throw Offence(description: "picture \(picture.url)")
        }
        guard picture.alt == picture.alt.calmed, picture.alt.utf8.count <= 2_000 else {
            throw Offence(description: "alt \(picture.alt)")
        }
    }

    private static func check(_ markup: String, _ open: inout [String], _ ids: inout Set<String>) throws {
        var rest = Substring(markup)
        guard !markup.contains("{{") else { throw Offence(description: "template") }
        while let next = rest.firstIndex(of: "<") {
            try check(text: rest[..<next])
            guard let end = rest[next...].firstIndex(of: ">") else { throw Offence(description: "no end") }
            try check(tag: rest[rest.index(after: next)..<end], &open, &ids)
            rest = rest[rest.index(after: end)...]
        }
        try check(text: rest)
    }

    /// No bare sign of markup, no control character, and only the entities that we write.
    private static func check(text: Substring) throws {
        let bare = text.replacing(#/&(amp|lt|gt|quot|#39|#123);/#, with: "")
        let isCalm = bare.unicodeScalars.allSatisfy {
            $0 == "\n" || $0 == "\t"
                || $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
                    && !(0x2028...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
        }
        guard !bare.contains(where: { "&<>\"'".contains($0) }), isCalm else {
            throw Offence(description: "text \(text)")
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
