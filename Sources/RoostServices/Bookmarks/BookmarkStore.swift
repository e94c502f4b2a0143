package import GRDB

/// Bookmarks, tags and notes in SQLite.
package struct BookmarkStore: Sendable {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }
}
