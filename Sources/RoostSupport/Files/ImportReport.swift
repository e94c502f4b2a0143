/// What an import changed, and the rows that it could not import, or not completely.
package struct ImportReport: Equatable, Sendable {
    package internal(set) var added, updated, unchanged: Int
    package internal(set) var failures: [ImportProblem]
    /// The import, if it can be undone.
    package var undo: UndoID?

    package init(
        added: Int = 0, updated: Int = 0, unchanged: Int = 0, failures: [ImportProblem] = [],
        undo: UndoID? = nil
    ) {
        (self.added, self.updated, self.unchanged) = (added, updated, unchanged)
        (self.failures, self.undo) = (failures, undo)
    }

    package var hasChanges: Bool { added + updated > 0 }
}

/// A problem with a row of an imported file.
package struct ImportProblem: Equatable, Sendable {
    /// From 1: the line in a table, otherwise the entry's number.
    package let row: Int
    /// The file in a zip archive, or empty.
    package let part: String
    /// Of the page that the row names, or empty.
    package let address: String
    package let why: String
    /// True if the row was imported without some part of it.
    package let isImported: Bool

    package init(
        row: Int, part: String = "", address: String = "", why: String, isImported: Bool = false
    ) {
        self.row = row
        self.part = part
        self.address = address
        self.why = why
        self.isImported = isImported
    }
}
