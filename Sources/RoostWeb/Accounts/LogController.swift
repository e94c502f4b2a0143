import Accounts
import Foundation
import HTTPServer
import RoostSupport

/// `/members/log`: the audit log.
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
        let entries = try await site.services.audit.entries(isSignIn: isSignIn, before: before)
        let isFull = entries.count == AuditLog.pageSize
        return .response(
            site.html(
                LogView(
                    layout: try await site.layout(for: person.user, request, place: nil, scope: .owner),
                    rows: entries.map(LogRow.init),
                    filter: filter, older: isFull ? entries.last.map { "\($0.id)" } : nil,
                    isFirstPage: before == nil)))
    }
}

extension LogRow {
    /// An entry in words.
    init(_ entry: AuditEntry) {
        let isOnCommandLine = entry.address == ClientInfo.commandLine.address
        self.init(
            id: "\(entry.id)", sentence: Self.sentence(entry), isTrouble: entry.kind == .signInFailed,
            at: entry.at, address: isOnCommandLine ? nil : entry.address,
            device: entry.kind == .signedIn || entry.kind == .signInFailed ? entry.detail : nil)
    }

    /// A token's name and scope, as the log keeps them: "Backup script, read".
    private static func token(_ detail: String) -> String {
        for scope in APIToken.Scope.allCases where detail.hasSuffix(", \(scope.rawValue)") {
            let name = detail.dropLast(scope.rawValue.count + 2)
            let what =
                switch scope {
                case .read: "read"
                case .write: "read and write"
                case .metrics: "read the metrics"
                }
            return "the token “\(name)” to \(what)"
        }
        return "the token “\(detail)”"
    }

    private static func sentence(_ entry: AuditEntry) -> String {
        let isOnCommandLine = entry.address == ClientInfo.commandLine.address
        let actor = isOnCommandLine ? "Somebody on the command line" : entry.actor
        let whose = entry.subject.isEmpty ? "their own" : "\(entry.subject)’s"
        let detail = entry.detail
        return switch entry.kind {
        case .setUp: "\(actor) set Roost up and is its first owner."
        case .joined: "\(actor) joined with the link “\(detail)”."
        case .signedIn: "\(actor) signed in."
        case .signInFailed:
            entry.subject.isEmpty
                ? "Somebody tried to sign in with a name that nobody has."
                : "Somebody tried to sign in as \(entry.subject), with a wrong password."
        case .signedOut: "\(actor) signed out."
        case .sessionEnded: "\(actor) ended \(whose) session on \(detail)."
        case .sessionsEnded: "\(actor) ended \(whose) sessions \(detail)."
        case .passwordChanged: "\(actor) changed \(whose) password."
        case .passwordReset:
            entry.subject.isEmpty
                ? "\(actor) chose a new password with a reset link." : "\(actor) set \(whose) password."
        case .resetLinkMade: "\(actor) made a reset link for \(entry.subject)."
        case .roleChanged:
            "\(actor) made \(entry.subject.isEmpty ? "themselves" : entry.subject) "
                + (detail == User.Role.owner.rawValue ? "an owner." : "a member.")
        case .userAdded: "\(actor) added \(entry.subject) as \(detail)."
        case .userRemoved:
            entry.subject.isEmpty
                ? "\(actor) deleted their own account." : "\(actor) removed \(entry.subject)."
        case .tokenMade:
            "\(actor) made \(token(detail))\(entry.subject.isEmpty ? "" : " for \(entry.subject)")."
        case .tokenRevoked: "\(actor) revoked \(whose) token “\(detail)”."
        case .tokensRevoked: "\(actor) revoked \(whose) API tokens (\(detail))."
        case .gitHubConnected: "\(actor) connected the GitHub account \(detail)."
        case .gitHubDisconnected: "\(actor) disconnected the GitHub account \(detail)."
        case .gitHubExpired: "GitHub ended \(entry.subject)’s connection with \(detail)."
        case .joinLinkMade: "\(actor) made a join link\(detail.isEmpty ? "" : " for “\(detail)”")."
        case .joinLinkRevoked: "\(actor) withdrew a join link\(detail.isEmpty ? "" : " for “\(detail)”")."
        }
    }
}
