import Foundation
import HTMLDocument

struct PageMetadata {
    let title: String?
    let byline: String?
    let siteName: String?
    let language: String?
    let published: Date?
    let excerpt: String?
    let leadImage: String?
    let canonical: String?

    private static let maximumTitle = 500
    /// The maximum size of an element with a name or a date.
    private static let maximumNodes = 40
    private static let maximumExcerpt = 500

    init(_ page: PageBlocks, _ facts: PageFacts, _ addresses: PageAddresses, chosen: [Bool]) {
        let tree = page.tree
        let site = Self.first(facts, ["og:site_name", "application-name"]) ?? facts.data.publisher
        siteName = Self.line(site, 200)
        title = Self.title(page, facts, site: site)
        byline = Self.byline(tree, facts, site: site)
        language = Self.language(tree, facts)
        published = Self.published(tree, facts)
        let about = Self.first(facts, ["og:description", "description", "twitter:description"])
        excerpt = Self.line(about ?? facts.data.description, Self.maximumExcerpt)
        let image = Self.first(
            facts, ["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"])
        leadImage = (image ?? facts.data.image).flatMap { addresses.absolute($0) }
        let link = (0..<tree.count).first { node in
            tree.nodes[node].tag == .link
                && tree.value(.rel, of: node).map { PageText.contains($0, "canonical") } ?? false
        }
        let own = link.flatMap { tree.text(.href, of: $0) } ?? facts.meta["og:url"]
        canonical = own.flatMap { addresses.absolute($0) }
    }

    private static func first(_ facts: PageFacts, _ names: [String]) -> String? {
        names.lazy.compactMap { facts.meta[$0] }.first { !$0.isBlank }
    }

    /// Joins the text into one line and decodes entities that were escaped twice; nil if nothing is left.
    private static func line(_ text: String?, _ maximum: Int) -> String? {
        guard let text else { return nil }
        let plain = PageText.oneLine(HTMLEntities.decoded(Array(text.utf8)[...]).utf8).sanitized
        let line = String(plain.unicodeScalars.prefix(maximum)).trimmed
        return line.isEmpty ? nil : line
    }

    // MARK: Title

    private static func title(_ page: PageBlocks, _ facts: PageFacts, site: String?) -> String? {
        let element = line(facts.title, maximumTitle)
        let named = line(
            first(facts, ["og:title", "twitter:title", "dc.title", "citation_title"]), maximumTitle)
        let headline = line(facts.data.headline, maximumTitle)
        let headings = page.tree.nodes.indices.lazy.filter { page.tree.nodes[$0].tag == .h1 }.prefix(5)
            .compactMap { line(page.tree.text(in: $0), maximumTitle) }
        let pageTitles = [element, named, headline].compactMap { $0.map(folded) }
        // Prefer a heading that is part of the page's title, because it lacks the site's name.
        for heading in headings {
            let plain = folded(heading)
            if plain.utf8.count >= 4, pageTitles.contains(where: { $0.containsBytes(plain) }),
                plain != site.map(folded)
            {
                return heading
            }
        }
        if let named { return withoutSite(named, site: site, element: element) }
        if let headline { return headline }
        if let only = headings.first, headings.count == 1, page.tree.count > 0 { return only }
        return element.map { withoutSite($0, site: site, element: nil) } ?? headings.first
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }

    /// Returns "A headline" for "A headline - Some Site".
    private static func withoutSite(_ title: String, site: String?, element: String?) -> String {
        let site = site.map(folded) ?? ""
        for separator in [" | ", " — ", " – ", " - ", " · ", " • ", " :: ", " » ", " « ", " // "] {
            let parts = title.components(separatedBy: separator)
            guard parts.count > 1, let last = parts.last, let head = parts.first else { continue }
            let end = folded(last)
            if !site.isEmpty, folded(head) == site { return parts.dropFirst().joined(separator: separator) }
            let words = end.split(separator: " ").count
            let isName = end == site || site.containsBytes(end) || end.containsBytes(site) && !site.isEmpty
            let titleWords = folded(parts.dropLast().joined(separator: " ")).split(separator: " ").count
            if isName || separator == " | " && words <= 5 || words <= 4 && titleWords > words {
                return withoutSite(
                    parts.dropLast().joined(separator: separator), site: site, element: element)
            }
        }
        return title.trimmed
    }

    // MARK: Author

    private static func byline(_ tree: PageTree, _ facts: PageFacts, site: String?) -> String? {
        let data = facts.data.authors.compactMap { author($0, site: site) }
        if !data.isEmpty { return names(data) }
        let meta = [
            "author", "article:author", "dc.creator", "dc.creator.author", "citation_author",
            "parsely-author",
            "sailthru.author", "byl", "twitter:creator",
        ]
        for name in meta.dropLast() {
            if let text = facts.meta[name], let name = author(text, site: site) { return name }
        }
        for index in 0..<tree.count {
            let node = tree.nodes[index]
            guard node.tag != .text, node.tag != .meta, node.tag != .link, node.tag != .body,
                node.tag != .html,
                tree.end(index) - index < maximumNodes, isByline(index, in: tree)
            else { continue }
            if let name = author(tree.text(in: index), site: site) { return name }
        }
        return nil
    }

    private static func names(_ list: [String]) -> String? {
        var seen: Set<String> = []
        return list.filter { seen.insert($0).inserted }.prefix(5).joined(separator: ", ")
    }

    private static func isByline(_ node: Int, in tree: PageTree) -> Bool {
        if let rel = tree.value(.rel, of: node), PageText.contains(rel, "author") { return true }
        if let prop = tree.value(.itemprop, of: node), PageText.contains(prop, "author") { return true }
        guard let name = tree.value(.class, of: node) else { return false }
        return PageText.contains(name, "byline") || PageText.contains(name, "author-name")
            || PageText.contains(name, "author_name") || PageText.contains(name, "post-author")
            || PageText.contains(name, "entry-author") || PageText.contains(name, "authorname")
    }

    /// Returns the name without "By", or nil for anything else.
    private static func author(_ text: String, site: String?) -> String? {
        guard var name = line(text, 300) else { return nil }
        for word in ["written by ", "posted by ", "by: ", "by ", "von ", "par ", "por "]
        where name.lowercased().hasPrefix(word) {
            name = String(name.dropFirst(word.count)).trimmed
        }
        for end in [" | ", " · ", " • ", " on ", ", updated", " published"] {
            if let range = name.range(of: end, options: .caseInsensitive) {
                name = String(name[..<range.lowerBound]).trimmed
            }
        }
        let words = name.split(separator: " ").count
        guard !name.containsBytes("://"), !name.containsBytes("@"), words <= 12, name.utf8.count >= 2,
            name.contains(where: \.isLetter)
        else { return nil }
        return name
    }

    // MARK: Language and date

    private static func language(_ tree: PageTree, _ facts: PageFacts) -> String? {
        let root = (0..<min(tree.count, 5)).first { tree.nodes[$0].tag == .html }
        let texts = [
            root.flatMap { tree.text(.lang, of: $0) ?? tree.text(.xmlLang, of: $0) },
            facts.meta["content-language"],
            facts.meta["og:locale"], facts.data.language, facts.meta["language"], facts.meta["dc.language"],
        ]
        return texts.lazy.compactMap { $0.flatMap(primary) }.first
    }

    private static func primary(_ text: String) -> String? {
        let part = text.trimmed.lowercased().prefix { $0.isASCII && $0.isLetter }
        return (2...3).contains(part.utf8.count) ? String(part) : nil
    }

    private static let dateNames = [
        "article:published_time", "datepublished", "og:published_time", "article:published", "date",
        "pubdate",
        "publishdate", "publish-date", "publication_date", "dc.date", "dc.date.issued", "dcterms.created",
        "dcterms.date", "dcterms.issued", "parsely-pub-date", "sailthru.date", "citation_publication_date",
        "citation_date", "article.published", "published-date", "og:article:published_time",
        "cxenseparse:recs:publishtime",
    ]

    private static func published(_ tree: PageTree, _ facts: PageFacts) -> Date? {
        if let date = facts.meta["article:published_time"].flatMap(PageDate.read) { return date }
        if let date = facts.data.published.flatMap(PageDate.read) { return date }
        for name in dateNames {
            if let date = facts.meta[name].flatMap(PageDate.read) { return date }
        }
        var firstTime: Date?
        for index in 0..<tree.count {
            let node = tree.nodes[index]
            guard node.tag != .text, tree.end(index) - index < maximumNodes else { continue }
            if let prop = tree.value(.itemprop, of: index), PageText.contains(prop, "datepublished") {
                let text =
                    tree.text(.datetime, of: index) ?? tree.text(.content, of: index) ?? tree.text(in: index)
                if let date = PageDate.read(text) { return date }
            }
            if node.tag == .time, firstTime == nil {
                firstTime = PageDate.read(tree.text(.datetime, of: index) ?? tree.text(in: index))
            }
            guard firstTime == nil, let name = tree.value(.class, of: index),
                PageText.contains(name, "date") || PageText.contains(name, "published"),
                tree.end(index) - index < 12
            else { continue }
            firstTime = PageDate.read(tree.text(in: index))
        }
        return firstTime
    }
}
