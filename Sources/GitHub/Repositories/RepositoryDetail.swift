package import Foundation
import RoostSupport

/// What a list does not say of a repository.
package struct RepositoryDetail: Codable, Equatable, Hashable, Sendable {
    package let stars: Int
    package let forks: Int
    /// As REST counts them (`open_issues_count`): open pull requests are among them.
    package let openIssues: Int
    package let language: String?
    /// "MIT" (SPDX), or the licence's name where it has no such word.
    package let licence: String?
    package let topics: [String]
    package let archived: Bool
    package let defaultBranch: String
    /// Of an empty repository the time of its making.
    package let pushedAt: Date
    package let createdAt: Date
    /// http or https.
    package let homepage: String?
    /// "owner/name" of what this is a fork of.
    package let parent: String?

    /// Counts below 0 become 0, times ahead of ours are clamped, texts are sanitized and cut, a homepage that is
    /// no web address and a parent that is no name are left out.
    package init(
        stars: Int, forks: Int, openIssues: Int, language: String? = nil, licence: String? = nil,
        topics: [String] = [], archived: Bool, defaultBranch: String, pushedAt: Date, createdAt: Date,
        homepage: String? = nil, parent: String? = nil, now: Date = Date()
    ) {
        self.stars = max(0, stars)
        self.forks = max(0, forks)
        self.openIssues = max(0, openIssues)
        self.language = language.flatMap { Self.word($0, 100) }
        self.licence = licence.flatMap { Self.word($0, 200) }
        self.topics = topics.prefix(50).compactMap { Self.word($0, 100) }
        self.archived = archived
        self.defaultBranch = Self.word(defaultBranch, 256) ?? "main"
        self.pushedAt = ClockSkew.clamped(pushedAt, now: now).date
        self.createdAt = ClockSkew.clamped(createdAt, now: now).date
        self.homepage = homepage.flatMap { Self.webAddress($0) }
        self.parent = parent.flatMap { RepositoryName($0)?.description }
    }

    /// As the database has it: the other initialiser judged it before it was stored.
    init(
        stored stars: Int, forks: Int, openIssues: Int, language: String?, licence: String?, topics: [String],
        archived: Bool, defaultBranch: String, pushedAt: Date, createdAt: Date, homepage: String?,
        parent: String?
    ) {
        self.stars = stars
        self.forks = forks
        self.openIssues = openIssues
        self.language = language
        self.licence = licence
        self.topics = topics
        self.archived = archived
        self.defaultBranch = defaultBranch
        self.pushedAt = pushedAt
        self.createdAt = createdAt
        self.homepage = homepage
        self.parent = parent
    }

    private static func word(_ text: String, _ maximum: Int) -> String? {
        let word = String(text.unicodeScalars.prefix(maximum)).sanitized.trimmed
        return word.isEmpty ? nil : word
    }

    private static func webAddress(_ text: String) -> String? {
        let text = text.trimmed
        let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isWeb && text.utf8.count <= 2_048 && text == text.sanitized ? text : nil
    }

    private enum CodingKeys: String, CodingKey {
        case stars, forks, openIssues, language, licence, topics, archived, defaultBranch, pushedAt
        case createdAt, homepage, parent
    }

    /// As strict as the other initialiser.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            stars: try values.decode(Int.self, forKey: .stars),
            forks: try values.decode(Int.self, forKey: .forks),
            openIssues: try values.decode(Int.self, forKey: .openIssues),
            language: try values.decodeIfPresent(String.self, forKey: .language),
            licence: try values.decodeIfPresent(String.self, forKey: .licence),
            topics: try values.decodeIfPresent([String].self, forKey: .topics) ?? [],
            archived: try values.decode(Bool.self, forKey: .archived),
            defaultBranch: try values.decode(String.self, forKey: .defaultBranch),
            pushedAt: try values.decode(Date.self, forKey: .pushedAt),
            createdAt: try values.decode(Date.self, forKey: .createdAt),
            homepage: try values.decodeIfPresent(String.self, forKey: .homepage),
            parent: try values.decodeIfPresent(String.self, forKey: .parent),
            now: (decoder.userInfo[.now] as? Date) ?? Date())
    }
}
