extension SimulatedSite {
    package static let harbourGazette = SimulatedSite(
        host: "www.harbour-gazette.example", name: "The Harbour Gazette", language: "en",
        tagline: "News from the quay since 1887", layout: .news,
        sections: ["Town", "Harbour", "Science", "Culture", "Opinion"], accent: (38, 94, 116),
        articles: [
            PackageResources.harbour_wall_txt, PackageResources.ferry_txt, PackageResources.tides_txt,
            PackageResources.ledger_txt,
        ].map(SiteArticle.init))

    package static let tidewrightBlog = SimulatedSite(
        host: "blog.tidewright.example", name: "Tidewright Notes", language: "en",
        tagline: "How we keep small servers afloat", layout: .blog, sections: ["Posts", "Tools", "About"],
        accent: (52, 88, 160),
        articles: [PackageResources.queues_txt, PackageResources.tables_txt, PackageResources.measuring_txt]
            .map(SiteArticle.init))

    package static let tidewrightDocumentation = SimulatedSite(
        host: "docs.tidewright.example", name: "Tidewright Documentation", language: "en",
        tagline: "Everything about the gauge", layout: .documentation, sections: ["Guide", "Reference"],
        accent: (52, 88, 160), articles: [SiteArticle(PackageResources.calibrating_txt)])

    package static let alpenkurier = SimulatedSite(
        host: "www.alpenkurier.example", name: "Alpenkurier", language: "de",
        tagline: "Zeitung für Berg und Tal", layout: .news,
        sections: ["Region", "Wissen", "Verkehr", "Kultur", "Meinung"], accent: (58, 110, 72),
        articles: [
            PackageResources.glacier_txt, PackageResources.night_train_txt, PackageResources.cable_car_txt,
        ].map(SiteArticle.init))

    package static let riveSud = SimulatedSite(
        host: "www.rivesud.example", name: "Rive Sud", language: "fr",
        tagline: "Le journal du fleuve et de ses quartiers", layout: .news,
        sections: ["Quartiers", "Culture", "Sciences", "Cuisine", "Idées"], accent: (156, 74, 52),
        articles: [
            PackageResources.market_txt, PackageResources.library_txt, PackageResources.sundial_txt,
            PackageResources.huts_txt,
        ].map(SiteArticle.init))

    package static let keelhouseForum = SimulatedSite(
        host: "forum.keelhouse.example", name: "Keelhouse Forum", language: "en",
        tagline: "Where small boats are mended", layout: .forum,
        sections: ["Ropes and rigging", "Engines", "Varnish", "For sale"], accent: (122, 84, 46),
        articles: [SiteArticle(PackageResources.mooring_lines_txt)])
}

extension SiteArticle {
    /// Reads a file of `Articles`: lines "key: value", an empty line, the text, and comments after "---- AUTHOR" lines.
    ///
    /// A key that is missing is empty.
    init(_ file: [UInt8]) {
        let parts = String(decoding: file, as: UTF8.self).split(separator: "\n---- ")
        let (head, text) = Self.halves(parts[0])
        let fields = head.split(separator: "\n").reduce(into: [String: String]()) { fields, line in
            let colon = line.range(of: ": ") ?? line.endIndex..<line.endIndex
            fields[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        func field(_ name: String) -> String { fields[name] ?? "" }
        self.init(
            path: field("path"), title: field("title"), author: field("author"),
            published: field("published"), section: field("section"), summary: field("summary"),
            tags: field("tags").split(separator: ", ").map(String.init), text: text,
            comments: parts.dropFirst().map {
                let (author, text) = Self.halves($0)
                return SiteComment(author: String(author), text: text)
            },
            isForMembers: field("members") == "yes", isBuiltByScript: field("script") == "yes",
            charset: SiteCharset(rawValue: field("charset")) ?? .utf8)
    }

    /// What precedes the first empty line, and what follows it.
    private static func halves(_ part: Substring) -> (Substring, String) {
        guard let separator = part.range(of: "\n\n") else { return (part, "") }
        let text = part[separator.upperBound...]
        return (part[..<separator.lowerBound], String(text.hasSuffix("\n") ? text.dropLast() : text))
    }
}
