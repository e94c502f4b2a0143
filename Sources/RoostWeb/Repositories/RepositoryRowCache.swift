import Synchronization

/// Rows of repositories as text, kept until what they show changes.
package final class RepositoryRowCache: Sendable {
    private struct Key: Hashable {
        let row: String
        let isKept: Bool
    }

    private struct Kept {
        let row: RepositoryRow
        /// Before and behind the place of the list's query.
        let head, tail: String
    }

    /// Twenty pages of a hundred rows for a few people.
    private static let limit = 10_000

    private let rows = Mutex<[Key: Kept]>([:])

    package init() {}

    /// The rows one after another, rendered only where they are not kept.
    ///
    /// - Parameters:
    ///   - query: of the list, with its "?", already encoded; "" for none: goes into every row's link
    ///   - render: a row by its own template
    package func text(
        of wanted: [RepositoryRow], query: String, rendering render: (RepositoryRow) throws -> String
    ) rethrows -> String {
        let escaped = HTMLEscaping.escape(query)
        var text = ""
        text.reserveCapacity(wanted.count * 1_200)
        var fresh: [Kept] = []
        let known = rows.withLock { rows in
            wanted.map { row -> Kept? in
                guard let kept = rows[Key(row: row.key, isKept: row.isKept)] else { return nil }
                return kept.row == row ? kept : nil
            }
        }
        for (row, known) in zip(wanted, known) {
            let kept = try known ?? Self.split(row, try render(row))
            if known == nil { fresh.append(kept) }
            text += kept.head
            text += escaped
            text += kept.tail
        }
        if !fresh.isEmpty { keep(fresh) }
        return text
    }

    private func keep(_ fresh: [Kept]) {
        rows.withLock { rows in
            if rows.count + fresh.count > Self.limit { rows.removeAll() }
            for kept in fresh { rows[Key(row: kept.row.key, isKept: kept.row.isKept)] = kept }
        }
    }

    /// The mark is looked for in the link, which stands before all words of strangers.
    private static func split(_ row: RepositoryRow, _ text: String) -> Kept {
        guard let mark = text.utf8.firstRange(of: RepositoryRow.queryMark.utf8) else {
            return Kept(row: row, head: text, tail: "")
        }
        return Kept(
            row: row, head: String(text[..<mark.lowerBound]), tail: String(text[mark.upperBound...]))
    }
}
