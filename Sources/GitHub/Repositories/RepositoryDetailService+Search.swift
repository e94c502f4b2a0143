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
    /// Returns bookmarks with all words of the text in their name, tags and note, the latest first.
    package func search(
        _ reads: Reads, _ text: String, of user: UserID, limit: Int
    ) throws -> [Bookmark] {
        try reads.bookmarks(matching: text, of: user, limit: limit).compactMap(\.bookmark)
    }
}

extension Reads {
    /// The most matches that are sorted, of the latest rows.
    private static let maximumSearched = 1_000

    fileprivate func repositories(
        matching text: String, for viewer: UserID?, limit: Int
    ) throws -> [RepositoryRecord] {
        let owners = ["v0"] + (viewer.map { ["v\($0)"] } ?? [])
        guard let match = try match(text, owners: owners, in: "repository_search", limit: limit) else {
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
        guard let match = try match(text, owners: ["u\(user)"], in: "bookmark_search", limit: limit) else {
            return []
        }
        let ids = try database.values(
            BookmarkID.self,
            "SELECT rowid FROM bookmark_search WHERE bookmark_search MATCH ? ORDER BY rowid DESC LIMIT ?",
            [match, limit])
        return try bookmarks(ids, of: user).reversed()
    }

    /// Returns nil for a text without words. Matches an unfinished last word as a beginning if it is short (there is an
    /// index for that) or if few rows contain it as a whole word.
    private func match(_ text: String, owners: [String], in index: String, limit: Int) throws -> String? {
        let phrases = SearchPhrase.phrases(in: text)
        guard let last = phrases.last else { return nil }
        let owner = owners.map { "\"\($0)\"" }.joined(separator: " OR ")
        func match(isBeginning: Bool) -> String {
            "text : (\(SearchPhrase.match(phrases, isBeginning: isBeginning))) AND owner : (\(owner))"
        }
        let length = last.content.unicodeScalars.count
        guard last.mayBePrefix, length > 1 else { return match(isBeginning: false) }
        guard length > 3 else { return match(isBeginning: true) }
        let whole = match(isBeginning: false)
        let count = try database.value(
            Int.self,
            "SELECT count(*) FROM (SELECT rowid FROM \(index) WHERE \(index) MATCH ? ORDER BY rowid DESC LIMIT ?)",
            [whole, limit])
        return (count ?? 0) >= limit ? whole : match(isBeginning: true)
    }
}
