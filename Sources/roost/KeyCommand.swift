import ArgumentParser
import RoostServices

/// `roost key`: the key of stored secrets, for an operator who has lost it.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Looks after the key of stored secrets.", subcommands: [Forget.self])

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets the next start use another key, once the right one is lost for good.",
            discussion: "What the lost key sealed stays unreadable. It needs a Roost that is stopped.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            try settings.refuseMissingDatabase()
            try await SettingsError.inWords { try Services.forgetKey(in: settings.dataFolder) }
            print("The next start uses the key that it finds, or makes a new one.")
        }
    }
}
