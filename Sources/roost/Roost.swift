import ArgumentParser

/// The command line: `roost` serves; everything else is a command by name.
@main
struct Roost: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "roost",
        abstract: "A dashboard of one's own: served from one program and one database file.",
        version: version,
        subcommands: [
            Serve.self, Demo.self, Simulate.self, UserCommand.self, TokenCommand.self, KeyCommand.self,
            Backup.self, Check.self, ExtractCommand.self, GistCommand.self,
        ],
        defaultSubcommand: Serve.self)
}
