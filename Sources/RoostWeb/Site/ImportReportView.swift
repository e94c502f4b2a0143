package import HTTPServer
package import RoostSupport
import TextFormats

/// The result of an import, on the page with its form.
package struct ImportReportView: Sendable {
    /// If all failures can be downloaded, the page shows only the first ones.
    private static let maximumShownFailures = 200

    private let report: ImportReport
    private let noun: String?
    private let unchanged: String
    package let undoPath, downloadPath: String?

    /// - Parameters:
    ///   - noun: what was added, in the singular
    ///   - unchanged: the words for rows that changed nothing
    ///   - downloadPath: the address of a file with all failures
    package init(
        _ report: ImportReport, noun: String? = nil, unchanged: String, undoPath: String? = nil,
        downloadPath: String? = nil
    ) {
        self.report = report
        self.noun = noun
        self.unchanged = unchanged
        self.undoPath = undoPath
        self.downloadPath = downloadPath
    }

    package var summary: String {
        let added = noun.map { CountText.of(report.added, $0) } ?? NumberText.grouped(report.added)
        var parts = ["\(added) added"]
        if report.updated > 0 { parts.append("\(NumberText.grouped(report.updated)) changed") }
        if report.unchanged > 0 { parts.append("\(NumberText.grouped(report.unchanged)) \(unchanged)") }
        return parts.joined(separator: ", ") + "."
    }
    package var failureCount: String? {
        report.failures.isEmpty ? nil : CountText.of(report.failures.count, "row")
    }
    package var failures: [ImportProblemView] {
        let hasDownload = downloadPath != nil
        return report.failures.prefix(hasDownload ? Self.maximumShownFailures : .max).map(
            ImportProblemView.init)
    }
    package var moreFailures: String? {
        let count = report.failures.count - failures.count
        return count > 0 ? NumberText.grouped(count) : nil
    }
}

package struct ImportProblemView: Sendable {
    package let problem: ImportProblem

    package init(_ problem: ImportProblem) { self.problem = problem }

    package var location: String {
        problem.part.isEmpty ? "Row \(problem.row)" : "\(problem.part.sanitized), row \(problem.row)"
    }
    package var address: String? { problem.address.isEmpty ? nil : problem.address.sanitized }
}

extension Form {
    /// The file of an import's form. Throws `RoostError.invalid(field: "file")` if none was chosen.
    package func importFile(_ missing: String = "Choose a file first.") throws -> FormFile {
        guard let file = files.first(where: { $0.name == "file" }),
            !file.bytes.isEmpty || !file.filename.isEmpty
        else { throw RoostError.file(missing) }
        return file
    }
}

/// An `ImportReport` in the API.
package struct ImportReportJSON: Codable {
    private struct Failure: Codable {
        let row: Int
        let why: String
    }

    private let added, updated, unchanged: Int
    private let failures: [Failure]

    package init(_ report: ImportReport) {
        (added, updated, unchanged) = (report.added, report.updated, report.unchanged)
        failures = report.failures.map { Failure(row: $0.row, why: $0.why) }
    }
}
