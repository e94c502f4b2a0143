import TextFormats

/// GitHub's own number of a repository: stays when it is renamed or handed on.
package typealias RepositoryID = Int64

/// A repository as GitHub's lists have it (`GET /repositories`): no stars and no language.
package struct Repository: Codable, Equatable, Hashable, Sendable, Identifiable {
    /// More than 0.
    package let id: RepositoryID
    /// GraphQL's name of it, in the old form (`MDEwOlJlcG9zaXRvcnkx`) or the new (`R_kgDO...`); nil from older
    /// Enterprise servers, which send none.
    package let nodeId: String?
    package let name: String
    /// "owner/name".
    package let fullName: String
    package let owner: Owner
    package let description: String?
    package let fork: Bool
    /// http or https; nothing else could ever become a link.
    package let htmlURL: String
    /// Not to be seen by everybody: it is shown to the user alone whose account sees it.
    package let isPrivate: Bool

    /// Throws `ValidationError` in words. Control characters are taken out of all texts.
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
        else { throw ValidationError(field: "htmlURL", why: "is no address of a web page") }
        self.id = id
        self.nodeId = nodeId
        self.name = name
        self.fullName = fullName
        self.owner = owner
        // By scalars: one character may be megabytes of accents.
        let words = description.map { text in
            (text.utf8.count <= 1_024 ? text : String(text.unicodeScalars.prefix(1_024))).sanitized
        }
        self.description = words.flatMap { $0.isBlank ? nil : $0 }
        self.fork = fork
        self.htmlURL = htmlURL
        self.isPrivate = isPrivate
    }

    /// As the database has it: the other initialiser judged it before it was stored.
    init(
        stored id: RepositoryID, nodeId: String?, name: RepositoryName, fullName: String, owner: Owner,
        description: String?, fork: Bool, htmlURL: String, isPrivate: Bool
    ) {
        self.id = id
        self.nodeId = nodeId
        self.name = name.name
        self.fullName = fullName
        self.owner = owner
        self.description = description
        self.fork = fork
        self.htmlURL = htmlURL
        self.isPrivate = isPrivate
    }

    private enum CodingKeys: String, CodingKey {
        case id, nodeId, name, fullName, owner, description, fork, htmlURL, isPrivate
    }

    /// As strict as the other initialiser.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(RepositoryID.self, forKey: .id),
            nodeId: values.decodeIfPresent(String.self, forKey: .nodeId),
            name: values.decode(String.self, forKey: .name),
            fullName: values.decode(String.self, forKey: .fullName),
            owner: values.decode(Owner.self, forKey: .owner),
            description: values.decodeIfPresent(String.self, forKey: .description),
            fork: values.decode(Bool.self, forKey: .fork),
            htmlURL: values.decode(String.self, forKey: .htmlURL),
            isPrivate: values.decodeIfPresent(Bool.self, forKey: .isPrivate) ?? false)
    }
}

/// "owner/name" in its two parts; equal in any case of letters, as on GitHub.
package struct RepositoryName: Equatable, Hashable, Sendable, CustomStringConvertible {
    package let owner: String
    package let name: String

    /// Nil for what GitHub could not call a repository: letters, figures, `-`, `_` and `.` (GitHub's rule for
    /// names).
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

    package var description: String { "\(owner)/\(name)" }

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
