import Accounts
import ArgumentParser
import Foundation
import RoostSupport
import RoostWeb
import TextFormats

/// `roost user`: manages users.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Adds, lists and removes users, and resets passwords.",
        subcommands: [Add.self, List.self, ResetPassword.self, SetRole.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user; the first owner inherits the local owner's data.",
            discussion:
                "Without --password-stdin prints a link to choose a password, which works once, for a day.")

        @Argument(help: "The user's name.") var name: String
        @Flag(help: "Makes the user an owner.") var owner = false
        @Option(help: "Can be used to sign in; no mail is ever sent.") var email: String?
        @Option(help: "What others see.") var displayName: String?
        @Flag(help: "Reads the password from a line of standard input.") var passwordStdin = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let password = passwordStdin ? readLine(strippingNewline: true) ?? "" : nil
            let settings = try await options.settings()
            let (user, code) = try await settings.maintain(mayCreate: true) { services in
                let profile = try Profile(username: name, email: email, displayName: displayName)
                let user = try await services.identity.accounts.add(
                    profile, role: owner ? .owner : .member, password: password)
                let code =
                    password == nil
                    ? try await services.identity.resets.makeLink(for: user.userId, by: nil) : nil
                return (user, code)
            }
            print("Added \(user.role.rawValue) \(user.username).")
            if let code {
                let link = settings.link(to: "/reset/\(code)")
                print("Choose a password at \(link.address)")
                Terminal.printReach(of: link)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the users: name, role, creation time, e-mail address.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            for user in try await settings.maintain({ try await $0.identity.accounts.users }) {
                let since = user.createdAt.map(ISO8601.seconds) ?? ""
                print("\(user.username)\t\(user.role.rawValue)\t\(since)\t\(user.email ?? "")")
            }
        }
    }

    struct ResetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a link to choose a new password, which works once, for a day.",
            discussion:
                """
                With --password-stdin it sets the password and ends all sessions of the user. API tokens stay \
                valid without --revoke-tokens.
                """)

        @Argument(help: "The user's name or e-mail address.") var name: String
        @Flag(help: "Reads the new password from a line of standard input.") var passwordStdin = false
        @Flag(help: "Revokes all API tokens of the user at once.") var revokeTokens = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let password = passwordStdin ? readLine(strippingNewline: true) ?? "" : nil
            let settings = try await options.settings()
            let (code, tokens) = try await settings.maintain { services -> (LinkCode?, Int) in
                let user = try await services.identity.accounts.user(named: name)
                var code: LinkCode?
                if let password {
                    try await services.identity.resets.set(password, of: user)
                } else {
                    code = try await services.identity.resets.makeLink(for: user.userId, by: nil)
                }
                let count =
                    revokeTokens
                    ? try await services.identity.tokens.revokeAll(of: user)
                    : try await services.identity.tokens.tokens(of: user.userId).count
                return (code, count)
            }
            if tokens > 0 {
                let what = tokens == 1 ? "1 API token of \(name)" : "\(tokens) API tokens of \(name)"
                Terminal.printLine(
                    revokeTokens
                        ? "Revoked \(what)." : "Still valid: \(what). --revoke-tokens revokes them.")
            }
            guard let code else { return print("Password changed.") }
            let link = settings.link(to: "/reset/\(code)")
            print(link.address)
            Terminal.printReach(of: link)
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
                let user = try await services.identity.accounts.user(named: name)
                try await services.identity.accounts.setRole(
                    role, of: user.userId, by: nil, from: .commandLine)
            }
            print("\(name) is \(role == .owner ? "an owner" : "a member").")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a user and everything in the account.")

        @Argument(help: "The user's name or e-mail address.") var name: String
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let settings = try await options.settings()
            try await settings.maintain { services in
                let user = try await services.identity.accounts.user(named: name)
                try await services.identity.accounts.remove(user.userId, by: nil, from: .commandLine)
            }
            print("Removed \(name).")
        }
    }
}
