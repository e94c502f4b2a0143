package import Foundation
package import RoostSupport

package enum PullMark: Equatable, Hashable, Sendable {
    case snoozedUntil(Date)
    /// Comes back with the next change, according to `PullDigest.hasChanged`.
    case snoozedUntilChange
    /// Never comes back automatically.
    case muted
    /// Comes back when it is the user's turn again.
    case done

    package var until: Date? { if case .snoozedUntil(let time) = self { time } else { nil } }

    fileprivate enum Kind: String, ColumnValue {
        case until, change, mute, done
    }

    fileprivate var kind: Kind {
        switch self {
        case .snoozedUntil: .until
        case .snoozedUntilChange: .change
        case .muted: .mute
        case .done: .done
        }
    }

    fileprivate init(_ kind: Kind, until: Date?) throws {
        switch (kind, until) {
        case (.until, let until?): self = .snoozedUntil(until)
        case (.until, nil): throw ImpossibleValue(column: "until")
        case (.change, _): self = .snoozedUntilChange
        case (.mute, _): self = .muted
        case (.done, _): self = .done
        }
    }
}

/// A row of `pull_marks`.
package struct StoredMark: Equatable, Sendable {
    /// In seconds: a year.
    static let maximumSnooze: TimeInterval = 366 * 86_400

    /// As last seen.
    package private(set) var key: PullKey
    /// GitHub's node id, which survives renames and transfers of the repository. Nil from older Enterprise servers.
    package var nodeId: String?
    package private(set) var mark: PullMark
    package private(set) var seen: PullDigest
    package private(set) var markedAt: Date

    /// Returns true if the pull request should be shown again. `digest` is nil if the pull request is not loaded.
    package func isOver(_ digest: PullDigest?, at now: Date) -> Bool {
        switch mark {
        // A longer snooze was set while the clock was years ahead. Tolerates a day.
        case .snoozedUntil(let time):
            time <= now || time.timeIntervalSince(now) > Self.maximumSnooze + 86_400
        case .snoozedUntilChange: digest?.hasChanged(since: seen) ?? false
        case .muted: false
        case .done: digest?.isTurnAgain(since: seen) ?? false
        }
    }
}

extension StoredMark: ColumnRecord {
    package init() {
        self.init(
            key: .unknown, mark: .muted, seen: PullDigest(), markedAt: Date(timeIntervalSince1970: 0))
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try key.columns(&columns)
        var id = nodeId ?? ""
        try columns.column("node_id", &id)
        nodeId = id.isEmpty ? nil : id
        var (kind, until) = (mark.kind, mark.until)
        try columns.column("kind", &kind)
        try columns.column("until", &until)
        mark = try PullMark(kind, until: until)
        try columns.column("seen", &seen)
        try columns.column("marked_at", &markedAt)
    }
}

/// Finds the mark of a pull request by its node id, or by its name if the node ids cannot be compared.
///
/// Pull requests keep their node ids when a repository is renamed or transferred. A repository created under the old
/// name has other ids, and does not inherit the marks.
struct PullMarkIndex {
    /// An update of a mark whose pull request has a new name, or whose node id has become known.
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

    func index(of key: PullKey, nodeId: String?) -> Int? {
        if let nodeId, let found = byNode[Node(host: key.host.lowercased(), id: nodeId)] { return found }
        return byKey[key]?.first { !Self.areComparable(marks[$0].nodeId, nodeId) }
    }

    /// GitHub has an old and a new format of node ids ("PR_kwDO..."), and may send either for the same pull request.
    private static func areComparable(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return false }
        return one.hasPrefix("PR_") == other.hasPrefix("PR_")
    }
}
