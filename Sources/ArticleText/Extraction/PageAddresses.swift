import Foundation
package import HTMLDocument

/// What the addresses in a page mean: relative to the page's own address, or to what its `base` element says.
struct PageAddresses: Sendable {
    /// "https".
    private let scheme: String
    /// "https://example.org"; empty where the page's address is not known.
    private let origin: String
    /// The parts of the path, without the last.
    private let folder: [String]
    private let path: String

    init(url: String?, tree: PageTree) {
        let own = Self(url: url)
        let base = (0..<tree.count).first { tree.nodes[$0].tag == .base && tree.value(.href, of: $0) != nil }
        let named = base.flatMap { tree.text(.href, of: $0) }.flatMap { own.absolute($0) }
        self = named.map { Self(url: $0) } ?? own
    }

    private init(url: String?) {
        guard let url = url.flatMap(AddressText.tidy),
            case .whole(let whole) = AddressText.read(url, besides: "https", schemes: ["http", "https"])
        else {
            (scheme, origin, folder, path) = ("https", "", [], "")
            return
        }
        scheme = whole.hasPrefix("https") ? "https" : "http"
        let rest = whole.dropFirst(scheme.count + 3)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        origin = "\(scheme)://\(host)"
        let path = rest.dropFirst(host.count).prefix { $0 != "?" && $0 != "#" }
        self.path = path.isEmpty ? "/" : String(path)
        folder = AddressText.walked(path, from: [])?.dropLast() ?? []
    }

    /// Http or https; nil for what leads nowhere good.
    func absolute(_ text: String, schemes: Set<String> = ["http", "https"]) -> String? {
        guard let text = AddressText.tidy(text) else { return nil }
        switch AddressText.read(text, besides: scheme, schemes: schemes) {
        case .whole(let url): return url
        case .refused: return nil
        case .relative: break
        }
        guard !origin.isEmpty else { return nil }
        let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
        guard end > text.startIndex else {
            return AddressText.fitting(origin + path + AddressText.encoded(text))
        }
        let start = text.hasPrefix("/") ? [] : folder
        guard let parts = AddressText.walked(text[..<end], from: start) else { return nil }
        return AddressText.fitting(
            "\(origin)/\(parts.joined(separator: "/"))\(AddressText.encoded(text[end...]))")
    }
}

/// An article's markup, as it stands on a page of Roost.
package struct ArticlePolicy: MarkupPolicy {
    let addresses: PageAddresses
    package let maximumBytes = 4_000_000
    package let keepsPicturesApart = false
    /// The page's own heading is the first.
    package let headings = ["h1": "h2", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6"]
    package let codeClasses: [String: String] = [:]

    /// No id of a page of Roost begins so.
    package static let prefix = "article-"

    package mutating func meet(_ element: HTMLDocument.Element, depth: Int) {}

    package func link(_ text: String) -> MarkupLink? {
        if text.hasPrefix("#") {
            let name = String(text.dropFirst())
            return place(name.removingPercentEncoding ?? name).map { .place($0) }
        }
        return addresses.absolute(text, schemes: ["http", "https", "mailto"]).map { .page($0) }
    }

    package func picture(_ text: String) -> String? { addresses.absolute(text) }

    package func place(_ name: String) -> String? { AddressText.place(name, prefix: Self.prefix) }
}
