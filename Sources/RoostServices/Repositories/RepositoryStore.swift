package import GRDB

/// Details, READMEs and choices in SQLite.
package struct RepositoryStore: Sendable {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }
}
