import ArticleText
import Foundation
import HTMLDocument
import TextFormats

/// Sanitizes the texts of a pull request as GitHub rendered them, up to a limit for all of them together.
struct PullMarkup {
    /// Of the rules by which texts are sanitized and stored. Increase it with every change of them, also in
    /// `HTMLSanitizer`: stored details of another version count as absent, and are fetched again.
    static let version = 2
    /// For all texts of a pull request, in bytes of HTML.
    private static let maximumBytes = 2_000_000
    /// For one text, in bytes of HTML. GitHub accepts texts of 65,536 characters.
    private static let maximumTextBytes = 200_000
    /// Less room is not worth parsing a text for.
    private static let minimumBytes = 1_000
    /// Longer answers are not read at all, in bytes of JSON.
    static let maximumSourceBytes = 1_000_000
    private static let end = MarkupPart.markup("<p><em>The rest of this text is on GitHub.</em></p>")

    private let web: String
    private var left = PullMarkup.maximumBytes
    private var count = 0

    /// - Parameter htmlURL: the pull request's page, which ends with "/owner/name/pull/1"
    init(htmlURL: String) {
        let parts = htmlURL.splitBytes(at: "/", omittingEmptySubsequences: false)
        web = parts.dropLast(min(4, max(0, parts.count - 3))).joined(separator: "/")
    }

    mutating func clean(_ html: String?) -> PullDetails.Markup {
        guard let html, !html.isBlank else { return [] }
        guard left > Self.minimumBytes else { return [Self.end] }
        count += 1
        var sanitizer = HTMLSanitizer(
            PullLinkResolver(
                web: web, number: count, maximumBytes: min(Self.maximumTextBytes, left),
                headings: Self.headings(of: html)))
        sanitizer.read(html.utf8)
        let (parts, isCut) = sanitizer.finished()
        left -= parts.reduce(0) { sum, part in
            switch part {
            case .markup(let markup): sum + markup.html.utf8.count
            case .picture(let picture): sum + picture.url.utf8.count + picture.alt.utf8.count
            }
        }
        return isCut ? parts + [Self.end] : parts
    }

    /// The text's own levels, whichever they are, follow the title of the page without a gap: the page uses h1 and h2
    /// above texts.
    private static func headings(of html: String) -> [String: String] {
        var isUsed = [Bool](repeating: false, count: 7)
        var (last, beforeLast): (UInt8, UInt8) = (0, 0)
        for byte in html.utf8 {
            if beforeLast == UInt8(ascii: "<"), last | 0x20 == UInt8(ascii: "h"),
                (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(byte)
            {
                isUsed[Int(byte - UInt8(ascii: "0"))] = true
            }
            (beforeLast, last) = (last, byte)
        }
        var next = 3
        var headings: [String: String] = [:]
        for level in 1...6 {
            headings["h\(level)"] = "h\(min(next, 6))"
            if isUsed[level] { next += 1 }
        }
        return headings
    }
}

/// Resolves the links of a text on the pull request's page. GitHub's own links are absolute.
private struct PullLinkResolver: MarkupPolicy {
    let maximumBytes: Int
    let separatesPictures = true
    let headings: [String: String]
    let codeClasses = ReadmeLinkResolver.gitHubCodeClasses

    private let web: String
    private let prefix: String

    /// - Parameters:
    ///   - web: the host's URL without a trailing slash
    ///   - number: makes the text's ids differ from those of the page's other texts
    ///   - headings: the tag for each of the text's heading tags
    init(web: String, number: Int, maximumBytes: Int, headings: [String: String]) {
        self.web = web
        self.maximumBytes = maximumBytes
        self.headings = headings
        prefix = "pull-text-\(number)-"
    }

    mutating func visit(_ element: HTMLDocument.Element, depth: Int) {}

    func link(_ text: String) -> MarkupLink? {
        guard let text = AddressText.cleaned(text) else { return nil }
        if text.hasPrefix("#") {
            return elementID(PercentEncoding.decoded(text.dropFirst())).map { .fragment($0) }
        }
        return address(text, schemes: ["http", "https", "mailto"]).map { .page($0) }
    }

    func picture(_ text: String) -> String? {
        guard let text = AddressText.cleaned(text), !text.hasPrefix("#") else { return nil }
        return address(text, schemes: ["http", "https"])
    }

    func elementID(_ name: String) -> String? {
        let gitHubPrefix = "user-content-"
        let name = name.hasPrefix(gitHubPrefix) ? String(name.dropFirst(gitHubPrefix.count)) : name
        return AddressText.elementID(name, prefix: prefix)
    }

    /// Resolves a relative address against the host.
    private func address(_ text: String, schemes: Set<String>) -> String? {
        switch AddressText.read(text, defaultScheme: "https", schemes: schemes) {
        case .absolute(let url): return url
        case .refused: return nil
        case .relative:
            let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
            guard let parts = AddressText.resolvedPath(text[..<end], from: []) else { return nil }
            return AddressText.withinLimit(
                web + "/" + parts.joined(separator: "/") + AddressText.encoded(text[end...]))
        }
    }
}
