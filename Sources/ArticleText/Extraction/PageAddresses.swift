import Foundation
package import HTMLDocument
import TextFormats

/// Resolves the addresses in a page, relative to its own address or its `base` element.
struct PageAddresses: Sendable {
    private let scheme: String
    /// Such as "https://example.org"; empty if the page's address is unknown.
    private let origin: String
    private let folder: [String]
    private let path: String

    init(url: String?, tree: PageTree) {
        let own = Self(url: url)
        let base = (0..<tree.count).first { tree.nodes[$0].tag == .base && tree.value(.href, of: $0) != nil }
        let named = base.flatMap { tree.text(.href, of: $0) }.flatMap { own.absolute($0) }
        self = named.map { Self(url: $0) } ?? own
    }

    init(url: String?) {
        guard let url = url.flatMap(AddressText.cleaned),
            case .absolute(let address) = AddressText.read(
                url, defaultScheme: "https", schemes: ["http", "https"])
        else {
            (scheme, origin, folder, path) = ("https", "", [], "")
            return
        }
        scheme = address.hasPrefix("https") ? "https" : "http"
        let rest = address.dropFirst(scheme.count + 3)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        origin = "\(scheme)://\(host)"
        let path = rest.dropFirst(host.count).prefix { $0 != "?" && $0 != "#" }
        self.path = path.isEmpty ? "/" : String(path)
        folder = AddressText.resolvedPath(path, from: [])?.dropLast() ?? []
    }

    /// Returns an absolute address, or nil for an invalid one or another scheme.
    func absolute(_ text: String, schemes: Set<String> = ["http", "https"]) -> String? {
        guard let text = AddressText.cleaned(text) else { return nil }
        switch AddressText.read(text, defaultScheme: scheme, schemes: schemes) {
        case .absolute(let url): return url
        case .refused: return nil
        case .relative: break
        }
        guard !origin.isEmpty else { return nil }
        let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
        guard end > text.startIndex else {
            return AddressText.withinLimit(origin + path + AddressText.encoded(text))
        }
        let start = text.hasPrefix("/") ? [] : folder
        guard let parts = AddressText.resolvedPath(text[..<end], from: start) else { return nil }
        return AddressText.withinLimit(
            "\(origin)/\(parts.joined(separator: "/"))\(AddressText.encoded(text[end...]))")
    }
}

/// The markup policy for articles on Roost's pages.
package struct ArticlePolicy: MarkupPolicy {
    let addresses: PageAddresses
    package let maximumBytes = 4_000_000
    package let separatesPictures = false
    /// `h1` is reserved for the page's own heading.
    package let headings = ["h1": "h2", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6"]
    package let codeClasses: [String: String] = [:]

    /// No id on Roost's own pages begins with this.
    package static let prefix = "article-"

    init(addresses: PageAddresses) { self.addresses = addresses }

    /// For text without its page's head.
    package init(url: String) { self.init(addresses: PageAddresses(url: url)) }

    package mutating func visit(_ element: HTMLDocument.Element, depth: Int) {}

    package func link(_ text: String) -> MarkupLink? {
        if text.hasPrefix("#") {
            let name = String(text.dropFirst())
            return elementID(PercentEncoding.decoded(name)).map { .fragment($0) }
        }
        return addresses.absolute(text, schemes: ["http", "https", "mailto"]).map { .page($0) }
    }

    package func picture(_ text: String) -> String? { addresses.absolute(text) }

    package func elementID(_ name: String) -> String? {
        AddressText.elementID(name, prefix: Self.prefix)
    }
}
