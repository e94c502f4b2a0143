package import Foundation
package import RoostSupport
import TextFormats

/// GitHub's id of a repository. It stays the same after renames and transfers.
package typealias RepositoryID = Int64

/// A repository as in GitHub's lists (`GET /repositories`), without stars and language.
package struct Repository: Codable, Equatable, Hashable, Sendable, Identifiable {
    package private(set) var id: RepositoryID
    /// GraphQL's id in the old (`MDEwOlJlcG9zaXRvcnkx`) or new format (`R_kgDO...`), or nil from older Enterprise
    /// servers.
    package private(set) var nodeId: String?
    /// "owner/name".
    package private(set) var fullName: String
    package private(set) var owner: Owner
    package private(set) var description: String?
    package private(set) var fork: Bool
    /// http or https, so that it can safely become a link.
    package private(set) var htmlURL: String
    /// A private repository is only shown to the user whose account can see it.
    package private(set) var isPrivate: Bool

    /// Throws `ValidationError`. Removes control characters from all texts.
    package init(
        id: RepositoryID, nodeId: String? = nil, name: String, fullName: String, owner: Owner,
        description: String? = nil, fork: Bool, htmlURL: String, isPrivate: Bool = false
    ) throws {
        guard id > 0 else { throw ValidationError(field: "id", why: "is not above 0") }
        let name = name.sanitized
        let nodeId = nodeId.flatMap { $0.isBlank ? nil : $0 }
        try ValidationError.check(["name": name])
        try nodeId.map { try ValidationError.check(["nodeId": $0]) }
        guard let parsed = RepositoryName(fullName), parsed.name == name else {
            throw ValidationError(field: "fullName", why: "is not owner/name")
        }
        guard htmlURL.hasPrefix("https://") || htmlURL.hasPrefix("http://"), htmlURL.utf8.count <= 2_048
        else { throw ValidationError(field: "htmlURL", why: "is not a web page’s URL") }
        self.id = id
        self.nodeId = nodeId
        self.fullName = fullName
        self.owner = owner
        // By scalars: a single character may hold megabytes of accents.
        let shortened = description.map { text in
            (text.utf8.count <= 1_024 ? text : String(text.unicodeScalars.prefix(1_024))).sanitized
        }
        self.description = shortened.flatMap { $0.isBlank ? nil : $0 }
        self.fork = fork
        self.htmlURL = htmlURL
        self.isPrivate = isPrivate
    }

    package var name: String { String(fullName.splitBytes(at: "/", maxSplits: 1).last ?? "") }
}

extension Repository: ColumnRecord {
    /// Has the values of a row once its columns are read.
    package init() {
        (id, nodeId, fullName, owner, description) = (0, nil, "", Owner(), nil)
        (fork, htmlURL, isPrivate) = (false, "", false)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("node_id", &nodeId)
        try columns.column("full_name", &fullName)
        try owner.columns(&columns)
        try columns.column("description", &description)
        try columns.column("is_fork", &fork)
        try columns.column("html_url", &htmlURL)
        try columns.column("is_private", &isPrivate)
    }
}

/// "owner/name" in its two parts. Compares case-insensitively, as GitHub does.
package struct RepositoryName: Equatable, Hashable, Sendable, CustomStringConvertible {
    package let owner: String
    package let name: String

    /// Returns nil unless both parts only have GitHub's characters for names: letters, digits, `-`, `_` and `.`.
    package init?(_ fullName: String) {
        guard let slash = fullName.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let name = fullName.utf8.index(after: slash)
        self.init(owner: String(fullName[..<slash]), name: String(fullName[name...]))
    }

    package init?(owner: String, name: String) {
        guard Self.isPart(owner), Self.isPart(name) else { return nil }
        self.owner = owner
        self.name = name
    }

    /// The name until GitHub says the real one, for a repository of which only GitHub's number is known. No account
    /// can have the name "repositories".
    package init?(number: Int) {
        guard number > 0 else { return nil }
        self.init(owner: Self.numbered, name: String(number))
    }

    private static let numbered = "repositories"

    package var description: String { "\(owner)/\(name)" }

    /// Of the request for the repository: "/repos/OWNER/NAME", or "/repositories/NUMBER".
    var apiPath: String {
        let isNumber = owner == Self.numbered && name.utf8.allSatisfy { $0 &- 0x30 < 10 }
        return isNumber ? "/\(self)" : "/repos/\(self)"
    }

    package static func == (left: RepositoryName, right: RepositoryName) -> Bool {
        left.description.lowercased() == right.description.lowercased()
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(description.lowercased()) }

    private static func isPart(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

package struct Owner: Codable, Equatable, Hashable, Sendable {
    /// GitHub's two kinds. A repository with any other is rejected.
    package enum Kind: String, Codable, ColumnValue, Sendable, CaseIterable {
        case user = "User"
        case organization = "Organization"
    }

    package private(set) var login: String
    package private(set) var type: Kind
    /// GitHub's URL. Pages show the picture through `PictureCache`.
    package private(set) var avatarURL: String?

    package init(login: String, type: Kind, avatarURL: String? = nil) throws {
        let login = login.sanitized
        try ValidationError.check(["login": login])
        self.login = login
        self.type = type
        self.avatarURL = avatarURL.flatMap { $0.utf8.count <= 2_048 ? $0 : nil }
    }
}

extension Owner: ColumnRecord {
    /// Has the values of a row once its columns are read.
    package init() { (login, type, avatarURL) = ("", .user, nil) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("owner", &login)
        try columns.column("owner_type", &type)
        try columns.column("avatar_url", &avatarURL)
    }
}

package struct RepositoryDetail: Codable, Equatable, Hashable, Sendable {
    package private(set) var stars: Int
    package private(set) var forks: Int
    /// REST's `open_issues_count`, which includes open pull requests.
    package private(set) var openIssues: Int
    package private(set) var language: String?
    /// An SPDX id such as "MIT", or else the licence's name.
    package private(set) var licence: String?
    package internal(set) var topics: [String]
    package private(set) var archived: Bool
    package private(set) var defaultBranch: String
    /// The creation time if the repository is empty.
    package private(set) var pushedAt: Date
    package private(set) var createdAt: Date
    /// http or https.
    package private(set) var homepage: String?
    /// The "owner/name" that this repository is a fork of.
    package internal(set) var parent: String?

    /// Raises negative counts to 0, clamps dates in the future, sanitizes and shortens texts, and drops an invalid
    /// homepage or parent.
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

    private static func word(_ text: String, _ maximum: Int) -> String? {
        let word = String(text.unicodeScalars.prefix(maximum)).sanitized.trimmed
        return word.isEmpty ? nil : word
    }

    private static func webAddress(_ text: String) -> String? {
        let text = text.trimmed
        let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isWeb && text.utf8.count <= 2_048 && text == text.sanitized ? text : nil
    }
}

extension RepositoryDetail: ColumnRecord {
    /// Has the values of a row once its columns are read.
    package init() {
        (stars, forks, openIssues, language, licence, topics) = (0, 0, 0, nil, nil, [])
        (archived, defaultBranch, homepage, parent) = (false, "", nil, nil)
        pushedAt = Date(timeIntervalSince1970: 0)
        createdAt = pushedAt
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("stars", &stars)
        try columns.column("forks", &forks)
        try columns.column("open_issues", &openIssues)
        try columns.column("language", &language)
        try columns.column("licence", &licence)
        try columns.column("topics", &topics.lines)
        try columns.column("is_archived", &archived)
        try columns.column("default_branch", &defaultBranch)
        try columns.column("pushed_at", &pushedAt)
        try columns.column("created_at", &createdAt)
        try columns.column("homepage", &homepage)
        try columns.column("parent", &parent)
    }
}

extension [String] {
    /// As stored in one column, for texts without newlines.
    var lines: String {
        get { joined(separator: "\n") }
        set { self = newValue.splitBytes(at: "\n").map(String.init) }
    }
}
