import Foundation
package import HTMLDocument
import TextFormats

/// Makes untrusted HTML safe by rebuilding it from allowed elements and attributes.
///
/// Nothing is copied unchanged, even if someone else has sanitized it before. Every tag is built here, every text and
/// value escaped and every element closed, so that all parsers find the same elements. The surrounding page is
/// protected: there are no scripts, styles, foreign classes, forms, frames or ids of the page, and only http, https,
/// mailto and internal links.
package struct HTMLSanitizer {
    private enum Disposition {
        case written, unwrapped, dropped
    }

    private let rules: HTMLAllowlist
    private var policy: any MarkupPolicy
    private var writer: HTMLSerializer
    private var dispositions: [Disposition] = []
    /// The number of open elements that are removed with their content.
    private var dropped = 0
    private var links = 0
    private var pictures = 0
    private var ids: Set<String> = []

    private static let maximumPictures = 200

    package init(_ policy: some MarkupPolicy) {
        self.policy = policy
        rules = HTMLAllowlist(policy)
        writer = HTMLSerializer(
            maximumBytes: policy.maximumBytes, separatesPictures: policy.separatesPictures)
    }

    /// Reads a whole document. Never fails: an unreadable rest is left out, which `finished` reports.
    package mutating func read(_ html: some Collection<UInt8>) {
        let readable = html.prefix(HTMLDocument.maximumBytes)
        if readable.count < html.count { writer.isCut = true }
        do {
            try HTMLDocument.walk(readable) { process($0) }
        } catch {
            writer.isCut = true
        }
    }

    /// Returns the output with all elements closed, and whether something is missing.
    package mutating func finished() -> (parts: [MarkupPart], isCut: Bool) { writer.finished() }

    package mutating func process(_ event: HTMLDocument.Event) -> Bool {
        switch event {
        case .start(let element): start(element)
        case .end(let name): end(name)
        case .text(let text): if dropped == 0 { writer.text(text) }
        }
        return !writer.isFull
    }

    private mutating func start(_ element: HTMLDocument.Element) {
        let disposition = dropped > 0 ? .dropped : write(element)
        dispositions.append(disposition)
        if disposition == .dropped { dropped += 1 }
    }

    private mutating func end(_ name: String) {
        guard let disposition = dispositions.popLast() else { return }
        switch disposition {
        case .dropped: dropped -= 1
        case .unwrapped: break
        case .written:
            if name == "a" { links -= 1 }
            writer.close()
        }
    }

    private mutating func write(_ element: HTMLDocument.Element) -> Disposition {
        switch element.name {
        case "math": return formula(element)
        case _ where HTMLAllowlist.dropped.contains(element.name): return .dropped
        case "img": picture(element)
        case "input": checkbox(element)
        case "br", "hr": if canNest(element.name) { writer.void(element.name) }
        case "a": return link(element)
        default:
            policy.visit(element, depth: dispositions.count)
            return plain(element)
        }
        return .unwrapped
    }

    /// Writes the source of a formula in place of its MathML.
    private mutating func formula(_ element: HTMLDocument.Element) -> Disposition {
        let formula = MathText.plain(element["alttext"] ?? "")
        if !formula.isEmpty, dropped == 0 { writer.text(formula) }
        return .dropped
    }

    private mutating func plain(_ element: HTMLDocument.Element) -> Disposition {
        guard let name = rules.name(for: element.name, in: writer.innermost), canNest(name) else {
            return .unwrapped
        }
        var attributes = rules.attributes(of: element, as: name)
        if let id = id(of: element) { attributes.append(("id", id)) }
        // A span without attributes has no effect.
        guard name != "span" || !attributes.isEmpty else { return .unwrapped }
        return writer.open(name, attributes) ? .written : .unwrapped
    }

    /// Returns true if a browser would leave the element in place. If it ended another element early (a paragraph at a
    /// block, a heading at a heading), later end tags could close elements of the surrounding page.
    private func canNest(_ name: String) -> Bool {
        if HTMLAllowlist.headingNames.contains(name), writer.isOpen(HTMLAllowlist.headingNames) {
            return false
        }
        if HTMLAllowlist.blocks.contains(name), writer.isOpen(["p"], within: HTMLAllowlist.cells) {
            return false
        }
        return HTMLAllowlist.isTablePart(name) || !writer.isInTableFrame
    }

    /// Nested links are not allowed: a browser would end the outer one.
    private mutating func link(_ element: HTMLDocument.Element) -> Disposition {
        guard links == 0, !writer.isInTableFrame else { return .unwrapped }
        let id = id(of: element).map { [("id", $0)] } ?? []
        var attributes: [(String, String)] = []
        switch element["href"].flatMap(policy.link) {
        case .page(let url)?:
            attributes = [
                ("href", url), ("rel", "noopener noreferrer nofollow ugc"), ("target", "_blank"),
            ]
        case .fragment(let name)?: attributes = [("href", "#" + name)]
        case nil: break
        }
        guard !attributes.isEmpty || !id.isEmpty else { return .unwrapped }
        attributes += rules.attributes(of: element, as: "a")
        guard writer.open("a", attributes + id, ifEmpty: id) else { return .unwrapped }
        links += 1
        return .written
    }

    /// Returns the element's id with a prefix that the page's own ids lack, only once for each id.
    private mutating func id(of element: HTMLDocument.Element) -> String? {
        let text = element["id"] ?? (element.name == "a" ? element["name"] : nil)
        guard let id = text.flatMap(policy.elementID), ids.insert(id).inserted else { return nil }
        return id
    }

    /// Writes the picture, or its text if it cannot be shown.
    private mutating func picture(_ element: HTMLDocument.Element) {
        var alt = rules.line(element["alt"] ?? "", maximum: 500)
        guard let url = element["src"].flatMap(policy.picture), pictures < Self.maximumPictures else {
            writer.text(alt)
            return
        }
        pictures += 1
        // A link needs a name for screen readers.
        if alt.isEmpty, links > 0 {
            alt = rules.line(PictureName.of(element["data-canonical-src"] ?? url), maximum: 60)
        }
        writer.picture(
            .init(
                url: url, alt: alt, width: rules.pixels(element["width"]),
                height: rules.pixels(element["height"])))
    }

    /// Writes a task list's check box, which is not clickable.
    private mutating func checkbox(_ element: HTMLDocument.Element) {
        guard element["type"]?.lowercased() == "checkbox", !writer.isInTableFrame else { return }
        let isDone = element["checked"] != nil
        guard writer.open("span", [("role", "img"), ("aria-label", isDone ? "Done" : "To do")]) else {
            return
        }
        writer.text(isDone ? "☑" : "☐")
        writer.close()
    }
}

enum PictureName {
    /// Returns "build status" for ".../build%20status.svg?branch=main", or "Picture" if there is no name.
    static func of(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.splitBytes(at: "/").last.map(String.init) ?? ""
        let name = PercentEncoding.decoded(last).prefix { $0 != "." }
        return name.isEmpty ? "Picture" : String(name)
    }
}
