/// Finds the mark of a pull request among a user's marks: by its node id, or by its name where the two node ids cannot
/// be compared.
///
/// A renamed or transferred repository keeps its pull requests' node ids; one that is created under the old name has
/// others, and does not inherit the marks.
struct PullMarkIndex {
    /// What a mark has to be changed to, since its pull request has another name or its node id is known now.
    struct Move: Sendable {
        let mark: StoredMark
        let key: PullKey
        let nodeId: String?
    }

    private struct Node: Hashable {
        let host: String
        let id: String
    }

    private var byNode: [Node: Int] = [:]
    private var byKey: [PullKey: [Int]] = [:]
    private let marks: [StoredMark]

    init(_ marks: [StoredMark]) {
        self.marks = marks
        for (index, mark) in marks.enumerated() {
            if let id = mark.nodeId { byNode[Node(host: mark.key.host.lowercased(), id: id)] = index }
            byKey[mark.key, default: []].append(index)
        }
    }

    /// The mark's index among the marks.
    func index(of key: PullKey, nodeId: String?) -> Int? {
        if let nodeId, let found = byNode[Node(host: key.host.lowercased(), id: nodeId)] { return found }
        return byKey[key]?.first { !Self.areComparable(marks[$0].nodeId, nodeId) }
    }

    /// GitHub has two forms of node ids, "PR_kwDO..." and an older one, and may send either for one pull request.
    private static func areComparable(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return false }
        return one.hasPrefix("PR_") == other.hasPrefix("PR_")
    }
}
