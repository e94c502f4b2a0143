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
        let bytes = Array(markup.html.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 1_024)
        var place = 0
        var isInLink = false
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            result += bytes[place..<start]
            let tag = bytes[start...end]
            place = end + 1
            if tag.starts(with: Array("<a ".utf8)) || tag.starts(with: Array("<a>".utf8)) { isInLink = true }
            if tag.starts(with: Array("</a>".utf8)) { isInLink = false }
            guard tag.starts(with: Array("<img ".utf8)),
                let source = tag.firstRange(of: Array(" src=\"/pictures/".utf8)),
                let quote = tag[source.upperBound...].firstIndex(of: UInt8(ascii: "\""))
            else {
                result += tag
                continue
            }
            let copy = tag[..<quote] + Array("/page".utf8) + tag[quote...]
            if isInLink {
                result += copy
            } else {
                let address = Array("/pictures/".utf8) + tag[source.upperBound..<quote]
                result += Array("<a href=\"".utf8) + address + Array("\" target=\"_blank\">".utf8)
                result += copy + Array("</a>".utf8)
            }
        }
        result += bytes[place...]
        return CleanMarkup(cleaned: String(decoding: result, as: UTF8.self))
    }

    /// The cleaner writes attributes in double quotes and escapes what stands in them: no value holds a quotation mark or
    /// the end of a tag.
    private static func rewriting(_ markup: CleanMarkup, _ path: (String) -> String?) -> CleanMarkup {
        let bytes = Array(markup.html.utf8)
        let (opening, attribute) = (Array("<img ".utf8), Array(" src=\"".utf8))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var (place, seen) = (0, 0)
        while let start = bytes[place...].firstRange(of: opening)?.lowerBound {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { break }
            let tag = bytes[start..<end]
            result += bytes[place..<start]
            place = end
            guard let source = tag.firstRange(of: attribute),
                let quote = tag[source.upperBound...].firstIndex(of: UInt8(ascii: "\""))
            else {
                result += tag
                continue
            }
            let escaped = CleanMarkup(
                cleaned: String(decoding: tag[source.upperBound..<quote], as: UTF8.self))
            let address = String(decoding: MarkupText(escaped).units, as: UTF16.self)
            seen += 1
            result += tag[..<source.lowerBound]
            if seen <= maximumPictures, let path = path(address) { result += Array(" src=\"\(path)\"".utf8) }
            result += tag[(quote + 1)...]
        }
        result += bytes[place...]
        return CleanMarkup(cleaned: String(decoding: result, as: UTF8.self))
    }
}
