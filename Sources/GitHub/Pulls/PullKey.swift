import RoostSupport
import TextFormats

/// Identifies a pull request in Roost's URLs and tables, across hosts.
package struct PullKey: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let owner: String
    package let name: String
    package let number: Int
    package let description: String
    private let folded: String

    package init(host: String, owner: String, name: String, number: Int) {
        self.host = host
        self.owner = owner
        self.name = name
        self.number = number
        description = "\(host)/\(owner)/\(name)/\(number)"
        folded = "\(host)\n\(owner)\n\(name)\n\(number)".lowercased()
    }

    /// Ignores case, as GitHub does.
    package static func == (left: PullKey, right: PullKey) -> Bool { left.folded == right.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    /// For addresses of GitHub's API.
    var ownerAndName: String { PercentEncoding.encode(owner) + "/" + PercentEncoding.encode(name) }

    /// True for names that GitHub allows: letters, digits, hyphens, underscores and dots. Others are never requested.
    var isPossible: Bool {
        let isName = { (name: String) in
            (1...100).contains(name.utf8.count) && name != "." && name != ".."
                && name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                        || "-_.".utf8.contains(byte)
                }
        }
        return isName(owner) && isName(name) && (1...9_999_999_999).contains(number)
    }

    /// A key that a record replaces.
    static let unknown = PullKey(host: "", owner: "", name: "", number: 0)

    /// The columns of a key in a record.
    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        var (host, owner, name, number) = (host, owner, name, number)
        try columns.column("host", &host)
        try columns.column("owner", &owner)
        try columns.column("name", &name)
        try columns.column("number", &number)
        self = PullKey(host: host, owner: owner, name: name, number: number)
    }
}

extension PullKey: Codable {
    private enum CodingKeys: CodingKey { case host, owner, name, number }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            host: try values.decode(String.self, forKey: .host),
            owner: try values.decode(String.self, forKey: .owner),
            name: try values.decode(String.self, forKey: .name),
            number: try values.decode(Int.self, forKey: .number))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(host, forKey: .host)
        try values.encode(owner, forKey: .owner)
        try values.encode(name, forKey: .name)
        try values.encode(number, forKey: .number)
    }
}
