import ArgumentParser
import Foundation
import HTTPClient
import RoostServices
import RoostSupport

/// `roost check [FILE]`: checks the file, schema and rows of the database or of a backup without changing them.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the database's file, schema and rows, or those of a backup; changes nothing.")

    @Argument(help: "The backup to check; without it, the database in the data folder.") var file: String?
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        let problems = try await settings.check(file)
        guard problems.isEmpty else {
            for problem in problems { print(problem) }
            throw ExitCode.failure
        }
        print("No problems found.")
    }
}

/// `roost backup FILE`: copies the database, also while Roost is running.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the database to a new file, even while it is in use.")

    @Argument(help: "The new file; it must not exist yet.") var file: String
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        try await settings.maintain { try await $0.backup(to: file) }
        print("Backed up to \(file).")
    }
}

extension Settings {
    /// Opens the services for one command and closes them again.
    ///
    /// The database must exist, unless `mayCreate` is set.
    func maintain<Value: Sendable>(
        mayCreate: Bool = false, _ work: (Services) async throws -> Value
    ) async throws -> Value {
        if !mayCreate { try refuseMissingDatabase() }
        return try await SettingsError.convertingErrors(of: self) {
            try Services.makeDataFolder(dataFolder)
            let client = HTTPClient(userAgent: "Roost/\(Roost.version)")
            defer { client.shutdown() }
            var configuration = self.services
            configuration.usesKey = false
            let services = try Services(configuration, client: client, log: App.log(self))
            let result: Result<Value, any Error>
            do {
                try await services.identity.accounts.load()
                result = .success(try await work(services))
            } catch { result = .failure(error) }
            try services.close()
            return try result.get()
        }
    }

    /// Returns a sentence for each problem in the database or in a file.
    fileprivate func check(_ file: String?) async throws -> [String] {
        if let file {
            return try await SettingsError.convertingErrors { try await Services.problems(ofFileAt: file) }
        }
        try refuseMissingDatabase()
        return try await SettingsError.convertingErrors(of: self) {
            try await Services.problems(in: dataFolder)
        }
    }

    func refuseMissingDatabase() throws {
        do {
            if try Services.hasDatabase(in: dataFolder) { return }
        } catch let error as RoostError {
            throw SettingsError(error.message)
        }
        throw SettingsError("There is no database in \(dataFolder).")
    }
}
