import Foundation
import HTMLDocument

/// The elements and attributes that are allowed in untrusted text, and their names in the output.
package struct HTMLAllowlist {
    private let headings: [String: String]
    private let codeClasses: [String: String]

    init(_ policy: some MarkupPolicy) {
        headings = policy.headings
        codeClasses = policy.codeClasses
    }

    /// Removed with their content: active, drawn and specially parsed elements. Not `source` and `track`, because
    /// libxml2 2.9 nests the following elements inside them.
    static let dropped: Set = [
        "applet", "audio", "base", "canvas", "clipboard-copy", "datalist", "dialog", "embed", "frame",
        "frameset", "iframe", "link", "map", "math", "meta", "noembed", "noframes", "noscript", "object",
        "param", "plaintext", "portal", "script", "select", "style", "svg", "template", "textarea", "title",
        "video", "xmp",
    ]

    /// Allowed everywhere except directly in a table's frame.
    private static let plain: Set = [
        "abbr", "b", "blockquote", "cite", "code", "del", "details", "dfn", "div", "dl", "em", "figure",
        "i", "ins", "kbd", "mark", "ol", "p", "pre", "q", "ruby", "s", "samp", "small", "span", "strong",
        "sub",
        "sup", "table", "u", "ul", "var",
    ]
    private static let renamed = ["tt": "code", "strike": "s", "center": "div"]
    /// Elements that need certain parents, and their replacement elsewhere; nil keeps only their content.
    private static let parentRules: [String: (parents: Set<String>, replacement: String?)] = [
        "li": (["ul", "ol"], "div"), "dt": (["dl"], "div"), "dd": (["dl"], "div"),
        "summary": (["details"], "div"), "figcaption": (["figure"], "div"), "rt": (["ruby"], nil),
        "rp": (["ruby"], nil), "caption": (["table"], nil), "thead": (["table"], nil),
        "tbody": (["table"], nil),
        "tfoot": (["table"], nil), "tr": (["table", "thead", "tbody", "tfoot"], nil), "td": (["tr"], nil),
        "th": (["tr"], nil),
    ]
    /// Browsers move other elements in these out of the table.
    static let tableFrame: Set = ["table", "thead", "tbody", "tfoot", "tr"]

    /// A paragraph ends where one of these begins, even without an end tag.
    package static let blocks: Set = [
        "blockquote", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "h2", "h3", "h4", "h5",
        "h6", "hr", "li", "ol", "p", "pre", "summary", "table", "ul",
    ]
    static let headingNames: Set = ["h2", "h3", "h4", "h5", "h6"]
    /// A paragraph outside of these does not affect the content.
    static let cells: Set = ["caption", "td", "th"]

    private static let alignable: Set = [
        "p", "div", "h2", "h3", "h4", "h5", "h6", "table", "tr", "td", "th",
    ]

    static func isTablePart(_ name: String) -> Bool {
        parentRules[name]?.parents.isDisjoint(with: tableFrame) == false
    }

    /// Returns the element's name in the output, or nil to keep only its content.
    ///
    /// - Parameter parent: the innermost open element of the output
    func name(for name: String, in parent: String?) -> String? {
        let isInFrame = parent.map(Self.tableFrame.contains) ?? false
        if let rule = Self.parentRules[name] {
            if let parent, rule.parents.contains(parent) { return name }
            return isInFrame ? nil : rule.replacement
        }
        guard !isInFrame else { return nil }
        return headings[name] ?? Self.renamed[name] ?? (Self.plain.contains(name) ? name : nil)
    }

    /// Returns the allowed attributes, except for the id and a link's address. Each value is one of a few, or a number,
    /// or sanitized text.
    ///
    /// - Parameter name: the element's name in the output
    func attributes(of element: HTMLDocument.Element, as name: String) -> [(String, String)] {
        var allowed: [(String, String)] = []
        func allow(_ key: String, _ value: (String) -> String?) {
            if let value = element[key].flatMap(value) { allowed.append((key, value)) }
        }
        func allow(_ key: String, oneOf values: Set<String>) {
            allow(key) { values.contains($0.lowercased()) ? $0.lowercased() : nil }
        }
        allow("dir", oneOf: ["ltr", "rtl", "auto"])
        allow("lang") { $0.wholeMatch(of: #/[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,3}/#) == nil ? nil : $0 }
        if Self.alignable.contains(name) { allow("align", oneOf: ["left", "center", "right", "justify"]) }
        switch name {
        case "div" where element.name == "center": allowed.append(("align", "center"))
        case "span":
            allow("class") { $0.splitBytes(at: " ").lazy.compactMap { codeClasses[String($0)] }.first }
            // A check box of a task list, as the sanitizer itself writes it.
            if element["role"] == "img", let label = element["aria-label"], ["Done", "To do"].contains(label)
            {
                allowed += [("role", "img"), ("aria-label", label)]
            }
        case "a", "abbr": allow("title") { self.line($0, maximum: 300) }
        case "ol":
            allow("start") { Self.number($0, in: -100_000...1_000_000) }
            allow("type") { ["1", "a", "A", "i", "I"].contains($0) ? $0 : nil }
            allow("reversed") { _ in "" }
        case "li": allow("value") { Self.number($0, in: -100_000...1_000_000) }
        case "details": allow("open") { _ in "" }
        case "td", "th":
            allow("colspan") { Self.number($0, in: 1...100) }
            allow("rowspan") { Self.number($0, in: 1...1_000) }
            if name == "th" { allow("scope", oneOf: ["col", "row", "colgroup", "rowgroup"]) }
        default: break
        }
        return allowed
    }

    /// Returns the side of a picture in pixels, 1 to 2,000; nil for percentages.
    func pixels(_ text: String?) -> Int? {
        guard var text = text?.trimmed, text.utf8.count <= 8 else { return nil }
        if text.hasSuffix("px") { text.removeLast(2) }
        return Int(text).flatMap { (1...2_000).contains($0) ? $0 : nil }
    }

    func line(_ text: String, maximum: Int) -> String {
        String(text.unicodeScalars.prefix(maximum)).sanitized.trimmed
    }

    private static func number(_ text: String, in bounds: ClosedRange<Int>) -> String? {
        Int(text.trimmed).flatMap { bounds.contains($0) ? String($0) : nil }
    }
}
