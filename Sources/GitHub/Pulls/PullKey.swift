/// What a pull request is called in Roost's own addresses and tables: two hosts never collide.
package struct PullKey: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let owner: String
    package let name: String
    package let number: Int
    /// "github.com/apple/swift-nio/3214".
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
}
