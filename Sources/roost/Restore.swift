import ArgumentParser
import Foundation
import HTTPClient
import Logging
import RoostServices
import RoostSupport

/// `roost restore FILE`: puts a backup in place of the database, or tries it out.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a backup and puts a copy of it into the data folder.",
        discussion: "Stop Roost first. The previous database is moved aside, never deleted.")

    @Argument(help: "The backup.") var file: String
    @Flag(help: "Replaces the current database, which is moved aside.") var force = false
    @Flag(
        help: "Only starts a copy on a free port and compares row counts; a server may be running.")
    var drill = false
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard !(force && drill) else {
            throw ValidationError("--drill replaces nothing, so it takes no --force.")
        }
    }

    func run() async throws {
        let settings = try await options.settings()
        if drill { return try await RestoreDrill(file: file, settings: settings).run() }
        let former = try await SettingsError.convertingErrors {
            try await Services.restore(file, into: settings.dataFolder, replaces: force)
        }
        print("Restored \(file) to \(settings.dataFolder).")
        if let former { print("The previous database is now at \(former).") }
    }
}

/// Shows that Roost starts on a backup and still has all of its rows. Uses a folder of its own and asks no other server.
struct RestoreDrill {
    let file: String
    let settings: Settings

    /// Rows that expire or are noted while Roost starts.
    private static let volatile: Set = [
        "sessions", "reset_links", "undos", "audit_entries", "display_pairings", "secret_key",
    ]

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-drill-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = try await SettingsError.convertingErrors {
            _ = try await Services.restore(file, into: folder, replaces: false)
            return try await Services.rowCounts(ofFileAt: folder + "/" + Database.fileName)
        }
        let after = try await serve(folder)
        var lost: [String] = []
        for (table, count) in before.sorted(by: { $0.key < $1.key }) {
            let now = after[table] ?? 0
            print("\(table)\t\(count)\t\(now)")
            if now < count, !Self.volatile.contains(table) { lost.append(table) }
        }
        guard lost.isEmpty else {
            throw SettingsError("Rows are missing after the start from \(lost.joined(separator: ", ")).")
        }
        print("The drill succeeded: Roost started on a copy of \(file) and has all rows.")
    }

    /// Starts a server on the copy, asks it for a page, stops it, and returns its numbers of rows.
    private func serve(_ folder: String) async throws -> [String: Int] {
        var settings = settings
        settings.dataFolder = folder
        settings.backups = nil
        settings.listen = "127.0.0.1:0"
        settings.tls = nil
        settings.publicURL = nil
        settings.accessLog = nil
        var configuration = settings.services
        configuration.usesKey = false
        configuration.warnsOfInterval = false
        var log = App.log(settings)
        log.logLevel = max(settings.logLevel, .error)
        let app = try await App.start(settings, services: configuration, runsServices: false, log: log)
        let result: Result<Void, any Error>
        do { result = .success(try await ask(app.server.url)) } catch { result = .failure(error) }
        try await app.stop()
        try result.get()
        return try await Services.rowCounts(ofFileAt: folder + "/" + Database.fileName)
    }

    private func ask(_ url: String) async throws {
        let client = HTTPClient(userAgent: "Roost/\(Roost.version)")
        defer { client.shutdown() }
        for path in ["healthz", "login"] {
            let answer = try await client.send(ClientRequest("GET", url + path))
            // A copy without users leads to the first page of the setup.
            guard (200..<400).contains(answer.status) else {
                throw SettingsError("The copy answered /\(path) with the status \(answer.status).")
            }
        }
    }
}
