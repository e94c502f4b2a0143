import Accounts
import GitHub
import HTTPServer
import RoostSupport

/// What a reader does with a pull request: snooze, mute, mark as done, and bring back.
struct PullActionsController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let pull = "/pulls/{host}/{owner}/{name}/{number}"
        return [
            guarded.member(.get, pull + "/snooze", snoozeTimes),
            guarded.member(.post, pull + "/snooze", snooze),
            guarded.member(.post, pull + "/mute") { try await mark($0, .muted, $1) },
            guarded.member(.post, pull + "/done") { try await mark($0, .done, $1) },
            guarded.member(.post, pull + "/restore", restore),
        ]
    }

    private func snoozeTimes(_ request: Request, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(of: request)
        let items = try await site.services.pulls.inbox(of: user.userId).sections.lazy.flatMap(\.items)
        guard let item = items.first(where: { $0.key == key }) else {
            throw RoostError.notFound("There is no such pull request in your inbox.")
        }
        let view = PullSnoozeView(
            layout: try await site.layout(for: user, request, place: "/pulls"), item: item,
            back: ReturnURL(request.query[ReturnURL.field], else: "/pulls").address)
        return .response(site.html(view))
    }

    private func snooze(_ request: Request, _ user: User) async throws -> HandlerResult {
        let until = try request.form()["until"] ?? ""
        return try await mark(request, .snooze(until: until, now: site.services.clock.now()), user)
    }

    private func mark(_ request: Request, _ mark: PullMark, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(of: request)
        try await site.services.pulls.mark(key, mark, for: user.userId)
        let inbox = try await site.services.pulls.inbox(of: user.userId)
        return try answer(request, key, PullNotice(inbox: inbox).hidden(key), inbox, user)
    }

    private func restore(_ request: Request, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(of: request)
        try await site.services.pulls.unmark(key, for: user.userId)
        let inbox = try await site.services.pulls.inbox(of: user.userId)
        return try answer(request, key, PullNotice(inbox: inbox).restored(key), inbox, user)
    }

    /// To a script the notice, and which row has left the lists; to others the way back, where the notice is shown.
    private func answer(
        _ request: Request, _ key: PullKey, _ notice: NoticeView?, _ inbox: Inbox, _ user: User
    ) throws -> HandlerResult {
        let page = ReturnURL(try request.form()[ReturnURL.field], else: "/pulls").address
        let isShown = inbox.sections.contains { section in
            section.items.contains { $0.key == key }
        }
        return site.answer(
            request, page: page, showing: notice, gone: isShown ? nil : key.description, to: user)
    }
}
