import Foundation
import TextFormats

/// The possible meanings of a fragment in the page's address: the name of an element, or a value for a script.
public struct PageFragments: Sendable, Equatable {
    /// True if scripts may show another text depending on the fragment.
    public let hasScripts: Bool
    private let names: Set<UInt64>

    /// Of a file without elements.
    static let none = PageFragments(hasScripts: false, names: [])

    private init(hasScripts: Bool, names: Set<UInt64>) {
        (self.hasScripts, self.names) = (hasScripts, names)
    }

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

    /// Returns true if an element has this name, which is percent-encoded as in addresses.
    public func hasElement(named fragment: String) -> Bool {
        let plain = PercentEncoding.decoded(fragment)
        // GitHub's ids have this prefix, which its addresses omit.
        return [fragment, plain, "user-content-" + plain].contains { names.contains(PageHash.of($0.utf8)) }
    }
}
