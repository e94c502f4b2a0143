import ArgumentParser
import Foundation
import HTTPServer
import RoostWeb

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
            Backup.self, Restore.self, Check.self, Doctor.self, ExportCommand.self, ImportCommand.self,
            ExtractCommand.self, GistCommand.self,
        ],
        defaultSubcommand: Serve.self)

    static func main() async {
        FreedMemory.keep()
        await main(nil)
    }
}

enum Terminal {
    /// Prints a line on standard error, independent of the log level.
    static func printLine(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Prints who can open a link, if its URL does not show it, and the link's other URLs.
    static func printReach(of link: SharedLink) {
        if let obstacle = link.obstacle { printLine(obstacle) }
        for other in link.alternatives { printLine("Also at \(other)") }
    }
}
