import Accounts
import ArgumentParser
import Foundation
import RoostServices
import RoostWeb
import TextFormats

/// `roost token`: manages bearer tokens of the JSON API.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes, lists and revokes API tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a new token on standard output; it is never shown again.")

        @Argument(help: "The token's user.") var name: String
        @Option(
            help:
                "read, write (includes reading), metrics (/metrics and /healthz alone; for owners), or areas such as chat:read,reading:write,pulls:act."
        )
        var scope = "read"
        @Option(help: "The token's name, such as the script that uses it.") var label = ""
        @Option(help: "Days until it expires, 1 to 3,650; without it the token never expires.") var days: Int?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let whole = APIToken.Scope(rawValue: scope)
            guard whole != nil || scope.containsBytes(":") else {
                throw ValidationError(
                    "--scope takes read, write, metrics or areas such as chat:read, not “\(scope)”.")
            }
            let settings = try await options.settings()
            print(
                try await settings.maintain(mayCreate: true) { services -> String in
                    let user = try await services.identity.accounts.user(named: name)
                    let tokenRequest =
                        if let whole {
                            try TokenService.TokenRequest(name: label, scope: whole, days: days)
                        } else {
                            try Self.limited(to: scope, name: label, days: days, services)
                        }
                    return try await services.identity.tokens.make(tokenRequest, for: user).token
                })
        }

        private static func limited(
            to scopes: String, name: String, days: Int?, _ services: Services
        ) throws -> TokenService.TokenRequest {
            let areas = Features.all(services).compactMap(\.tokenArea)
            return try TokenService.TokenRequest(
                name: name, limitedTo: scopes.splitBytes(at: ",").map(String.init), known: areas.map(\.key),
                actingIn: areas.filter(\.hasActs).map(\.key), days: days)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists tokens: number, user, scope, creation time, expiry, last use, label.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            for token in try await settings.maintain({ try await $0.identity.tokens.tokens() }) {
                let fields = [
                    "\(token.id)", token.username, token.scopes,
                    ISO8601.seconds(token.createdAt),
                    token.expiresAt.map(ISO8601.seconds) ?? "never expires",
                    token.lastUsedAt.map(ISO8601.seconds) ?? "never used", token.name,
                ]
                print(fields.joined(separator: "\t"))
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes a token by its number; a running Roost refuses it within seconds.")

        @Argument(help: "The token's number, as `roost token list` shows it.") var id: Int64
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            try await settings.maintain { try await $0.identity.tokens.revoke(id, of: nil) }
            print("Revoked token \(id).")
        }
    }
}
