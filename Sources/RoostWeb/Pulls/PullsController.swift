import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport

/// The inbox as pages and fragments.
struct PullsController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(
                "/pulls", topics: { topics($1) }, want: { site.services.pulls.want($0.userId) }, page),
            guarded.member(.get, "/pulls/rows", rows),
            guarded.member(.get, "/pulls/tile", tile),
            guarded.member(.get, "/pulls/count", count),
            guarded.member(.get, "/pulls/keys", keys),
            guarded.member(.post, "/pulls/refresh", refresh),
            guarded.member(.post, "/pulls/choices", choose),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        // The cursor is taken before the inbox is read: what changes meanwhile is heard of.
        let cursor = site.services.feed.cursor
        let inbox = try await site.services.pulls.inbox(of: user.userId)
        let query = InboxQuery(request.query)
        return try await site.services.heavyWork.run(for: user.userId, rows: inbox.itemCount) {
            let layout = try await site.layout(
                for: user, request, place: "/pulls", cursor: cursor, counts: ["/pulls": inbox.waiting])
            let view = PullsView(
                layout: layout, board: try board(inbox, query), query: query,
                choices: query.choices(over: inbox.choices))
            return site.rendered(view)
        }
    }

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        site.services.pulls.want(user.userId)
        let query = InboxQuery(request.query)
        let tag = site.tag(of: topics(user), for: user) + "-" + query.address
        let inbox = try await site.services.pulls.inbox(of: user.userId)
        return try await site.services.heavyWork.run(for: user.userId, rows: inbox.itemCount) {
            .response(site.fragment(try board(inbox, query), version: tag, for: request))
        }
    }

    private func tile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: topics(user), for: user)
        return .response(site.fragment(try await tileView(user), version: tag, for: request))
    }

    /// A figure alone: what stands in the navigation of every page.
    private func count(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.waiting(user.userId)], for: user)
        let waiting = try await site.services.pulls.waiting(for: user.userId)
        var response = Response.html(waiting > 0 ? "\(waiting)" : "")
        response["Cache-Control"] = "private, no-cache"
        response.etag = "W/\"\(tag)-\(waiting)\""
        return .response(response)
    }

    private func keys(_ request: Request, _ user: User) async throws -> HandlerResult {
        let layout = try await site.layout(for: user, request, place: "/pulls")
        return .response(site.html(PullKeysView(layout: layout)))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/pulls").address
        var notice: NoticeView?
        if case .mustWait = site.services.pulls.retry(for: user.userId) {
            notice = PullNotice(inbox: try await site.services.pulls.inbox(of: user.userId)).mustWait
        }
        return site.answer(request, page: back, showing: notice, to: user)
    }

    private func choose(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let stored = try await site.services.pulls.settings(of: user.userId).choices
            let choices = try PullChoices(form, over: stored)
            try await site.services.pulls.choose(choices, for: user.userId)
        } catch  where form["from"] == "sections" {
            let refused = try FormError(error, form, keeping: ["amberHours", "redHours", "botLogins"])
            let pages = PullSectionsController(site: site)
            let isAboutBots = form["botLogins"] != nil
            return refused.answer(
                try await pages.shown(
                    request, user, refused: isAboutBots ? .bots(refused.form) : .waits(refused.form),
                    status: refused.status))
        }
        if form["from"] == "sections" { return PullSectionsController(site: site).done("Saved.", user) }
        var back = ReturnURL(form[ReturnURL.field], else: "/pulls")
        // A stored choice needs no field in the address.
        for name in ["sort", "group", "drafts", "bots"] where form[name] != nil { back.remove(name) }
        return .response(.redirect(to: back.address))
    }
}

/// How the inbox's views are filled.
extension PullsController {
    func topics(_ user: User) -> [String] { [Topic.pulls(user.userId), Topic.pictures] }

    func tileView(_ user: User) async throws -> PullsTileView {
        let inbox = try await site.services.pulls.inbox(of: user.userId)
        let turn = inbox.sections.first { $0.kind == .turn }?.items ?? []
        let first = InboxFilter.sorted(turn, by: .age).prefix(PullsTileView.limit)
        var avatars = PullAvatars(site: site)
        let rows = first.map {
            PullRow(
                $0, avatar: avatars.address(of: $0.pull.authorAvatarURL, from: $0.key.host), now: inbox.now)
        }
        return PullsTileView(rows: rows, waiting: inbox.waiting, sources: inbox.sources, now: inbox.now)
    }

    /// Throws `CancellationError`.
    func board(_ inbox: Inbox, _ query: InboxQuery) throws -> PullBoardView {
        let lists = PullListPresenter(
            site: site, inbox: inbox, query: query, choices: query.choices(over: inbox.choices))
        return PullBoardView(
            sources: inbox.sources, lists: try lists.view(), back: query.path, now: inbox.now)
    }
}
