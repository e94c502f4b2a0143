import ArgumentParser

/// The command line. Without a subcommand, `roost` serves.
@main
struct Roost: AsyncParsableCommand {
    static let version = "0.2.0"

    static let configuration = CommandConfiguration(
        commandName: "roost",
        abstract: "A self-hosted dashboard in one program and one database file.",
        version: version,
        subcommands: [
            Serve.self, Demo.self, Simulate.self, UserCommand.self, TokenCommand.self, KeyCommand.self,
            Backup.self, Restore.self, Check.self, ExportCommand.self, ImportCommand.self, ExtractCommand.self, GistCommand.self,
        ],
        defaultSubcommand: Serve.self)
}
