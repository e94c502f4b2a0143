/// The head of a repository's pull requests within a list.
struct PullGroupRow: Sendable {
    let name: String
    let count: Int

    var groupOf: String { self.name }
}
