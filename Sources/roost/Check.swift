import ArgumentParser
import Foundation
import HTTPClient
import RoostServices
import RoostSupport

/// `roost check`: the file, the schema and every row; it changes nothing.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the database's file, schema and rows; changes nothing.")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        let problems = try await settings.check()
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
        if !mayCreate { try refuseMissingDatabase() }
        return try await SettingsError.inWords {
            try Services.makeDataFolder(dataFolder)
            let client = HTTPClient(userAgent: "Roost/\(Roost.version)")
            defer { client.shutdown() }
            var configuration = self.services
            configuration.usesKey = false
            let services = try Services(configuration, client: client, log: App.log(self))
            let result: Result<Value, any Error>
            do {
                try await services.accounts.load()
                result = .success(try await work(services))
            } catch { result = .failure(error) }
            try services.close()
            return try result.get()
        }
    }

    /// What is wrong with the database, a sentence each.
    fileprivate func check() async throws -> [String] {
        try refuseMissingDatabase()
        return try await SettingsError.inWords { try await Services.problems(in: dataFolder) }
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
