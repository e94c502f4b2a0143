import Accounts
import ArgumentParser
import RoostServices
import RoostSupport
import TextFormats

/// `roost import FILE`: merges such a file.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Merges a file of `roost export` into the database.",
        discussion: "Rows that are here already add nothing, so a file can be imported again.")

    @Argument(help: "The file.") var file: String
    @Option(help: "The user who gets the data, by name or e-mail address.") var user: String?
    @Option(help: "Writes what became of each row to this new CSV file.") var report: String?
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        let rows = try report.map { path in
            guard let file = TransferReportFile(path: path) else {
                throw SettingsError("The file \(path) already exists or could not be made.")
            }
            return file
        }
        defer { rows?.finish() }
        let result = try await settings.maintain(mayCreate: true) { services in
            var id: UserID?
            if let user { id = try await services.identity.accounts.user(named: user).userId }
            return try await services.transfer.importFile(at: file, for: id) { rows?.add($0) }
        }
        for line in Self.lines(of: result) { print(line) }
        guard !result.newUsers.isEmpty else { return }
        print("Added without a password: \(result.newUsers.map(\.sanitized).joined(separator: ", ")).")
        print("`roost user reset-password NAME` prints a link to choose one.")
    }

    /// A line for each part, and one for each problem.
    static func lines(of report: TransferReport) -> [String] {
        let parts = report.parts.map { part in
            let counts = TransferResult.Kind.allCases.compactMap { kind in
                part.counts[kind].map { "\($0) \(kind.rawValue)" }
            }
            return "\(part.name)\t" + counts.joined(separator: ", ")
        }
        let problems = report.problems.map { row in
            "\(row.file) line \(row.line): \(row.result.kind.rawValue): \((row.result.why ?? "").sanitized)"
        }
        let rest = report.problemCount - report.problems.count
        return (parts.isEmpty ? ["The file has no rows."] : parts) + problems
            + (rest > 0 ? ["\(rest) more; --report writes all of them to a file."] : [])
    }
}
