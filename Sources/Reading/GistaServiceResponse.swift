import TextFormats

/// What a program is answered that has had an article saved.
package struct GistaServiceResponse: Codable, Equatable, Hashable, Sendable {
    /// "Article saved." or "Already in your list."
    package var message: String
    /// The article's id.
    package var linkId: String?
    package var gistId: String?
    package var gistCreated: Bool?

    /// Throws `ValidationError` without a message.
    package init(
        message: String, linkId: String? = nil, gistId: String? = nil, gistCreated: Bool? = nil
    ) throws {
        if message.isBlank { throw ValidationError(field: "message", why: "is empty") }
        self.message = message
        self.linkId = linkId
        self.gistId = gistId
        self.gistCreated = gistCreated
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
