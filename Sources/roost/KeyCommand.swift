import ArgumentParser
import RoostServices

/// `roost key`: handles the loss of the key that encrypts stored secrets.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manages the key for stored secrets.", subcommands: [Forget.self])

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets the next start use another key if the right one is lost.",
            discussion: "Stop Roost first. Data encrypted with the lost key stays unreadable.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            try settings.refuseMissingDatabase()
            try await SettingsError.convertingErrors(of: settings) {
                try Services.forgetKey(in: settings.dataFolder, backups: settings.backups)
            }
            print("The next start uses the key that it finds, or creates one.")
        }
    }
}
