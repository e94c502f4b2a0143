import Foundation

@testable import GitHub
@testable import GitHubWeb
@testable import RoostWeb
@testable import TextFormats

extension GitHubAccountRow {
    static let samples: [GitHubAccountRow] = [
        GitHubAccountRow(
            GitHubAccount(
                id: 1, userId: 1, host: "github.com", login: "ada", state: .authenticated,
                user: try? AuthenticatedUser(login: "ada", name: "Ada Lovelace"),
                scopes: ["repo", "read:org"],
                connectedAt: .sample - 86_400 * 20),
            picture: nil,
            budgets: [
                "graphql": RateBudget(
                    resource: "graphql", limit: 5_000, remaining: 4_812, resetAt: .sample + 1_700)
            ], now: .sample),
        GitHubAccountRow(
            GitHubAccount(
                id: 2, userId: 1, host: "git.example.org", login: "alovelace", state: .authenticated,
                scopes: ["public_repo"], connectedAt: .sample - 86_400 * 3), picture: nil, budgets: [:],
            now: .sample),
        GitHubAccountRow(
            GitHubAccount(
                id: 3, userId: 1, host: "github.com", login: "ada-at-night", state: .unauthenticated,
                connectedAt: .sample - 86_400 * 100, error: .unauthorized), picture: nil, budgets: [:],
            now: .sample),
    ]
}

extension GitHubAccountsView {
    static let sample = GitHubAccountsView(
        rows: GitHubAccountRow.samples,
        signIn: .waiting(
            .init(
                userCode: "WDJB-MJHT", verificationURI: "https://github.com/login/device",
                expiresAt: .sample + 840)),
        offersDeviceFlow: true, trusted: "https://github.com", now: .sample)
}

extension GitHubView {
    static let sample = GitHubView(
        layout: .settingsSample, isOwner: true, accounts: .sample,
        hosts: [
            Host(name: "github.com", webURL: "https://github.com"),
            Host(name: "git.example.org", webURL: "https://git.example.org"),
        ],
        callback: "https://roost.example.org/settings/github/callback",
        form: FormState(
            typed: ["host": "git.example.org"],
            fieldErrors: [GitHubController.tokenField: "GitHub rejected this token."]))
}
