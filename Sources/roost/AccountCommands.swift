import ArgumentParser
import Foundation
import RoostServices

/// `roost user`: people, from the command line.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Adds and lists users.", subcommands: [Add.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user; the first owner takes over what the local owner has.")

        @Argument(help: "The user's name.") var name: String
        @Flag(help: "May look after Roost itself.") var owner = false
        @Flag(help: "Reads a password from standard input, a line.") var passwordStdin = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let password = passwordStdin ? readLine(strippingNewline: true) ?? "" : nil
            let settings = try await options.settings()
            let user = try await settings.maintain(mayCreate: true) { services in
                try await services.accounts.addUser(name, role: owner ? .owner : .member, password: password)
            }
            print("Added \(user.role.rawValue) \(user.username).")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the users: name, role, since when.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            for user in try await settings.maintain({ try await $0.accounts.users() }) {
                print("\(user.username)\t\(user.role.rawValue)\t\(ModelTime.format(user.createdAt))")
            }
        }
    }
}

/// `roost token`: bearer tokens of the JSON interface, from the command line.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes, lists and revokes API tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a new token, alone, on standard output; it is never shown again.")

        @Argument(help: "The user it speaks for.") var name: String
        @Option(help: "read or write; write includes reading.") var scope = "read"
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            guard let scope = APIToken.Scope(rawValue: scope) else {
                throw ValidationError("--scope takes read or write, not “\(scope)”.")
            }
            let settings = try await options.settings()
            print(
                try await settings.maintain(mayCreate: true) { services in
                    try await services.accounts.makeToken(for: name, scope: scope)
                })
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists tokens: number, user, scope, since when.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            for token in try await settings.maintain({ try await $0.accounts.tokens() }) {
                print(
                    "\(token.id)\t\(token.username)\t\(token.scope.rawValue)\t\(ModelTime.format(token.createdAt))"
                )
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends a token by its number.")

        @Argument(help: "The token's number, as `roost token list` shows it.") var id: Int64
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            try await settings.maintain { try await $0.accounts.revokeToken(id) }
            print("Token \(id) is revoked.")
        }
    }
}
