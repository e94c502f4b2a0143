import GRDB
package import RoostSupport

/// What monitoring shows of all users' reading lists together.
package struct ReadingFigures: Sendable, Equatable {
    package var unread = 0
    package var archived = 0
    /// The articles among them whose page could not be fetched.
    package var failed = 0
    package var gists = 0
    /// Pages that are being fetched or wait for it.
    package var queued = 0
}

extension ReadingService {
    package func figures(_ reads: Reads) throws -> ReadingFigures {
        var figures = ReadingFigures()
        let counts = try reads.database.rows(
            """
            SELECT kind, name, sum(count) AS total FROM reading_counts WHERE kind IN ('state', 'failed')
            GROUP BY kind, name
            """)
        for row in counts {
            let (kind, name, total): (String, String, Int) = (row[0], row[1], row[2])
            switch (kind, name) {
            case ("failed", _): figures.failed += total
            case ("state", "archived"): figures.archived += total
            default: figures.unread += total
            }
        }
        figures.gists = try reads.database.value(Int.self, "SELECT count(*) FROM gists") ?? 0
        figures.queued =
            try reads.database.value(
                Int.self,
                """
                SELECT count(*) FROM shared_items INDEXED BY shared_items_queue
                WHERE processed = 0 AND shared_with IS NULL
                """) ?? 0
        return figures
    }
}
