import Foundation
package import HTMLDocument

/// Makes a stranger's HTML harmless: it is rebuilt from permitted elements and attributes alone.
///
/// What comes is a stranger's, whoever may have cleaned it before: nothing of it is copied as it stands. Every
/// tag is put together here, every text and value escaped, and everything opened is closed, so that any
/// reader of HTML finds the same elements in it. The page around it cannot be acted on: no scripts, styles,
/// classes, forms, frames or ids of the page's own, and no link but http, https, mailto and those within the
/// text.
package struct HTMLSanitizer {
    /// What becomes of an element of the source.
    private enum Fate {
        case written, unwrapped, dropped
    }

    private let rules: HTMLAllowlist
    private var policy: any MarkupPolicy
    private var writer: HTMLSerializer
    /// Of the elements that are open in the source.
    private var fates: [Fate] = []
    /// How many of them are left out with all that they hold.
    private var dropped = 0
    private var links = 0
    private var pictures = 0
    private var ids: Set<String> = []

    private static let maximumPictures = 200

    package init(_ policy: some MarkupPolicy) {
        self.policy = policy
        rules = HTMLAllowlist(policy)
        writer = HTMLSerializer(
            maximumBytes: policy.maximumBytes, keepsPicturesApart: policy.keepsPicturesApart)
    }

    /// Reads all of a document. Never fails: of what cannot be read to its end the beginning stays, and
    /// `finished` says so.
    package mutating func read(_ html: some Collection<UInt8>) {
        let readable = html.prefix(HTMLDocument.maximumBytes)
        if readable.count < html.count { writer.isCut = true }
        do {
            try HTMLDocument.walk(readable) { take($0) }
        } catch {
            writer.isCut = true
        }
    }

    /// What has been written, everything in it closed, and whether something is missing.
    package mutating func finished() -> (parts: [MarkupPart], isCut: Bool) { writer.finished() }

    /// False when no more fits.
    package mutating func take(_ piece: HTMLDocument.Piece) -> Bool {
        switch piece {
        case .start(let element): start(element)
        case .end(let name): end(name)
        case .text(let text): if dropped == 0 { writer.text(text) }
        }
        return !writer.isFull
    }

    private mutating func start(_ element: HTMLDocument.Element) {
        let fate = dropped > 0 ? .dropped : write(element)
        fates.append(fate)
        if fate == .dropped { dropped += 1 }
    }

    private mutating func end(_ name: String) {
        guard let fate = fates.popLast() else { return }
        switch fate {
        case .dropped: dropped -= 1
        case .unwrapped: break
        case .written:
            if name == "a" { links -= 1 }
            writer.close()
        }
    }

    private mutating func write(_ element: HTMLDocument.Element) -> Fate {
        switch element.name {
        case _ where HTMLAllowlist.dropped.contains(element.name): return .dropped
        case "img": picture(element)
        case "input": mark(element)
        case "br", "hr": if stands(element.name) { writer.void(element.name) }
        case "a": return link(element)
        default:
            policy.meet(element, depth: fates.count)
            return plain(element)
        }
        return .unwrapped
    }

    private mutating func plain(_ element: HTMLDocument.Element) -> Fate {
        guard let name = rules.name(for: element.name, in: writer.innermost), stands(name) else {
            return .unwrapped
        }
        var attributes = rules.attributes(of: element, as: name)
        if let id = id(of: element) { attributes.append(("id", id)) }
        // Without them it says nothing.
        guard name != "span" || !attributes.isEmpty else { return .unwrapped }
        return writer.open(name, attributes) ? .written : .unwrapped
    }

    /// Whether a browser would leave it where it is written. Where it ends another element early (a paragraph
    /// at a block, a heading at the next), the end tags that follow could end elements of the page around the
    /// text.
    private func stands(_ name: String) -> Bool {
        if HTMLAllowlist.headingNames.contains(name), writer.isOpen(HTMLAllowlist.headingNames) {
            return false
        }
        if HTMLAllowlist.blocks.contains(name), writer.isOpen(["p"], within: HTMLAllowlist.cells) {
            return false
        }
        return HTMLAllowlist.isTablePart(name) || !writer.isInTableFrame
    }

    /// One within another is none: a browser would end the outer one there.
    private mutating func link(_ element: HTMLDocument.Element) -> Fate {
        guard links == 0, !writer.isInTableFrame else { return .unwrapped }
        let id = id(of: element).map { [("id", $0)] } ?? []
        var attributes: [(String, String)] = []
        switch element["href"].flatMap(policy.link) {
        case .page(let url)?:
            attributes = [
                ("href", url), ("rel", "noopener noreferrer nofollow ugc"), ("target", "_blank"),
            ]
        case .place(let name)?: attributes = [("href", "#" + name)]
        case nil: break
        }
        guard !attributes.isEmpty || !id.isEmpty else { return .unwrapped }
        attributes += rules.attributes(of: element, as: "a")
        guard writer.open("a", attributes + id, bare: id) else { return .unwrapped }
        links += 1
        return .written
    }

    /// With the prefix that no id of the page has; each once.
    private mutating func id(of element: HTMLDocument.Element) -> String? {
        let text = element["id"] ?? (element.name == "a" ? element["name"] : nil)
        guard let id = text.flatMap(policy.place), ids.insert(id).inserted else { return nil }
        return id
    }

    /// Its words stay where it cannot be shown.
    private mutating func picture(_ element: HTMLDocument.Element) {
        var alt = rules.line(element["alt"] ?? "", maximum: 500)
        guard let url = element["src"].flatMap(policy.picture), pictures < Self.maximumPictures else {
            writer.text(alt)
            return
        }
        pictures += 1
        // A link needs a name.
        if alt.isEmpty, links > 0 {
            alt = rules.line(PictureName.of(element["data-canonical-src"] ?? url), maximum: 60)
        }
        writer.picture(
            .init(
                url: url, alt: alt, width: rules.pixels(element["width"]),
                height: rules.pixels(element["height"])))
    }

    /// The box of a task list, which cannot be clicked.
    private mutating func mark(_ element: HTMLDocument.Element) {
        guard element["type"]?.lowercased() == "checkbox", !writer.isInTableFrame else { return }
        let isDone = element["checked"] != nil
        guard writer.open("span", [("role", "img"), ("aria-label", isDone ? "Done" : "To do")]) else {
            return
        }
        writer.text(isDone ? "☑" : "☐")
        writer.close()
    }
}

/// What to call a picture of which nothing but its address is known.
enum PictureName {
    /// "build status" of ".../build%20status.svg?branch=main"; "Picture" where there is no name.
    static func of(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.splitBytes(at: "/").last.map(String.init) ?? ""
        let name = (last.removingPercentEncoding ?? last).prefix { $0 != "." }
        return name.isEmpty ? "Picture" : String(name)
    }
}
