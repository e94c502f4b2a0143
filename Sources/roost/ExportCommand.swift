import Accounts
import ArgumentParser
import RoostServices
import RoostSupport

/// `roost export FILE`: writes all data of a user or of the whole server.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all data of a user, or of all users, to a zip file.",
        discussion: "The file has no passwords, tokens or keys. `roost import` reads it.")

    @Argument(help: "The new file; it must not exist yet.") var file: String
    @Option(help: "Only this user, by name or e-mail address.") var user: String?
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        let manifest = try await settings.maintain { services in
            var id: UserID?
            if let user { id = try await services.identity.accounts.user(named: user).userId }
            return try await services.transfer.export(of: id, to: file)
        }
        let rows = manifest.counts.values.reduce(0, +)
        let users = manifest.users.count == 1 ? "1 user" : "\(manifest.users.count) users"
        print("Exported \(rows) rows of \(users) to \(file).")
    }
}
