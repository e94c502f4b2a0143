import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

struct RepositoriesController: Sendable {
    let site: WebContext
    let services: GitHubServices
    private var bookmarks: BookmarksController { BookmarksController(site: site, services: services) }
    private var repositories: RepositoryListService { services.repositories }
    private var choices: RepositoryPreferencesService { services.repositoryPreferences }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(
                "/repositories",
                topics: {
                    RepositoryListPresenter(site: site, services: services, user: $1).topics
                }, page),
            guarded.member(.get, "/repositories/rows", rows),
            guarded.member(.get, "/repositories/detail", emptyDetail),
            guarded.member(.get, "/repositories/keys", keys),
            guarded.member(.post, "/repositories/wants", prefetch),
            guarded.member(.post, "/repositories/refresh", refresh),
            guarded.member(.post, "/repositories/choices", choose),
            guarded.member(.post, "/repositories/collapse", collapse),
        ]
    }

    /// No screen shows more rows.
    private static let maximumPrefetches = 200
    private static let maximumCollapsed = 200

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = RepositoriesQuery(request.query)
        let lists = RepositoryListPresenter(site: site, services: services, user: user)
        let content = try await site.database.read { try lists.content($0, query) }
        let board = try await lists.board(content, query)
        return .response(site.fragment(board, version: lists.tag(board.fingerprint), for: request))
    }

    /// The detail pane before a repository is chosen.
    private func emptyDetail(_ request: Request, _ user: User) async throws -> HandlerResult {
        let lists = RepositoryListPresenter(site: site, services: services, user: user)
        return .response(site.fragment(RepositoryDetailView.none, version: lists.tag(0), for: request))
    }

    private func keys(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/repositories")
        return .response(site.html(RepositoryKeysView(layout: layout)))
    }

    private func prefetch(_ request: Request, _ user: User) async throws -> HandlerResult {
        let text = try request.form()["ids"] ?? ""
        let ids = text.splitBytes(at: ",").compactMap { RepositoryID($0) }.filter { $0 > 0 }
        repositories.prefetch(ids.suffix(Self.maximumPrefetches), for: user.userId)
        return .response(Response(status: 204))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/repositories")
        let notice = repositories.retry(RepositoriesQuery(carried: back.query).list, for: user.userId).notice
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    private func choose(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let list = try RepositoryPreferences.List(form)
        let grouping: GroupingOption? = try form["group"].map { try FormError.option($0, "group") }
        let sort: RepositorySort? = try form["sort"].map { try FormError.option($0, "sort") }
        var back = ReturnURL(
            form[ReturnURL.field], else: list == .bookmarks ? "/bookmarks" : "/repositories")
        if grouping != nil { back.remove("group") }
        if sort != nil { back.remove("sort") }
        try await choices.change(list, of: user.userId) { choices in
            choices.grouping = grouping ?? choices.grouping
            choices.sort = sort ?? choices.sort
        }
        return .response(.redirect(to: back.address))
    }

    private func collapse(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let list = try RepositoryPreferences.List(form)
        guard let group = form["group"], !group.isEmpty, group.utf8.count <= 200 else {
            throw RoostError.invalid(field: "group", why: "There is no such group.")
        }
        let isCollapsed = form["collapsed"] == "true"
        try await choices.change(list, of: user.userId) { choices in
            guard isCollapsed else {
                choices.collapsed.remove(group)
                return
            }
            if choices.collapsed.count >= Self.maximumCollapsed { _ = choices.collapsed.popFirst() }
            choices.collapsed.insert(group)
        }
        return .response(Response(status: 204))
    }
}

extension RepositoriesController {
    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        guard RepositoriesQuery.isPresent(in: request.query) else {
            return try await redirectToFirstList(request, user)
        }
        let query = RepositoriesQuery(request.query)
        let lists = RepositoryListPresenter(site: site, services: services, user: user)
        let (layout, content, count) = try await site.database.read { reads in
            (
                try site.layout(reads, for: user, request, currentEntry: "/repositories"),
                try lists.content(reads, query), try bookmarks.count(reads, of: user)
            )
        }
        let board = try await lists.board(content, query)
        let view = RepositoriesView(
            layout: layout, list: .init(board: board, query: query, choices: content.choices),
            bookmarks: count, web: services.accounts.hosts.standard.webURL)
        return site.rendered(view)
    }

    /// Redirects to the reader's bookmarks, or to trending repositories without bookmarks. The list of all repositories
    /// starts with the oldest, and each page of it costs one of the 60 hourly requests without an account.
    private func redirectToFirstList(_ request: Request, _ user: User) async throws -> RenderedPage {
        let hasBookmarks = try await services.bookmarks.count(of: user.userId) > 0
        let tab = hasBookmarks ? RepositoryTabs.Tab.bookmarks : .trending
        // Pass on a notice that waits for the page.
        let flash = request.query[FlashStore<NoticeView>.field].map { ticket in
            (tab.address.containsBytes("?") ? "&" : "?")
                + "\(FlashStore<NoticeView>.field)=\(PercentEncoding.encode(ticket))"
        }
        return RenderedPage(response: .redirect(to: tab.address + (flash ?? "")), isRepeatable: false)
    }
}

extension RepositoryPreferences.List {
    /// Throws `RoostError.invalid(field: "list")`.
    init(_ form: Form) throws {
        guard let list = Self(rawValue: form["list"] ?? "browse") else {
            throw RoostError.invalid(field: "list", why: "There is no such list.")
        }
        self = list
    }
}
