package import GRDB
import TextFormats

/// The tokenizer of the full-text indexes, `tokenize='roost'`. Each connection that uses them needs it.
package final class SearchIndexTokenizer: FTS5CustomTokenizer {
    package static let name = "roost"

    /// FTS5's flags: `FTS5_TOKENIZE_QUERY` and `FTS5_TOKEN_COLOCATED`.
    private static let (query, colocated): (CInt, CInt) = (0x1, 0x1)

    package init(db: GRDB.Database, arguments: [String]) {}

    package static func register(_ database: GRDB.Database) { database.add(tokenizer: Self.self) }

    package func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?,
        nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        guard let pText, nText > 0 else { return 0 }
        var result: CInt = 0
        pText.withMemoryRebound(to: UInt8.self, capacity: Int(nText)) { start in
            let text = UnsafeBufferPointer(start: start, count: Int(nText))
            let isQuery = tokenization.rawValue & Self.query != 0
            SearchTokenizer.tokenize(text, for: isQuery ? .searching : .indexing) { token in
                token.bytes.withMemoryRebound(to: CChar.self) { bytes in
                    result = tokenCallback(
                        context, token.isColocated ? Self.colocated : 0, bytes.baseAddress, CInt(bytes.count),
                        CInt(token.start), CInt(token.end))
                }
                return result == 0
            }
        }
        return result
    }
}

/// A full-text index that is built in the background, from the newest row to the oldest. Until a row's turn, the view
/// `NAME_rows`, which is the index's content, leaves it out.
package struct SearchIndex: Sendable {
    /// Of the virtual table.
    let name: String
    /// The rows' table and its integer key.
    let table, key: String
    /// The columns of the index and its view.
    let columns: String
    /// The view's name of the row's id.
    let viewKey: String

    package init(_ name: String, of table: String, key: String, viewKey: String, columns: String) {
        self.name = name
        self.table = table
        self.key = key
        self.viewKey = viewKey
        self.columns = columns
    }

    package static let stored = [
        StoredRows("search_progress") { row in
            let _: (String, Int64) = (try row.value("name"), try row.value("remaining"))
        }
    ]

    /// For the view's condition: the last row that is not indexed yet.
    package static func remaining(in name: String) -> String {
        "(SELECT remaining FROM search_progress WHERE name = '\(name)')"
    }

    /// Adds up to `count` rows. Returns false if there was nothing to do.
    ///
    /// Without a row in `search_progress` the index is built again from nothing.
    func addRows(_ count: Int, _ database: GRDB.Database) throws -> Bool {
        guard
            let remaining = try database.value(
                Int64.self, "SELECT remaining FROM search_progress WHERE name = ?", [name])
        else {
            try database.execute(sql: "INSERT INTO \(name) (\(name)) VALUES ('delete-all')")
            try database.execute(
                sql: """
                    INSERT INTO search_progress (name, remaining)
                    SELECT ?, coalesce(max(\(key)), 0) FROM \(table)
                    """, arguments: [name])
            return true
        }
        guard remaining > 0 else { return false }
        let next =
            try database.value(
                Int64.self,
                "SELECT \(key) FROM \(table) WHERE \(key) <= ? ORDER BY \(key) DESC LIMIT 1 OFFSET ?",
                [remaining, count]) ?? 0
        try database.execute(
            sql: "UPDATE search_progress SET remaining = ? WHERE name = ?", arguments: [next, name])
        try database.execute(
            sql: """
                INSERT INTO \(name) (rowid, \(columns)) SELECT \(viewKey), \(columns) FROM \(name)_rows
                WHERE \(viewKey) > ? AND \(viewKey) <= ? ORDER BY \(viewKey)
                """, arguments: [next, remaining])
        return true
    }
}

/// Builds the full-text indexes after an update of Roost, in short transactions between the writes of users.
package final class SearchIndexing: Service {
    /// How long one transaction should take.
    private static let transactionTime = Duration.milliseconds(50)
    /// Rows of articles may be long.
    private static let (firstCount, maximumCount) = (20, 5_000)

    private let database: Database
    private let indexes: [SearchIndex]

    package init(database: Database, indexes: [SearchIndex]) {
        self.database = database
        self.indexes = indexes
    }

    package func run() async {
        for index in indexes {
            var count = Self.firstCount
            while !Task.isCancelled {
                let start = ContinuousClock.now
                do {
                    let rows = count
                    // Usually all is done, so nothing is written.
                    guard try await database.read({ try $0.isBuilding(index) }) else { break }
                    guard try await database.write({ try index.addRows(rows, $0.database) }) else { break }
                } catch {
                    // Logged by the database; a full disk, for example, may be cleaned up.
                    try? await Task.sleep(for: .seconds(60))
                    continue
                }
                let time = ContinuousClock.now - start
                count =
                    time < Self.transactionTime
                    ? min(count * 2, Self.maximumCount) : max(count / 2, Self.firstCount)
                // Leaves half of the time to others.
                try? await Task.sleep(for: min(time, .seconds(1)))
            }
        }
    }
}

extension Reads {
    /// Whether old rows are missing in some full-text index, because it is built again in the background.
    package func isIndexing() throws -> Bool {
        try database.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM search_progress WHERE remaining > 0)")
            ?? false
    }

    /// Whether old rows are missing in a full-text index, because it is still being built.
    fileprivate func isBuilding(_ index: SearchIndex) throws -> Bool {
        try database.value(
            Bool.self, "SELECT remaining > 0 FROM search_progress WHERE name = ?", [index.name]) ?? true
    }
}

extension Migration {
    /// How much of each full-text index is missing: rows up to `remaining`. Deleting a row builds its index again.
    package static let searchProgress = Migration(
        "search: progress",
        sql: """
            CREATE TABLE search_progress (
                name TEXT PRIMARY KEY,
                remaining INTEGER NOT NULL CHECK (remaining >= 0)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Replaces the index by an empty one, which `SearchIndexing` fills. Its triggers stay, as they use the view.
    package static func searchIndex(_ index: SearchIndex, rows: String) -> Migration {
        Migration("\(index.table): search in all scripts") { database in
            SearchIndexTokenizer.register(database)
            try database.execute(
                sql: """
                    DROP TABLE \(index.name);
                    DROP VIEW \(index.name)_rows;
                    CREATE VIEW \(index.name)_rows AS \(rows);
                    CREATE VIRTUAL TABLE \(index.name) USING fts5(
                        \(index.columns), content='\(index.name)_rows', content_rowid='\(index.viewKey)',
                        columnsize=0, prefix='2 3', tokenize='\(SearchIndexTokenizer.name)'
                    );
                    INSERT INTO search_progress (name, remaining)
                    SELECT '\(index.name)', coalesce(max(\(index.key)), 0) FROM \(index.table);
                    """)
        }
    }
}
