import RoostSupport

/// An article in an export. `JSONArticle` reads the same names.
struct ExportedArticle: Encodable, Sendable {
    private enum CodingKeys: CodingKey {
        case url, finalUrl, tags, updatedAt, site, highlights, gist, fetchState, error, mediaType, kind,
            isPartial, fetchedAt, content, text, comments
    }

    let item: ArticleItem
    let gist: GistDetails?
    /// The text's and the comments' markup.
    let content, text, comments: String?
    var highlights: [Highlight] = []

    func encode(to encoder: any Encoder) throws {
        try item.details.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(item.url, forKey: .url)
        try values.encodeIfPresent(item.finalURL, forKey: .finalUrl)
        try values.encode(item.tags, forKey: .tags)
        try values.encode(item.updatedAt, forKey: .updatedAt)
        try values.encode(item.site, forKey: .site)
        try values.encode(highlights.map(Highlight.InFile.init), forKey: .highlights)
        try values.encodeIfPresent(gist, forKey: .gist)
        try values.encode(item.fetch.rawValue, forKey: .fetchState)
        try values.encodeIfPresent(item.error, forKey: .error)
        try values.encodeIfPresent(item.mediaType, forKey: .mediaType)
        try values.encodeIfPresent(item.kind, forKey: .kind)
        try values.encodeIfPresent(item.isPartial, forKey: .isPartial)
        try values.encodeIfPresent(item.fetchedAt, forKey: .fetchedAt)
        try values.encodeIfPresent(content, forKey: .content)
        try values.encodeIfPresent(text, forKey: .text)
        try values.encodeIfPresent(comments, forKey: .comments)
    }
}
