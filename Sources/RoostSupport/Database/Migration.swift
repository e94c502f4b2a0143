package import GRDB

/// A step of the schema, named for its feature. What has been released is never changed: later steps follow it.
package struct Migration: Sendable {
    package let name: String
    package let run: @Sendable (GRDB.Database) throws -> Void

    package init(_ name: String, run: @escaping @Sendable (GRDB.Database) throws -> Void) {
        self.name = name
        self.run = run
    }

    package init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql: sql) }
    }
}
