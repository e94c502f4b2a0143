import GRDB
package import RoostSupport
import TextFormats

extension RepositoryDetailService {
    /// Returns stored repositories that this user may see and that have all words of the text: those with the text in
    /// their name first, then by stars. Asks no one.
    package func search(
        _ reads: Reads, _ text: String, for user: UserID, limit: Int
    ) throws -> [RepositoryItem] {
        try reads.repositories(matching: text, for: viewer(of: user), limit: limit).map(\.item)
    }
}

extension BookmarkService {
    /// Returns bookmarks with all words of the text in their name, tags and note, or in the repository's description.
    package func search(
        _ reads: Reads, _ text: String, of user: UserID, limit: Int
    ) throws -> [Bookmark] {
        try reads.bookmarks(matching: text, of: user, limit: limit).compactMap(\.bookmark)
    }
}

extension Reads {
    /// The most matches that are sorted, of the latest rows.
    private static let maximumSearched = 2_000

    fileprivate func repositories(
        matching text: String, for viewer: UserID?, limit: Int
    ) throws -> [RepositoryRecord] {
        guard let match = Self.match(text, owners: ["v0"] + (viewer.map { ["v\($0)"] } ?? [])) else {
            return []
        }
        return try database.rows(
            """
            SELECT \(RepositoryRecord.selection)
            FROM (SELECT rowid FROM repository_search WHERE repository_search MATCH ?
                ORDER BY rowid DESC LIMIT \(Self.maximumSearched)) AS found
            CROSS JOIN repositories AS repository ON repository.place = found.rowid
            WHERE repository.status = 'current' AND (repository.viewer IS NULL OR repository.viewer = ?)
            ORDER BY instr(lower(repository.full_name), ?) = 0, repository.stars DESC, repository.place
            LIMIT ?
            """, [match, viewer, FoldedText(lines: [text.trimmed]).text, limit]
        ).readable { try RepositoryRecord($0) }
    }

    fileprivate func bookmarks(
        matching text: String, of user: UserID, limit: Int
    ) throws -> [BookmarkRecord] {
        guard let own = Self.match(text, owners: ["u\(user)"]),
            let repositories = Self.match(text, owners: ["v0", "v\(user)"])
        else { return [] }
        let named = try database.values(
            BookmarkID.self,
            """
            SELECT rowid FROM bookmark_search WHERE bookmark_search MATCH ? ORDER BY rowid DESC LIMIT ?
            """, [own, limit])
        let described = try database.values(
            BookmarkID.self,
            """
            SELECT bookmark.id FROM (SELECT rowid FROM repository_search WHERE repository_search MATCH ?
                ORDER BY rowid DESC LIMIT \(Self.maximumSearched)) AS found
            CROSS JOIN bookmarks AS bookmark INDEXED BY bookmarks_by_repository
                ON bookmark.repository = found.rowid
            WHERE bookmark.user_id = ? LIMIT ?
            """, [repositories, user, limit])
        let ids = named + described.filter { !named.contains($0) }
        let records = Dictionary(try bookmarks(ids, of: user).map { ($0.id, $0) }) { first, _ in first }
        return Array(ids.compactMap { records[$0] }.prefix(limit))
    }

    /// Returns nil for a text without words.
    private static func match(_ text: String, owners: [String]) -> String? {
        let phrases = SearchPhrase.phrases(in: text)
        guard !phrases.isEmpty else { return nil }
        let owner = owners.map { "\"\($0)\"" }.joined(separator: " OR ")
        return "text : (\(SearchPhrase.match(phrases))) AND owner : (\(owner))"
    }
}
