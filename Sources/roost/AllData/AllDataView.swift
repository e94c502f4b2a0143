import Foundation
import RoostServices
import RoostSupport
import RoostWeb
import TextFormats

/// `/settings/data`.
struct AllDataView: PageView, Sendable {
    static let scripts = ["all-data"]

    let layout: LayoutView
    let tabs: SettingsTabs
    let state: AllDataStateView
    let exportError, fileError: String?

    init(
        layout: LayoutView, state: AllDataStateView, exportError: String? = nil, fileError: String? = nil,
        isOwner: Bool
    ) {
        self.layout = layout
        self.state = state
        self.exportError = exportError
        self.fileError = fileError
        tabs = SettingsTabs(.allData, in: layout, isOwner: isOwner)
    }

    /// In megabytes, for browsers without scripts.
    var formMegabytes: Int { AllDataController.formBytes >> 20 }
    /// In bytes, for the script.
    var sliceBytes: Int { TransferJobs.sliceBytes }
}

/// The live part of the page: the export and the import that are running, or their results.
struct AllDataStateView: Sendable {
    let exporting, exportFailure: String?
    let export: ExportFile?
    let importing, importFailure: String?
    let progress: Progress?
    let report: Report?

    init(_ export: TransferJobs.ExportState, _ state: TransferJobs.ImportState, now: Date) {
        switch export {
        case .none: (exporting, exportFailure, self.export) = (nil, nil, nil)
        case .running(let rows):
            (exporting, exportFailure, self.export) = (CountText.of(rows, "row"), nil, nil)
        case .failed(let why): (exporting, exportFailure, self.export) = (nil, why, nil)
        case .ready(let file):
            (exporting, exportFailure, self.export) = (nil, nil, ExportFile(file, now: now))
        }
        switch state {
        case .none: (importing, importFailure, progress, report) = (nil, nil, nil, nil)
        case .failed(let why): (importing, importFailure, progress, report) = (nil, why, nil, nil)
        case .running(let rows, let total):
            importing = CountText.of(rows, "row")
            (importFailure, report) = (nil, nil)
            progress = total > 0 ? Progress(done: min(rows, total), total: total) : nil
        case .done(let done):
            (importing, importFailure, progress, report) = (nil, nil, nil, Report(done))
        }
    }

    var canExport: Bool { exporting == nil }
    var canImport: Bool { importing == nil }

    struct Progress: Sendable {
        let done, total: Int
    }

    struct ExportFile: Sendable {
        let size: String
        let madeTime, madeAgo: String

        init(_ file: TransferJobs.Export, now: Date) {
            size = ByteCountText.of(file.size)
            madeTime = ISO8601.seconds(file.madeAt)
            madeAgo = RelativeTime.ago(file.madeAt, now: now)
        }
    }

    struct Report: Sendable {
        let summary: String
        let parts: [Part]
        let problems: [Problem]
        let more: String?
        /// The link to the file with a line for each row, and what it lacks.
        let link, lack: String?

        init(_ report: TransferReport) {
            summary = Self.text { report.count($0) }
            parts = report.parts.map { part in
                Part(
                    name: part.name.replacingBytes(of: "-", with: " "),
                    counts: Self.text { part.counts[$0] ?? 0 })
            }
            problems = report.problems.map {
                Problem(
                    location: "\($0.file), line \($0.line)", kind: $0.result.kind.rawValue,
                    why: ($0.result.why ?? "").sanitized)
            }
            let rest = report.problemCount - report.problems.count
            switch report.file {
            case .complete:
                more = rest > 0 ? "\(NumberText.grouped(rest)) more are in the report." : nil
                (link, lack) = ("Download the report of all rows", nil)
            case .cut:
                more = rest > 0 ? "\(NumberText.grouped(rest)) more rows have problems." : nil
                link = "Download the report of the first rows"
                lack =
                    "It ends after about \(TransferJobs.reportBytes >> 20) MB; the counts above are of all rows."
            case .missing:
                more = rest > 0 ? "\(NumberText.grouped(rest)) more rows have problems." : nil
                (link, lack) = (nil, "Roost could not write the report of all rows.")
            }
        }

        var hasProblems: Bool { !problems.isEmpty }

        private static func text(_ count: (TransferResult.Kind) -> Int) -> String {
            let texts = TransferResult.Kind.allCases.compactMap { kind in
                let count = count(kind)
                return count == 0 ? nil : "\(NumberText.grouped(count)) \(kind.rawValue)"
            }
            return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
        }
    }

    struct Part: Sendable {
        let name, counts: String
    }

    struct Problem: Sendable {
        let location, kind, why: String
    }
}
