import TextFormats

/// The API's answer after saving an article.
package struct GistaServiceResponse: Codable, Equatable, Hashable, Sendable {
    /// "Article saved." or "Already in your list."
    package var message: String
    /// The article's id.
    package var linkId: String?
    package var gistId: String?
    package var gistCreated: Bool?

    /// Throws `ValidationError` if the message is blank.
    package init(
        message: String, linkId: String? = nil, gistId: String? = nil, gistCreated: Bool? = nil
    ) throws {
        if message.isBlank { throw ValidationError(field: "message", why: "is empty") }
        self.message = message
        self.linkId = linkId
        self.gistId = gistId
        self.gistCreated = gistCreated
    }

    package init(_ saved: SavedArticle) throws {
        let gist = saved.item.gistId
        try self.init(
            message: saved.message, linkId: "\(saved.item.id)", gistId: gist.map { "\($0)" },
            gistCreated: gist != nil)
    }

    private enum CodingKeys: String, CodingKey { case message, linkId, gistId, gistCreated }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            message: values.decode(String.self, forKey: .message),
            linkId: values.decodeIfPresent(String.self, forKey: .linkId),
            gistId: values.decodeIfPresent(String.self, forKey: .gistId),
            gistCreated: values.decodeIfPresent(Bool.self, forKey: .gistCreated))
    }
}
