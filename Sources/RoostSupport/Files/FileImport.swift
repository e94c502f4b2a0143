import Foundation
package import TextFormats

/// The rows of an uploaded file. The feature decides how a row becomes a draft, and what happens to the drafts.
package struct FileImport<Draft: Sendable>: Sendable {
    package struct Row: Sendable {
        /// From 1: the line in a table, otherwise the entry's number.
        package let number: Int
        /// The file in a zip archive, or empty.
        package let part: String
        /// The draft, or why the row was refused.
        package fileprivate(set) var content: Result<Draft, RoostError>
    }

    package enum Outcome: Sendable {
        case added, updated, unchanged
        case refused(RoostError)
    }

    private let rules: FileImportRules
    package private(set) var rows: [Row] = []
    /// The file in a zip archive that is being read.
    package var part = ""

    /// Throws `RoostError.invalid(field: "file")` if the file is too large.
    package init(of file: [UInt8], _ rules: FileImportRules) throws {
        guard file.count <= rules.maximumBytes else {
            throw RoostError.file("The file is larger than \(rules.megabytes) MB.")
        }
        self.rules = rules
    }

    private init(_ rows: [Row], _ rules: FileImportRules) {
        (self.rows, self.rules) = (rows, rules)
    }

    // MARK: Reading

    /// False once the row that reports the limit has been added.
    package var hasRoom: Bool { rows.count <= rules.maximumRows }

    /// Adds a row, which is refused if the draft throws a `RoostError`. Nil adds nothing.
    package mutating func add(_ number: Int, _ draft: () throws -> Draft?) rethrows {
        guard hasRoom else { return }
        do {
            if let draft = try draft() { append(number, .success(draft)) }
        } catch let error as RoostError {
            append(number, .failure(error))
        }
    }

    package mutating func refuse(_ number: Int, _ why: String) { append(number, .failure(.file(why))) }

    private mutating func append(_ number: Int, _ content: Result<Draft, RoostError>) {
        guard hasRoom else { return }
        let isFull = rows.count == rules.maximumRows
        rows.append(Row(number: number, part: part, content: isFull ? .failure(rules.tooManyRows) : content))
    }

    /// Adds the rows of a table.
    package mutating func read<Column>(
        _ table: CSV.Table<Column>, _ draft: (CSV.Table<Column>.Row) throws -> Draft?
    ) rethrows {
        for row in table {
            guard hasRoom else { return }
            if row.isOpen {
                refuse(row.line, "A quotation mark opened here is never closed.")
            } else {
                try add(row.line) { try draft(row) }
            }
        }
    }

    /// Adds the entries of a JSON list. `draft` must have read its entry when it throws a `RoostError`.
    package mutating func read(
        listIn reader: inout JSONReader, _ draft: (inout JSONReader) throws -> Draft?
    ) throws {
        var number = 0
        try reader.list { reader in
            number += 1
            try add(number) { try draft(&reader) }
        }
    }

    /// Changes the draft of a row, because an archive may spread it over several files.
    package mutating func change(at index: Int, _ change: (inout Draft) -> Void) {
        guard case .success(var draft) = rows[index].content else { return }
        change(&draft)
        rows[index].content = .success(draft)
    }

    /// Throws `RoostError.invalid(field: "file")` if the file had no rows.
    package func requireRows() throws {
        if rows.isEmpty { throw RoostError.file(rules.noRows) }
    }

    // MARK: Importing

    /// Without the refused rows.
    package var drafts: [Draft] { rows.compactMap { try? $0.content.get() } }

    /// Makes another draft of each draft, or refuses its row.
    package func map<Other>(_ make: (Draft) throws(RoostError) -> Other) -> FileImport<Other> {
        let rows = rows.map { row in
            let content = row.content.flatMap { draft in
                Result { () throws(RoostError) in try make(draft) }
            }
            return FileImport<Other>.Row(number: row.number, part: row.part, content: content)
        }
        return FileImport<Other>(rows, rules)
    }

    /// Imports each draft with `apply`, in the file's order, and reports the results.
    ///
    /// - Parameter apply: may note problems with parts of a row that is imported without them
    package func report(
        _ apply: (Draft, _ problems: inout [String]) throws -> Outcome
    ) rethrows -> ImportReport {
        var report = ImportReport()
        for row in rows {
            func fail(_ why: String, isImported: Bool = false) {
                report.failures.append(ImportProblem(row: row.number, why: why, isImported: isImported))
            }
            switch row.content {
            case .failure(let error): fail(error.message)
            case .success(let draft):
                var (problems, isImported) = ([String](), true)
                switch try apply(draft, &problems) {
                case .added: report.added += 1
                case .updated: report.updated += 1
                case .unchanged: report.unchanged += 1
                case .refused(let error):
                    fail(error.message)
                    isImported = false
                }
                for problem in problems { fail(problem, isImported: isImported) }
            }
        }
        return report
    }
}

/// The limits of a feature's files, and what it says of files that it refuses.
package struct FileImportRules: Sendable {
    package let megabytes: Int
    package let maximumRows: Int
    /// More than any field that is kept; longer ones are cut.
    let maximumFieldBytes: Int
    package let unknownKind: String
    let noRows: String

    package init(
        megabytes: Int, maximumRows: Int, maximumFieldBytes: Int = 20_000,
        unknownKind: String = "This isn’t a text file.", noRows: String
    ) {
        self.megabytes = megabytes
        self.maximumRows = maximumRows
        self.maximumFieldBytes = maximumFieldBytes
        self.unknownKind = unknownKind
        self.noRows = noRows
    }

    package var maximumBytes: Int { megabytes << 20 }
    /// In bytes: the file plus 1 MiB for the rest of the form.
    package var uploadLimit: Int { maximumBytes + (1 << 20) }

    private var rowCount: String { maximumRows.formatted(.number.locale(Locale(identifier: "en_US"))) }
    /// "64 MB and 20,000 rows".
    package var limits: String { "\(megabytes) MB and \(rowCount) rows" }
    var tooManyRows: RoostError { .file("Only the first \(rowCount) rows are read. Split the file.") }
}

extension RoostError {
    /// For a file that can't be imported, or a row of it.
    package static func file(_ why: String) -> RoostError { .invalid(field: "file", why: why) }
}
