import Foundation
import GitHub
import RoostWeb
import TextFormats

struct GitHubAccountRow: Sendable {
    let account: GitHubAccount
    let budget: RateBudget?
    let now: Date
    let accountMark: PersonView

    /// - Parameters:
    ///   - picture: the local address of the avatar; nil shows initials
    ///   - budgets: by resource; shows "graphql", which the inbox uses, or else "core"
    init(_ account: GitHubAccount, picture: String?, budgets: [String: RateBudget], now: Date) {
        self.account = account
        self.now = now
        budget = (budgets["graphql"] ?? budgets["core"]).flatMap { $0.resetAt > now ? $0 : nil }
        accountMark = PersonView(
            name: account.user?.name ?? account.login, avatar: picture, toneKey: account.login)
    }

    var accountId: String { "\(account.id)" }
    var accountTitle: String? { account.user?.name ?? account.login }
    var accountSubtitle: String? {
        account.user?.name == nil ? account.host : "\(account.login) at \(account.host)"
    }
    var accountAction: String { isAccountSignedOut ? "Remove" : "Disconnect" }
    var isAccountConnected: Bool { account.state == .authenticated }
    /// True if Roost has no usable token either.
    var isAccountSignedOut: Bool {
        account.state == .unauthenticated && account.error != .wrongKey && account.error != .unreadableToken
    }
    var accountError: TimedText? { account.error.map { TimedText($0.message(source: "GitHub")) } }
    var accountAuthorization: String? { account.error?.authorizationURL }
    var accountWarnings: [String] { account.state == .authenticated ? scopeWarnings : [] }
    var connectedTime: String { ISO8601.seconds(account.connectedAt) }
    var connectedDay: String { RelativeTime.day(account.connectedAt) }
    var accountBudget: String? {
        budget.map { "\(Self.grouped($0.remaining)) of \(Self.grouped($0.limit)) left" }
    }
    var budgetReset: String? { budget.map { ISO8601.seconds($0.resetAt) } }
    var budgetResetClock: String? { budget.map { RelativeTime.clock($0.resetAt) } }

    var state: String {
        switch account.state {
        case .authenticated: "connected"
        case .authenticating: account.error == nil ? "checking …" : "not reached yet"
        case .unauthenticated: account.error == .wrongKey ? "no key" : "signed out"
        }
    }

    var advice: String? {
        guard account.error != nil else { return nil }
        switch account.state {
        case .unauthenticated where account.error == .wrongKey: return account.error?.recoverySuggestion
        case .unauthenticated: return "Connect it again below; everything else is kept."
        case .authenticating: return "Roost tries again automatically."
        case .authenticated: return account.error?.recoverySuggestion
        }
    }

    var scopes: String? {
        if account.isFineGrained { return "fine-grained token" }
        let needed = ["repo", "read:org"].filter(account.scopes.contains)
        let scopes = needed + account.scopes.subtracting(needed).sorted()
        return scopes.isEmpty ? nil : "scopes " + scopes.joined(separator: ", ")
    }

    private var scopeWarnings: [String] {
        if account.isFineGrained {
            return [
                "GitHub does not report what a fine-grained token may read. Pull requests that it cannot read are missing."
            ]
        }
        return account.missingScopes.map { scope in
            scope == "repo"
                ? "Without the repo scope, Roost sees only public repositories."
                : "Without the \(scope) scope, Roost cannot tell which team was asked for a review."
        }
    }

    /// Formats like "4,812".
    static func grouped(_ number: Int) -> String {
        let digits = Array("\(number.magnitude)")
        let text = digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
        return (number < 0 ? "−" : "") + text
    }
}
