import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct PullsController: Sendable {
    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(
                "/pulls", topics: { topics($1) }, refresh: { services.pulls.watch($0.userId) }, page),
            guarded.member(.get, "/pulls/rows", rows),
            guarded.tile(PullsTileView.kind, topics: topics, tileView),
            guarded.member(.get, "/pulls/keys", keys),
            guarded.member(.post, "/pulls/refresh", refresh),
            guarded.member(.post, "/pulls/choices", choose),
            guarded.member(.post, "/pulls/collapse", collapse),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        let (inbox, layout) = try await site.database.read { reads in
            let inbox = try services.pulls.inbox(reads, of: user.userId)
            let layout = try site.layout(
                reads, for: user, request, currentEntry: "/pulls", counts: ["/pulls": inbox.waiting])
            return (inbox, layout)
        }
        let query = InboxQuery(request.query)
        return try await services.heavyWork.run(for: user.userId, rows: inbox.itemCount) {
            let view = PullsView(
                layout: layout, board: try board(inbox, query), query: query,
                choices: query.choices(over: inbox.choices))
            return site.rendered(view)
        }
    }

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        services.pulls.watch(user.userId)
        let query = InboxQuery(request.query)
        let tag = site.tag(of: topics(user), for: user) + "-" + query.address
        let inbox = try await services.pulls.inbox(of: user.userId)
        return try await services.heavyWork.run(for: user.userId, rows: inbox.itemCount) {
            .response(site.fragment(try board(inbox, query), version: tag, for: request))
        }
    }

    private func keys(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/pulls")
        return .response(site.html(PullKeysView(layout: layout)))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/pulls").address
        var notice: NoticeView?
        if case .mustWait = services.pulls.retry(for: user.userId) {
            notice = PullNotice(inbox: try await services.pulls.inbox(of: user.userId)).mustWait
        }
        return site.answer(request, page: back, showing: notice, to: user)
    }

    private func collapse(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        try await services.pulls.collapse(
            form["group"] ?? "", form["collapsed"] == "true", for: user.userId)
        return .response(Response(status: 204))
    }

    private func choose(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let stored = try await services.pulls.settings(of: user.userId).choices
            let choices = try PullPreferences(form, over: stored)
            try await services.pulls.choose(choices, for: user.userId)
        } catch  where form["from"] == "sections" {
            let refused = try FormError(error, form, keeping: ["amberHours", "redHours", "botLogins"])
            let pages = PullSectionsController(site: site, services: services)
            let isAboutBots = form["botLogins"] != nil
            return refused.answer(
                try await site.html {
                    try pages.pageView(
                        $0,
                        request, user, refused: isAboutBots ? .bots(refused.form) : .waits(refused.form))
                })
        }
        if form["from"] == "sections" {
            return PullSectionsController(site: site, services: services).redirect(
                showing: "Saved.", to: user)
        }
        var back = ReturnURL(form[ReturnURL.field], else: "/pulls")
        if form["from"] == "pull" {
            for name in ["diffs", "whitespace"] { back.remove(name) }
            return site.answer(request, page: back.address, to: user)
        }
        // A stored choice replaces its field in the address.
        for name in ["sort", "group", "drafts", "bots"] where form[name] != nil { back.remove(name) }
        return .response(.redirect(to: back.address))
    }
}

extension PullsController {
    func topics(_ user: User) -> [String] { [Topic.pulls(user.userId), Topic.pictures] }

    func tileView(_ reads: Reads, _ user: User, _ scope: TileScope) throws -> PullsTileView {
        let inbox = try services.pulls.inbox(reads, of: user.userId)
        let turn = inbox.sections.first { $0.kind == .turn }?.items ?? []
        let first = InboxFilter.sorted(turn, by: .age).prefix(scope.rows)
        var avatars = PullAvatars(services)
        let rows = first.map {
            PullRow(
                $0, inbox.choices,
                avatar: avatars.address(of: $0.pull.authorAvatarURL, from: $0.key.host), now: inbox.now)
        }
        return PullsTileView(
            rows: rows, waiting: inbox.waiting, sources: inbox.sources, now: inbox.now,
            limit: scope.rows,
            sentence: PullsTileView.sentence(turn, since: scope.previousVisit, now: inbox.now))
    }

    /// Throws `CancellationError`.
    func board(_ inbox: Inbox, _ query: InboxQuery) throws -> PullBoardView {
        let lists = PullListPresenter(
            services: services, inbox: inbox, query: query,
            choices: query.choices(over: inbox.choices))
        return PullBoardView(
            sources: inbox.sources, lists: try lists.view(), back: query.path, now: inbox.now)
    }
}
