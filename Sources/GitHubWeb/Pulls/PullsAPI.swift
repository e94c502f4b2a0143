import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct PullsAPI: Sendable {
    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let pull = "/api/v1/pulls/{host}/{owner}/{name}/{number}"
        return [
            guarded.member(
                .get, "/api/v1/pulls", api: .answers(InboxJSON.self, "The inbox, from memory."), list),
            guarded.member(
                .post, pull + "/snooze", api: .does("Snoozes a pull request.").taking(SnoozeRequest.self),
                snooze),
            guarded.member(.post, pull + "/mute", api: .does("Mutes a pull request.")) {
                try await mark($0, .muted, $1)
            },
            guarded.member(.post, pull + "/done", api: .does("Marks a pull request as done.")) {
                try await mark($0, .done, $1)
            },
            guarded.member(
                .delete, pull + "/snooze", api: .does("Brings a snoozed pull request back."), restore),
            guarded.member(.delete, pull + "/mute", api: .does("Brings a muted pull request back."), restore),
            guarded.member(.delete, pull + "/done", api: .does("Brings a done pull request back."), restore),
        ]
    }

    private struct SnoozeRequest: Decodable {
        let until: String
    }

    /// Answers from memory. API requests do not count as a reader and trigger no refresh.
    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let inbox = try await services.pulls.inbox(of: user.userId)
        return try await services.heavyWork.run(for: user.userId, rows: inbox.itemCount) {
            .response(API.json(InboxJSON(inbox)))
        }
    }

    private func snooze(_ request: Request, _ user: User) async throws -> HandlerResult {
        let until = try request.body(SnoozeRequest.self).until
        let zone = Formats(site.identity.accounts.formats(of: user.userId)).zone
        return try await mark(request, .snooze(until: until, now: site.clock.now(), zone: zone), user)
    }

    private func mark(_ request: Request, _ mark: PullMark, _ user: User) async throws -> HandlerResult {
        try await services.pulls.mark(PullKey(of: request), mark, for: user.userId)
        return .response(Response(status: 204))
    }

    /// Restores a pull request only if it was hidden in the way that the path names.
    private func restore(_ request: Request, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(of: request)
        let hidden = try await services.pulls.inbox(of: user.userId).hidden.first { $0.key == key }
        guard let hidden, request.path.hasSuffix("/" + hidden.mark.act) else {
            throw RoostError.notFound("This pull request is not snoozed, muted or done in this way.")
        }
        try await services.pulls.unmark(key, for: user.userId)
        return .response(Response(status: 204))
    }
}

extension PullMark {
    /// The last path segment of the routes that set and remove the mark.
    var act: String {
        switch self {
        case .snoozedUntil, .snoozedUntilChange: "snooze"
        case .muted: "mute"
        case .done: "done"
        }
    }
}
