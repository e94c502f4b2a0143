import Foundation
import GRDB
import RoostSupport

struct BookmarkQuery: Sendable {
    struct Filter {
        var conditions: [String]
        var arguments: StatementArguments

        var sql: String { conditions.joined(separator: " AND ") }
    }

    struct Head {
        let head: RepositoryGroupHead
        var values: [String]
        var count: Int
    }

    let arrangement: RepositoryArrangement
    let tag: String?
    let isChangedOnly: Bool
    let offset, limit: Int

    func filter(_ user: UserID) -> Filter {
        var filter = Filter(conditions: ["bookmark.user_id = ?"], arguments: [user])
        if isChangedOnly { filter.conditions.append("bookmark.is_changed = 1") }
        if let tag {
            filter.conditions.append(
                "bookmark.id IN (SELECT bookmark_id FROM bookmark_tags WHERE user_id = ? AND key = ?)")
            filter.arguments += [user, TagRules.key(tag)]
        }
        for word in TextFilter.words(of: arrangement.text) {
            filter.conditions.append(
                "(instr(bookmark.search_text, ?) OR instr(repository.search_text, ?))")
            filter.arguments += [word, word]
        }
        return filter
    }

    /// True without filter and groups: then nothing needs to be counted.
    var isWhole: Bool { !isGrouped && arrangement.text.isEmpty && tag == nil && !isChangedOnly }

    func heads(_ filter: Filter) -> String {
        """
        SELECT \(head) AS head, count(*) AS count FROM \(BookmarkRecord.source)
        WHERE \(filter.sql)\(isGrouped ? " GROUP BY 1" : "")
        """
    }

    /// Selects the ids of the requested range, in order. Takes `order(of:)`, the filter's arguments, limit and offset.
    ///
    /// Rows are read separately, so that SQLite does not sort notes and descriptions.
    func ids(_ filter: Filter) -> String {
        let end = "WHERE \(filter.sql) ORDER BY \(isGrouped ? "heads.place, " : "")\(sort) LIMIT ? OFFSET ?"
        guard isGrouped else { return "SELECT bookmark.id FROM \(BookmarkRecord.source) \(end)" }
        return """
            WITH heads (value, place) AS MATERIALIZED (SELECT key, value FROM json_each(?))
            SELECT bookmark.id FROM \(BookmarkRecord.source)
            LEFT JOIN heads ON heads.value = ifnull(\(head), \(Self.unknown))
            \(end)
            """
    }

    private var isGrouped: Bool { arrangement.grouping != .none }

    /// Null while unknown.
    private var head: String {
        switch arrangement.grouping {
        case .none: "''"
        case .ownerType: "repository.owner_type"
        case .forkStatus: "CAST(repository.is_fork AS TEXT)"
        case .language: "iif(repository.stars IS NULL, NULL, ifnull(repository.language, ' '))"
        case .starCount: "CAST(\(Self.band) AS TEXT)"
        }
    }

    /// The lower bound of a group by stars.
    private static let band =
        "CASE WHEN repository.stars IS NULL THEN NULL "
        + RepositoryGroupHead.bands.map { "WHEN repository.stars >= \($0) THEN \($0) " }.joined()
        + "ELSE 0 END"

    /// The value for unknown in `order(of:)`. No language starts with a blank.
    private static let unknown = "'  '"

    /// Unknown values come last, because SQLite sorts null below any other value.
    private var sort: String {
        let listed = "bookmark.added_at DESC, bookmark.id"
        return switch arrangement.sort {
        case .listed: listed
        case .name: "bookmark.full_name, \(listed)"
        case .stars: "repository.stars DESC, \(listed)"
        case .forks: "repository.forks DESC, \(listed)"
        case .pushed: "repository.pushed_at DESC, \(listed)"
        }
    }

    /// Sorts the groups found by `heads(_:)`.
    func heads(_ found: [(value: String?, count: Int)]) -> [Head] {
        var heads: [String: Head] = [:]
        for (value, count) in found where count > 0 {
            let head = RepositoryGroupHead(stored: value, by: arrangement.grouping)
            heads[head.id, default: Head(head: head, values: [], count: 0)].count += count
            heads[head.id]?.values.append(value ?? "  ")
        }
        return heads.values.sorted {
            RepositoryGroupHead.precedes(($0.head, $0.count), ($1.head, $1.count))
        }
    }

    /// The positions of the groups as JSON, or no argument if the list isn't grouped.
    func order(of heads: [Head]) throws -> StatementArguments {
        guard isGrouped else { return [] }
        let positions = heads.enumerated().flatMap { position, head in head.values.map { ($0, position) } }
        let json = try JSONEncoder().encode(Dictionary(positions) { first, _ in first })
        return [String(decoding: json, as: UTF8.self)]
    }
}

extension RepositoryGroupHead {
    init(stored value: String?, by grouping: GroupingOption) {
        self =
            switch grouping {
            case .none: Self.all
            case .ownerType: Self.owner(value.flatMap(Owner.Kind.init(rawValue:)))
            case .forkStatus: Self.fork(value.map { $0 == "1" })
            case .language: Self.language(isKnown: value != nil, value == " " ? nil : value)
            case .starCount: Self.stars(value.flatMap { Int($0) })
            }
    }
}
