import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport

/// The inbox as JSON.
struct PullsAPI: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let pull = "/api/v1/pulls/{host}/{owner}/{name}/{number}"
        return [
            guarded.member(.get, "/api/v1/pulls", list),
            guarded.member(.post, pull + "/snooze", snooze),
            guarded.member(.post, pull + "/mute") { try await mark($0, .muted, $1) },
            guarded.member(.post, pull + "/done") { try await mark($0, .done, $1) },
            guarded.member(.delete, pull + "/snooze", restore),
            guarded.member(.delete, pull + "/mute", restore),
            guarded.member(.delete, pull + "/done", restore),
        ]
    }

    private struct SnoozeRequest: Decodable {
        let until: String
    }

    /// A program that asks is no reader who looks: it is answered from memory and raises no demand.
    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let inbox = try await site.services.pulls.inbox(of: user.userId)
        return try await site.services.heavyWork.run(for: user.userId, rows: inbox.itemCount) {
            .response(API.json(InboxJSON(inbox)))
        }
    }

    private func snooze(_ request: Request, _ user: User) async throws -> HandlerResult {
        let until = try request.json(SnoozeRequest.self, field: "until").until
        return try await mark(request, .snooze(until: until, now: site.services.clock.now()), user)
    }

    private func mark(_ request: Request, _ mark: PullMark, _ user: User) async throws -> HandlerResult {
        try await site.services.pulls.mark(PullKey(of: request), mark, for: user.userId)
        return .response(Response(status: 204))
    }

    /// Only what is put away in this very way is brought back.
    private func restore(_ request: Request, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(of: request)
        let hidden = try await site.services.pulls.inbox(of: user.userId).hidden.first { $0.key == key }
        guard let hidden, request.path.hasSuffix("/" + hidden.mark.act) else {
            throw RoostError.notFound("This pull request is not snoozed, muted or done in this way.")
        }
        try await site.services.pulls.unmark(key, for: user.userId)
        return .response(Response(status: 204))
    }
}

extension PullMark {
    /// The last part of the addresses that set it and take it away.
    var act: String {
        switch self {
        case .snoozedUntil, .snoozedUntilChange: "snooze"
        case .muted: "mute"
        case .done: "done"
        }
    }
}
