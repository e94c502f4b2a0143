import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

struct LogController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.owner(.get, "/members/log", page)]
    }

    private func page(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let filter = request.query["kind"].flatMap(LogView.Filter.init) ?? .all
        let before = request.query["before"].flatMap(Int64.init)
        let isSignIn: Bool? =
            switch filter {
            case .all: nil
            case .signIns: true
            case .changes: false
            }
        await site.identity.audit.saveFailures()
        return .response(
            try await site.html { reads in
                let entries = try site.identity.audit.entries(reads, isSignIn: isSignIn, before: before)
                let isFull = entries.count == AuditLog.pageSize
                return LogView(
                    layout: try site.layout(
                        reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .owner),
                    rows: entries.map(LogRow.init),
                    filter: filter, older: isFull ? entries.last.map { "\($0.id)" } : nil,
                    isFirstPage: before == nil)
            })
    }
}

extension LogRow {
    init(_ entry: AuditEntry) {
        let isOnCommandLine = entry.address == ClientInfo.commandLine.address
        self.init(
            id: "\(entry.id)", sentence: Self.sentence(entry), isFailure: entry.kind == .signInFailed,
            at: entry.at, address: isOnCommandLine ? nil : entry.address,
            device: entry.kind == .signedIn || entry.kind == .signInFailed ? entry.detail : nil)
    }

    /// The log stores a token as its name and scope: "Backup script, read".
    private static func token(_ detail: String) -> String {
        for scope in APIToken.Scope.allCases where detail.hasSuffix(", \(scope.rawValue)") {
            let name = detail.dropLast(scope.rawValue.count + 2)
            let what =
                switch scope {
                case .read: "read"
                case .write: "read and write"
                case .metrics: "read the metrics"
                }
            return "token “\(name)” to \(what)"
        }
        let parts = detail.splitBytes(at: ",")
        if let scopes = parts.last, parts.count > 1, scopes.containsBytes(":") {
            return "token “\(parts.dropLast().joined(separator: ","))” with the scopes\(scopes)"
        }
        return "token “\(detail)”"
    }

    private static func sentence(_ entry: AuditEntry) -> String {
        if entry.address == ClientInfo.commandLine.address, let sentence = commandLineSentence(entry) {
            return sentence
        }
        let actor = entry.actor
        let possessive = entry.subject.isEmpty ? "their own" : "\(entry.subject)’s"
        let detail = entry.detail
        return switch entry.kind {
        case .setUp: "\(actor) set up Roost as its first owner."
        case .joined: "\(actor) joined with the link “\(detail)”."
        case .signedIn: "\(actor) signed in."
        case .signInFailed:
            entry.subject.isEmpty
                ? "Someone tried to sign in with an unknown user name."
                : "Someone tried to sign in as \(entry.subject) with a wrong password."
        case .signedOut: "\(actor) signed out."
        case .sessionEnded: "\(actor) ended \(possessive) session on \(detail)."
        case .sessionsEnded: "\(actor) ended \(possessive) sessions \(detail)."
        case .passwordChanged: "\(actor) changed \(possessive) password."
        case .passwordReset:
            entry.subject.isEmpty
                ? "\(actor) chose a new password with a reset link." : "\(actor) set \(possessive) password."
        case .resetLinkMade: "\(actor) created a reset link for \(entry.subject)."
        case .roleChanged:
            "\(actor) made \(entry.subject.isEmpty ? "themselves" : entry.subject) "
                + (detail == User.Role.owner.rawValue ? "an owner." : "a member.")
        case .userAdded: "\(actor) added \(entry.subject) as \(detail)."
        case .userRemoved:
            entry.subject.isEmpty
                ? "\(actor) deleted their own account." : "\(actor) removed \(entry.subject)."
        case .tokenMade:
            "\(actor) created the \(token(detail))\(entry.subject.isEmpty ? "" : " for \(entry.subject)")."
        case .tokenRevoked: "\(actor) revoked \(possessive) token “\(detail)”."
        case .tokensRevoked: "\(actor) revoked \(possessive) API tokens (\(detail))."
        case .gitHubConnected: "\(actor) connected the GitHub account \(detail)."
        case .gitHubDisconnected: "\(actor) disconnected the GitHub account \(detail)."
        case .gitHubExpired: "GitHub ended \(entry.subject)’s connection with \(detail)."
        case .webhookAddressAllowed: "\(actor) allowed webhooks to \(detail)."
        case .webhookAddressRemoved: "\(actor) no longer allows webhooks to \(detail)."
        case .pullAct: "\(actor) acted on a pull request: \(detail)."
        case .joinLinkMade: "\(actor) created a join link\(detail.isEmpty ? "" : " for “\(detail)”")."
        case .joinLinkRevoked: "\(actor) revoked a join link\(detail.isEmpty ? "" : " for “\(detail)”")."
        }
    }

    /// Nil for a kind of entry that no command makes.
    private static func commandLineSentence(_ entry: AuditEntry) -> String? {
        let (name, detail) = (entry.subject, entry.detail)
        let change: String? =
            switch entry.kind {
            case .passwordReset: "\(name)’s password was set"
            case .resetLinkMade: "A reset link for \(name) was created"
            case .roleChanged:
                "\(name) was made \(detail == User.Role.owner.rawValue ? "an owner" : "a member")"
            case .userAdded: "\(name) was added as \(detail)"
            case .userRemoved: "\(name) was removed"
            case .tokenMade: "The \(token(detail)) was created for \(name)"
            case .tokenRevoked: "\(name)’s token “\(detail)” was revoked"
            case .tokensRevoked: "\(name)’s API tokens (\(detail)) were revoked"
            default: nil
            }
        return change.map { "\($0) from the command line." }
    }
}
