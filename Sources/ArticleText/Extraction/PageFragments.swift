import Foundation

/// What the fragment of a page's address may mean: the name of an element, or something that a script reads.
package struct PageFragments: Sendable, Equatable {
    /// Whether scripts may show another text than the page has, depending on its fragment.
    package let hasScripts: Bool
    /// Hashes of the elements' names.
    private let names: Set<UInt64>

    init(_ tree: PageTree) {
        hasScripts = tree.hasScripts
        var names: Set<UInt64> = []
        for node in tree.nodes.indices {
            if let id = tree.value(.id, of: node) { names.insert(PageHash.of(id)) }
            if tree.nodes[node].tag == .a, let name = tree.value(.name, of: node) {
                names.insert(PageHash.of(name))
            }
        }
        self.names = names
    }

    /// Whether an element has the name, which is percent-encoded as addresses have it.
    package func hasElement(named fragment: String) -> Bool {
        let plain = fragment.removingPercentEncoding ?? fragment
        // GitHub's own ids begin so, and its addresses leave that out.
        return [fragment, plain, "user-content-" + plain].contains { names.contains(PageHash.of($0.utf8)) }
    }
}
