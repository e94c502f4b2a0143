/// The head of a repository's pull requests within a list.
package struct PullGroupRow: Sendable {
    package let name: String
    package let count: Int

    package init(name: String, count: Int) {
        self.name = name
        self.count = count
    }

    package static let sample = PullGroupRow(name: "an-organisation/its-repository", count: 12)

    var groupOf: String { self.name }
    var groupCount: Int { count }
}
