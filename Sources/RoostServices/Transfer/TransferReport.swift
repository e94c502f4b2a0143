package import RoostSupport

/// What an import did, row by row.
package struct TransferReport: Equatable, Sendable {
    package struct Row: Equatable, Sendable {
        /// The file in the zip, and the line in it.
        package let file: String
        package let line: Int
        package let result: TransferResult
    }

    package typealias Counts = [TransferResult.Kind: Int]

    /// The CSV file with a line for each row.
    package enum File: Sendable {
        /// `cut`: it got too long, or could not be written to its end.
        case complete, cut, missing
    }

    /// Enough to see what is wrong.
    static let maximumProblems = 200

    /// By the names of the parts, in the order of the import.
    package private(set) var parts: [(name: String, counts: Counts)] = []
    /// Rows that were skipped, or of which something was.
    package private(set) var problems: [Row] = []
    package private(set) var problemCount = 0
    package var file = File.complete
    /// User names that were added. They need passwords.
    package var newUsers: [String] = []

    package static func == (left: TransferReport, right: TransferReport) -> Bool {
        left.parts.elementsEqual(right.parts) { $0.name == $1.name && $0.counts == $1.counts }
            && left.problems == right.problems && left.problemCount == right.problemCount
            && left.newUsers == right.newUsers && left.file == right.file
    }

    package init() {}

    package func count(_ kind: TransferResult.Kind, of part: String? = nil) -> Int {
        parts.filter { part == nil || $0.name == part }.reduce(0) { $0 + ($1.counts[kind] ?? 0) }
    }

    mutating func note(_ row: Row, of part: String) {
        if parts.last?.name != part { parts.append((part, [:])) }
        parts[parts.count - 1].counts[row.result.kind, default: 0] += 1
        guard row.result.why != nil else { return }
        problemCount += 1
        if problems.count < Self.maximumProblems { problems.append(row) }
    }
}
