import Foundation
import HTTPServer
import RoostServices

/// The inbox as pages and fragments.
struct PullsController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(
                "/pulls", topics: topics, want: { site.services.pulls.want($0.userId) }, now: pageNow, page),
            guarded.member(.get, "/pulls/rows", rows),
            guarded.member(.get, "/pulls/tile", tile),
            guarded.member(.get, "/pulls/count", count),
            guarded.member(.get, "/pulls/keys", keys),
            guarded.member(.post, "/pulls/refresh", refresh),
            guarded.member(.post, "/pulls/choices", choose),
        ]
    }

    /// The page where it is short.
    private func pageNow(_ request: Request, _ user: User) throws -> RenderedPage? {
        itemCount(user) > HeavyWorkQueue.fewRows ? nil : try shown(request, user)
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        try await site.services.heavyWork.run(for: user.userId, rows: itemCount(user)) {
            try shown(request, user)
        }
    }

    private func itemCount(_ user: User) -> Int { site.services.pulls.inbox(of: user.userId).itemCount }

    private func rows(_ request: Request, _ user: User) async throws -> Answer {
        site.services.pulls.want(user.userId)
        let query = InboxQuery(request.query)
        let tag = site.tag(of: topics(user), for: user) + "-" + query.address
        return try await site.services.heavyWork.run(for: user.userId, rows: itemCount(user)) {
            let view = try board(site.services.pulls.inbox(of: user.userId), query, user)
            return .response(site.fragment(view, version: tag, for: request))
        }
    }

    private func tile(_ request: Request, _ user: User) async throws -> Answer {
        let tag = site.tag(of: topics(user), for: user)
        return .response(site.fragment(tileView(user), version: tag, for: request))
    }

    /// A figure alone: what stands in the navigation of every page.
    private func count(_ request: Request, _ user: User) async throws -> Answer {
        let waiting = site.services.pulls.waiting(for: user.userId)
        var response = Response.html(waiting > 0 ? "\(waiting)" : "")
        response["Cache-Control"] = "private, no-cache"
        response.etag = "W/\"\(site.tag(of: [Topic.waiting(user.userId)], for: user))-\(waiting)\""
        return .response(response)
    }

    private func keys(_ request: Request, _ user: User) async throws -> Answer {
        let layout = site.layout(for: user, request, place: "/pulls")
        return .response(site.html(PullKeysView(layout: layout)))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> Answer {
        let back = InboxQuery(carried: try request.form()["back"])
        var mustWait = false
        if case .mustWait = site.services.pulls.retry(for: user.userId) { mustWait = true }
        if request.wantsChangedParts {
            let notice = PullNotice(site: site, pulls: site.services.pulls)
            return site.changed(mustWait ? notice.wait(for: user) : nil, for: request)
        }
        return .response(.redirect(to: Self.address(back, mustWait ? "wait=1" : "")))
    }

    private func choose(_ request: Request, _ user: User) async throws -> Answer {
        let form = try request.form()
        var back = InboxQuery(carried: form["back"])
        do {
            let choices = try PullChoices(
                form, over: site.services.pulls.choices(of: user.userId), forgetting: &back)
            try await site.services.pulls.choose(choices, for: user.userId)
        } catch  where form["from"] == "sections" {
            let refused = try FormError(error, form, keeping: ["amberHours", "redHours", "botLogins"])
            let pages = PullSectionsController(site: site)
            let isAboutBots = form["botLogins"] != nil
            return refused.answer(
                pages.shown(
                    request, user, refused: isAboutBots ? .bots(refused.form) : .waits(refused.form),
                    status: refused.status))
        }
        let isFromSections = form["from"] == "sections"
        return .response(.redirect(to: isFromSections ? "/pulls/sections?saved=1" : Self.address(back)))
    }
}

/// How the inbox's views are filled.
extension PullsController {
    func topics(_ user: User) -> [String] { [Topic.pulls(user.userId), Topic.pictures] }

    func tileView(_ user: User) -> PullsTileView {
        let inbox = site.services.pulls.inbox(of: user.userId)
        let turn = inbox.sections.first { $0.kind == .turn }?.items ?? []
        let first = InboxFilter.sorted(turn, by: .age).prefix(PullsTileView.limit)
        var avatars = PullAvatars(site: site)
        let rows = first.map {
            PullRow($0, avatar: avatars.address(of: $0.pull, from: $0.key.host), now: inbox.now)
        }
        return PullsTileView(rows: rows, waiting: inbox.waiting, sources: inbox.sources, now: inbox.now)
    }

    /// Throws `CancellationError`.
    func board(_ inbox: Inbox, _ query: InboxQuery, _ user: User) throws -> PullBoardView {
        let choices = query.choices(over: site.services.pulls.choices(of: user.userId))
        let lists = PullListPresenter(site: site, inbox: inbox, query: query, choices: choices)
        return PullBoardView(
            sources: inbox.sources, lists: try lists.view(), back: query.address, now: inbox.now)
    }

    private func shown(_ request: Request, _ user: User) throws -> RenderedPage {
        let pulls = site.services.pulls
        // Its cursor is taken before the inbox is read: what changes meanwhile is heard of.
        let layout = site.layout(
            for: user, request, place: "/pulls",
            notice: PullNotice(site: site, pulls: pulls).view(of: request, for: user))
        let inbox = pulls.inbox(of: user.userId)
        let query = InboxQuery(request.query)
        let view = PullsView(
            layout: layout, board: try board(inbox, query, user), query: query,
            choices: query.choices(over: pulls.choices(of: user.userId)), waiting: inbox.waiting)
        return site.rendered(view)
    }

    /// The page with its query, and with what the page is to tell.
    static func address(_ back: InboxQuery, _ more: String = "") -> String {
        let query = [back.address, more].filter { !$0.isEmpty }.joined(separator: "&")
        return query.isEmpty ? "/pulls" : "/pulls?\(query)"
    }
}
