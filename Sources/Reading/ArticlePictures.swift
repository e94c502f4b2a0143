package import ArticleText
import RoostSupport

/// The pictures in articles: at public addresses alone, whoever named them.
struct ArticlePictureSource: PictureSource {
    var webURL: String { "" }
    var pictureURL: String { "" }
    var isTrusted: Bool { false }
    var isArticle: Bool { true }
}

/// Puts Roost's own copies in the place of an article's pictures: a browser asks nobody else for them.
package struct ArticlePictures: Sendable {
    private static let maximumPictures = 200

    private let cache: PictureCache

    init(cache: PictureCache) { self.cache = cache }

    /// Roost's own path of a picture; nil where it is not here yet. It is fetched then.
    package func path(of url: String?) -> String? { cache.address(of: url, from: ArticlePictureSource()) }

    /// The addresses of all pictures in an article.
    package static func addresses(in markup: CleanMarkup) -> [String] {
        var addresses: [String] = []
        _ = rewriting(markup) { address in
            if !addresses.contains(address) { addresses.append(address) }
            return nil
        }
        return addresses
    }

    /// The article with the pictures that are here; of others the alternative text is shown, and they are fetched.
    package func shown(_ markup: CleanMarkup) -> CleanMarkup {
        Self.rewriting(markup) { path(of: $0) }
    }

    /// The article as a page shows it: with copies of the pictures that are not larger than a page needs, each a link to the
    /// picture itself. A picture inside a link keeps that link.
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
