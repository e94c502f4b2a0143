import Accounts
import ArgumentParser
import Foundation
import RoostSupport
import RoostWeb
import TextFormats

/// `roost user`: people, from the command line.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Adds, lists and removes users, and lets them in again.",
        subcommands: [Add.self, List.self, ResetPassword.self, SetRole.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user; the first owner takes over what the local owner has.",
            discussion:
                "Without --password-stdin it prints a link, good once and for a day, to choose a password.")

        @Argument(help: "The user's name.") var name: String
        @Flag(help: "May look after Roost itself.") var owner = false
        @Option(help: "Another name to sign in with; no mail is ever sent.") var email: String?
        @Option(help: "What others see.") var displayName: String?
        @Flag(help: "Reads a password from standard input, a line.") var passwordStdin = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let password = passwordStdin ? readLine(strippingNewline: true) ?? "" : nil
            let settings = try await options.settings()
            let (user, code) = try await settings.maintain(mayCreate: true) { services in
                let profile = try Profile(username: name, email: email, displayName: displayName)
                let user = try await services.accounts.add(
                    profile, role: owner ? .owner : .member, password: password)
                let code =
                    password == nil ? try await services.resets.makeLink(for: user.userId, by: nil) : nil
                return (user, code)
            }
            print("Added \(user.role.rawValue) \(user.username).")
            if let code {
                let link = settings.link(to: "/reset/\(code)")
                print("A password is chosen at \(link.address)")
                Terminal.sayReach(of: link)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the users: name, role, since when, e-mail address.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            for user in try await settings.maintain({ try await $0.accounts.users }) {
                let since = user.createdAt.map(ISO8601.milliseconds) ?? ""
                print("\(user.username)\t\(user.role.rawValue)\t\(since)\t\(user.email ?? "")")
            }
        }
    }

    struct ResetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a link, good once and for a day, with which a user chooses a new password.",
            discussion:
                """
                With --password-stdin it sets the password itself, and ends all sessions of the user. API tokens stay \
                valid without --revoke-tokens.
                """)

        @Argument(help: "The user's name or e-mail address.") var name: String
        @Flag(help: "Reads the new password from standard input, a line.") var passwordStdin = false
        @Flag(help: "Revokes all API tokens of the user at once.") var revokeTokens = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let password = passwordStdin ? readLine(strippingNewline: true) ?? "" : nil
            let settings = try await options.settings()
            let (code, tokens) = try await settings.maintain { services -> (LinkCode?, Int) in
                let user = try await services.accounts.user(named: name)
                var code: LinkCode?
                if let password {
                    try await services.resets.set(password, of: user)
                } else {
                    code = try await services.resets.makeLink(for: user.userId, by: nil)
                }
                let count =
                    revokeTokens
                    ? try await services.tokens.revokeAll(of: user)
                    : try await services.tokens.tokens(of: user.userId).count
                return (code, count)
            }
            if tokens > 0 {
                let what = tokens == 1 ? "1 API token of \(name)" : "\(tokens) API tokens of \(name)"
                Terminal.say(
                    revokeTokens
                        ? "Revoked \(what)." : "Still valid: \(what). --revoke-tokens revokes them.")
            }
            guard let code else { return print("The password is changed.") }
            let link = settings.link(to: "/reset/\(code)")
            print(link.address)
            Terminal.sayReach(of: link)
        }
    }

    struct SetRole: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "role", abstract: "Makes a user an owner or a member.")

        @Argument(help: "The user's name or e-mail address.") var name: String
        @Argument(help: "owner or member.") var role: String
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            guard let role = User.Role(rawValue: role) else {
                throw ValidationError("A role is owner or member, not “\(role)”.")
            }
            let settings = try await options.settings()
            try await settings.maintain { services in
                let user = try await services.accounts.user(named: name)
                try await services.accounts.setRole(role, of: user.userId, by: nil, from: .commandLine)
            }
            print("\(name) is \(role == .owner ? "an owner" : "a member").")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a user and everything that the account has.")

        @Argument(help: "The user's name or e-mail address.") var name: String
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            try await settings.maintain { services in
                let user = try await services.accounts.user(named: name)
                try await services.accounts.remove(user.userId, by: nil, from: .commandLine)
            }
            print("\(name) is removed.")
        }
    }
}
