package import RoostSupport

package struct MessageFile: Codable, Equatable, Hashable, Sendable, Identifiable {
    package private(set) var id: String
    package private(set) var name: String
    package private(set) var type: String
    package private(set) var byteCount: Int
    /// In pixels; nil unless it is an image.
    package private(set) var width: Int?
    package private(set) var height: Int?
    private(set) var hasThumbnail: Bool

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

    func renamed(_ id: String) -> MessageFile {
        var file = self
        file.id = id
        return file
    }

    package var url: String { "/chat/files/\(id)" }
    var thumbnailURL: String? { hasThumbnail ? url + "/thumbnail" : nil }
    package var isImage: Bool { type.hasPrefix("image/") }
    /// "image/heic" or "image/avif" by the name; the preview's own type is by the content. Only some browsers can show
    /// these pictures.
    package var previewType: String? {
        guard !isImage, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return Self.previewTypes[name[dot...].lowercased()]
    }

    private static let previewTypes = [
        ".heic": "image/heic", ".heif": "image/heic", ".avif": "image/avif",
    ]

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

/// A row of `chat_files`; messages contain a copy as JSON.
extension MessageFile: ColumnRecord, JSONColumnValue {
    package init() { self.init(id: "", name: "", type: "", byteCount: 0) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("name", &name)
        try columns.column("type", &type)
        try columns.column("byte_count", &byteCount)
        try columns.column("width", &width)
        try columns.column("height", &height)
        try columns.column("has_thumbnail", sql: "thumbnail_type IS NOT NULL", &hasThumbnail)
    }
}
