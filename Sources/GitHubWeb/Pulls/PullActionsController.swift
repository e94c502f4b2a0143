import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct PullActionsController: Sendable {
    let site: WebContext
    let services: GitHubServices

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

    private func snoozeTimes(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let key = try PullKey(of: request)
        let items = try services.pulls.inbox(reads, of: user.userId).sections.lazy.flatMap(\.items)
        guard let item = items.first(where: { $0.key == key }) else {
            throw RoostError.notFound("There is no such pull request in your inbox.")
        }
        let view = PullSnoozeView(
            layout: try site.layout(reads, for: user, request, currentEntry: "/pulls"), item: item,
            back: ReturnURL(request.query[ReturnURL.field], else: "/pulls").address)
        return .response(site.html(view))
    }

    private func snooze(_ request: Request, _ user: User) async throws -> HandlerResult {
        let until = try request.form()["until"] ?? ""
        return try await mark(request, .snooze(until: until, now: site.clock.now()), user)
    }

    private func mark(_ request: Request, _ mark: PullMark, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(of: request)
        try await services.pulls.mark(key, mark, for: user.userId)
        let inbox = try await services.pulls.inbox(of: user.userId)
        return try answer(request, key, PullNotice(inbox: inbox).hidden(key), inbox, user)
    }

    private func restore(_ request: Request, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(of: request)
        try await services.pulls.unmark(key, for: user.userId)
        let inbox = try await services.pulls.inbox(of: user.userId)
        return try answer(request, key, PullNotice(inbox: inbox).restored(key), inbox, user)
    }

    /// Returns the removed row to a script; redirects other browsers to the page, which shows the notice.
    private func answer(
        _ request: Request, _ key: PullKey, _ notice: NoticeView?, _ inbox: Inbox, _ user: User
    ) throws -> HandlerResult {
        let page = ReturnURL(try request.form()[ReturnURL.field], else: "/pulls").address
        let isShown = inbox.sections.contains { section in
            section.items.contains { $0.key == key }
        }
        return site.answer(
            request, page: page, showing: notice, removed: isShown ? nil : key.description, to: user)
    }
}
