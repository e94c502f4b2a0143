package import Foundation
import HTMLDocument

/// Makes a README of GitHub's HTML harmless: it is written anew out of permitted elements and attributes
/// alone.
///
/// What comes is a stranger's, though GitHub has cleaned it once: nothing of it is copied as it stands. Every
/// tag is put together here, every text and value escaped, and everything opened is closed, so that any
/// reader of HTML finds the same elements in it. The page around it cannot be acted on: no scripts, styles,
/// classes, forms, frames or ids of the page's own, and no link but http, https, mailto and those within the
/// README.
package struct HTMLSanitizer {
    /// What becomes of an element of the source.
    private enum Fate {
        case written, unwrapped, dropped
    }

    private let rules: HTMLAllowlist
    private var writer = HTMLSerializer()
    /// Of the elements that are open in the source.
    private var fates: [Fate] = []
    /// How many of them are left out with all that they hold.
    private var dropped = 0
    private var links = 0
    private var pictures = 0
    private var resolver: ReadmeLinkResolver
    private var ids: Set<String> = []

    private static let maximumPictures = 200

    /// Never fails: of what cannot be read to its end the beginning stays, and `isCut` says so.
    ///
    /// - Parameters:
    ///   - html: as `GET /repos/OWNER/NAME/readme` answers it in the form `application/vnd.github.html`
    ///   - repository: links and pictures without a host of their own are meant within it
    ///   - branch: whose README it is; "HEAD" is GitHub's word for the standard one
    package static func clean(_ html: Data, repository: Repository, branch: String, host: GitHubHost)
        -> Readme
    {
        var cleaner = HTMLSanitizer(ReadmeLinkResolver(repository: repository, branch: branch, host: host))
        let readable = html.prefix(HTMLDocument.maximumBytes)
        if readable.count < html.count { cleaner.writer.isCut = true }
        do {
            try HTMLDocument.walk(readable) { cleaner.take($0) }
        } catch {
            cleaner.writer.isCut = true
        }
        return cleaner.writer.finished()
    }

    private init(_ resolver: ReadmeLinkResolver) {
        self.resolver = resolver
        rules = HTMLAllowlist()
    }

    /// False when no more fits.
    private mutating func take(_ piece: HTMLDocument.Piece) -> Bool {
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
            if fates.count < 8, let path = element["data-path"] { resolver.stand(in: path) }
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
    /// README.
    private func stands(_ name: String) -> Bool {
        if HTMLAllowlist.headings.contains(name), writer.isOpen(HTMLAllowlist.headings) { return false }
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
        switch element["href"].flatMap(resolver.link) {
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
        guard let id = text.flatMap(ReadmeLinkResolver.place), ids.insert(id).inserted else { return nil }
        return id
    }

    /// Its words stay where it cannot be shown.
    private mutating func picture(_ element: HTMLDocument.Element) {
        var alt = rules.line(element["alt"] ?? "", maximum: 500)
        guard let url = element["src"].flatMap(resolver.picture), pictures < Self.maximumPictures else {
            writer.text(alt)
            return
        }
        pictures += 1
        // A link needs a name.
        if alt.isEmpty, links > 0 {
            alt = rules.line(ReadmeLinkResolver.fileName(element["data-canonical-src"] ?? url), maximum: 60)
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
