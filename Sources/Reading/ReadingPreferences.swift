package import ArticleText

/// How a user likes to read.
package struct ReadingPreferences: Equatable, Sendable {
    package enum Width: String, Codable, CaseIterable, Sendable { case narrow, normal, wide }
    package enum Font: String, Codable, CaseIterable, Sendable { case serif, sans }

    package static let textSizes = 1...7

    package var textSize: Int
    package var width: Width
    package var font: Font
    package var gistLength: GistLength

    package init(
        textSize: Int = 4, width: Width = .normal, font: Font = .serif, gistLength: GistLength = .automatic
    ) {
        self.textSize = textSize
        self.width = width
        self.font = font
        self.gistLength = gistLength
    }
}

extension ReadingPreferences: Codable {
    private enum CodingKeys: String, CodingKey { case textSize, width, font, gistLength }

    /// What is missing or unknown is as if nobody had chosen.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let size = try values.decodeIfPresent(Int.self, forKey: .textSize) ?? 4
        self.init(
            textSize: min(max(size, Self.textSizes.lowerBound), Self.textSizes.upperBound),
            width: try values.decodeIfPresent(String.self, forKey: .width).flatMap(Width.init) ?? .normal,
            font: try values.decodeIfPresent(String.self, forKey: .font).flatMap(Font.init) ?? .serif,
            gistLength: try values.decodeIfPresent(String.self, forKey: .gistLength)
                .flatMap(GistLength.init(word:)) ?? .automatic)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(textSize, forKey: .textSize)
        try values.encode(width, forKey: .width)
        try values.encode(font, forKey: .font)
        try values.encode(gistLength.word, forKey: .gistLength)
    }
}

extension GistLength {
    /// "automatic", "5-sentences" or "100-words", for forms and the database.
    package var word: String {
        switch self {
        case .automatic: "automatic"
        case .sentences(let count): "\(count)-sentences"
        case .words(let count): "\(count)-words"
        }
    }

    /// Nil for what is no length: 1 to 50 sentences, 10 to 2,000 words.
    package init?(word: String) {
        let parts = word.splitBytes(at: "-")
        switch (word, parts.count == 2 ? Int(parts[0]) : nil, parts.last) {
        case ("automatic", _, _): self = .automatic
        case (_, let count?, "sentences") where (1...50).contains(count): self = .sentences(count)
        case (_, let count?, "words") where (10...2_000).contains(count): self = .words(count)
        default: return nil
        }
    }
}
