package import ArticleText
import RoostSupport

package struct ReadingPreferences: Preferences, Equatable {
    package enum Width: String, Codable, CaseIterable, Sendable { case narrow, normal, wide }
    package enum Font: String, Codable, CaseIterable, Sendable { case serif, sans }

    package static let name = "reading"
    package static let textSizes = 1...7

    package var textSize = 4
    package var width: Width = .normal
    package var font: Font = .serif
    package var gistLength: GistLength = .automatic

    package init() {}
}

extension GistLength: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let length = Self(storedValue: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a length")
        }
        self = length
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(storedValue)
    }

    /// "automatic", "5-sentences" or "100-words", for the database.
    package var storedValue: String {
        switch self {
        case .automatic: "automatic"
        case .sentences(let count): "\(count)-sentences"
        case .words(let count): "\(count)-words"
        }
    }

    /// Nil unless the text is "automatic", 1 to 50 sentences or 10 to 2,000 words.
    package init?(storedValue: String) {
        let parts = storedValue.splitBytes(at: "-")
        switch (storedValue, parts.count == 2 ? Int(parts[0]) : nil, parts.last) {
        case ("automatic", _, _): self = .automatic
        case (_, let count?, "sentences") where (1...50).contains(count): self = .sentences(count)
        case (_, let count?, "words") where (10...2_000).contains(count): self = .words(count)
        default: return nil
        }
    }
}
