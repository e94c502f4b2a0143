/// What a pull request is called in Roost's own addresses and tables: two hosts never collide.
package struct PullKey: Codable, Equatable, Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let owner: String
    package let name: String
    package let number: Int

    package init(host: String, owner: String, name: String, number: Int) {
        self.host = host
        self.owner = owner
        self.name = name
        self.number = number
    }

    /// "github.com/apple/swift-nio/3214".
    package var description: String { "\(host)/\(owner)/\(name)/\(number)" }

    /// GitHub's names differ in case only for the eye.
    package static func == (left: PullKey, right: PullKey) -> Bool {
        left.number == right.number && left.name.lowercased() == right.name.lowercased()
            && left.owner.lowercased() == right.owner.lowercased()
            && left.host.lowercased() == right.host.lowercased()
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(name.lowercased())
        hasher.combine(owner.lowercased())
        hasher.combine(host.lowercased())
    }
}
