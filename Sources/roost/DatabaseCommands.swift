import ArgumentParser
import Foundation
import HTTPClient
import RoostServices

/// `roost check`: SQLite's own integrity checks.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Checks the database's integrity.")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        let problems = try await settings.maintain { try await $0.problems() }
        guard problems.isEmpty else {
            for problem in problems { print(problem) }
            throw ExitCode.failure
        }
        print("The database is sound.")
    }
}

/// `roost backup FILE`: a copy of the database, made while Roost may be running.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the database to a new file, also while in use.")

    @Argument(help: "The file to make; it must not exist yet.") var file: String
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        try await settings.maintain { try await $0.backup(to: file) }
        print("Backed up to \(file).")
    }
}

extension Settings {
    /// Opens the services for one piece of work on the command line, and closes them again.
    ///
    /// The database must exist, unless the work is what makes one.
    func maintain<Value: Sendable>(
        mayCreate: Bool = false, _ work: (Services) async throws -> Value
    ) async throws -> Value {
        guard mayCreate || FileManager.default.fileExists(atPath: Services.databasePath(in: dataFolder))
        else {
            throw SettingsError("There is no database in \(dataFolder).")
        }
        let client = HTTPClient(userAgent: "Roost/\(Roost.version)")
        defer { client.shutdown() }
        let services = try Services(self.services, client: client, log: App.log(self))
        let value: Value
        do {
            try await services.accounts.load()
            value = try await work(services)
        } catch let error as RoostError {
            try services.close()
            throw SettingsError(error.message)
        }
        try services.close()
        return value
    }
}
