import GRDB

/// A step of the schema, named for its feature. What has been released is never changed: later steps follow it.
struct Migration: Sendable {
    let name: String
    let run: @Sendable (GRDB.Database) throws -> Void

    init(_ name: String, run: @escaping @Sendable (GRDB.Database) throws -> Void) {
        self.name = name
        self.run = run
    }

    init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql: sql) }
    }
}
