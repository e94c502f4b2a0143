package import ArticleText
import RoostSupport

/// Pictures in articles: only from public addresses.
struct ArticlePictureSource: PictureSource {
    var webURL: String { "" }
    var pictureURL: String { "" }
    var isTrusted: Bool { false }
    var isArticle: Bool { true }
}

/// Replaces an article's pictures with Roost's copies, so that browsers contact no other host.
package struct ArticlePictures: Sendable {
    private static let maximumPictures = 200

    private let cache: PictureCache

    init(cache: PictureCache) { self.cache = cache }

    /// The path of Roost's copy, or nil if it is not here yet; it is fetched then.
    package func path(of url: String?) -> String? { cache.address(of: url, from: ArticlePictureSource()) }

    package static func addresses(in markup: CleanMarkup) -> [String] {
        var addresses: [String] = []
        _ = rewriting(markup) { address in
            if !addresses.contains(address) { addresses.append(address) }
            return nil
        }
        return addresses
    }

    /// Replaces the pictures that are here; the others show their alternative text and are fetched.
    ///
    /// - Parameter stored: the names of the pictures that are stored with the article
    package func shown(_ markup: CleanMarkup, stored: Set<String> = []) -> CleanMarkup {
        Self.rewriting(markup) { url in
            let name = stored.isEmpty ? nil : PictureAddress(url, from: ArticlePictureSource())?.name
            guard let name, stored.contains(name) else { return path(of: url) }
            return "/pictures/" + name
        }
    }

    /// Prepares an article for a page: pictures are reduced to page size and link to the originals. A picture inside a
    /// link keeps that link.
    package static func linked(_ markup: CleanMarkup) -> CleanMarkup {
        var isInLink = false
        return markup.replacingTags { tag in
            if tag.starts(with: "<a ") || tag.starts(with: "<a>") { isInLink = true }
            if tag.starts(with: "</a>") { isInLink = false }
            guard tag.starts(with: "<img "), let source = tag.attribute(" src=\"") else { return nil }
            let path = tag.text(source.value)
            guard path.hasPrefix("/pictures/") else { return nil }
            let end = source.value.upperBound
            let copy = tag.bytes[..<end] + Array("/page".utf8) + tag.bytes[end...]
            return isInLink
                ? copy : Array("<a href=\"\(path)\" target=\"_blank\">".utf8) + copy + Array("</a>".utf8)
        }
    }

    private static func rewriting(_ markup: CleanMarkup, _ path: (String) -> String?) -> CleanMarkup {
        var seen = 0
        return markup.replacingTags { tag in
            guard tag.starts(with: "<img "), let source = tag.attribute(" src=\"") else { return nil }
            seen += 1
            let address = CleanMarkup(cleaned: tag.text(source.value)).textContent
            let own = seen <= maximumPictures ? path(address).map { " src=\"\($0)\"" } : nil
            return tag.bytes[..<source.whole.lowerBound] + Array((own ?? "").utf8)
                + tag.bytes[source.whole.upperBound...]
        }
    }
}
