/// An image or another file of a message.
package struct MessageFile: Codable, Equatable, Hashable, Sendable, Identifiable {
    /// A lower-case UUID.
    package let id: String
    package let name: String
    /// The media type, such as "image/png".
    package let type: String
    package let byteCount: Int
    /// In pixels, of images.
    package let width: Int?
    package let height: Int?
    let hasThumbnail: Bool

    package init(
        id: String, name: String, type: String, byteCount: Int, width: Int? = nil, height: Int? = nil,
        hasThumbnail: Bool = false
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.byteCount = byteCount
        self.width = width
        self.height = height
        self.hasThumbnail = hasThumbnail
    }

    package var url: String { "/chat/files/\(id)" }
    var thumbnailURL: String? { hasThumbnail ? url + "/thumbnail" : nil }
    package var isImage: Bool { type.hasPrefix("image/") }

    private enum CodingKeys: String, CodingKey {
        case id, name, type, byteCount, width, height, url, thumbnailURL
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(String.self, forKey: .id),
            name: try values.decode(String.self, forKey: .name),
            type: try values.decode(String.self, forKey: .type),
            byteCount: try values.decode(Int.self, forKey: .byteCount),
            width: try values.decodeIfPresent(Int.self, forKey: .width),
            height: try values.decodeIfPresent(Int.self, forKey: .height),
            hasThumbnail: values.contains(.thumbnailURL))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(name, forKey: .name)
        try values.encode(type, forKey: .type)
        try values.encode(byteCount, forKey: .byteCount)
        try values.encodeIfPresent(width, forKey: .width)
        try values.encodeIfPresent(height, forKey: .height)
        try values.encode(url, forKey: .url)
        try values.encodeIfPresent(thumbnailURL, forKey: .thumbnailURL)
    }
}
