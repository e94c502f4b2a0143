import TextFormats

/// A request from the API to save an article.
package struct StoreArticleRequest: Codable, Equatable, Hashable, Sendable {
    /// Nil for the token's user. Any other user is rejected.
    package var userId: String?
    package var url: String
    package var title: String?
    package var category: String?
    package var autoCreateGist: Bool

    /// Throws `ValidationError` if the address is blank.
    package init(
        userId: String? = nil, url: String, title: String? = nil, category: String? = nil,
        autoCreateGist: Bool = false
    ) throws {
        if url.isBlank { throw ValidationError(field: "url", why: "is empty") }
        self.userId = userId
        self.url = url
        self.title = title
        self.category = category
        self.autoCreateGist = autoCreateGist
    }

    private enum CodingKeys: String, CodingKey { case userId, url, title, category, autoCreateGist }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            userId: values.decodeIfPresent(String.self, forKey: .userId),
            url: values.decode(String.self, forKey: .url),
            title: values.decodeIfPresent(String.self, forKey: .title),
            category: values.decodeIfPresent(String.self, forKey: .category),
            autoCreateGist: values.decodeIfPresent(Bool.self, forKey: .autoCreateGist) ?? false)
    }
}
