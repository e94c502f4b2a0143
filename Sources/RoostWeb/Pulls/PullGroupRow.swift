/// The head of a repository's pull requests within a list.
package struct PullGroupRow: TemplateView {
    package static let template = "pulls/group"

    package let name: String
    package let count: Int

    package init(name: String, count: Int) {
        self.name = name
        self.count = count
    }

    package static let sample = PullGroupRow(name: "an-organisation/its-repository", count: 12)

    package func field(_ name: String) -> Any? {
        switch name {
        case "groupOf": self.name
        case "groupCount": count
        default: nil
        }
    }
}
