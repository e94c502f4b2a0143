import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import TextFormats

/// GitHub's repositories as lists: all of them, searched, and trending.
struct RepositoriesController: Sendable {
    let site: WebContext
    let saved: any SavedRepositories
    private var repositories: RepositoryListService { site.services.repositories }
    private var choices: RepositoryChoicesService { site.services.repositoryChoices }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(
                "/repositories",
                topics: { RepositoryListPresenter(site: site, saved: saved, user: $1).topics }, page),
            guarded.member(.get, "/repositories/rows", rows),
            guarded.member(.get, "/repositories/detail", nothing),
            guarded.member(.get, "/repositories/keys", keys),
            guarded.member(.post, "/repositories/wants", want),
            guarded.member(.post, "/repositories/refresh", refresh),
            guarded.member(.post, "/repositories/choices", choose),
            guarded.member(.post, "/repositories/collapse", collapse),
        ]
    }

    /// More rows are on no screen.
    private static let maximumPrefetches = 200
    /// As many as are kept.
    private static let maximumCollapsed = 200

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = RepositoriesQuery(request.query)
        let lists = RepositoryListPresenter(site: site, saved: saved, user: user)
        let board = try await lists.board(query, choices: try await choices(query, user))
        return .response(site.fragment(board, version: lists.tag(board.fingerprint), for: request))
    }

    /// The place for details while none is chosen.
    private func nothing(_ request: Request, _ user: User) async throws -> HandlerResult {
        let lists = RepositoryListPresenter(site: site, saved: saved, user: user)
        return .response(site.fragment(RepositoryDetailView.none, version: lists.tag(0), for: request))
    }

    private func keys(_ request: Request, _ user: User) async throws -> HandlerResult {
        let layout = try await site.layout(for: user, request, place: "/repositories")
        return .response(site.html(RepositoryKeysView(layout: layout)))
    }

    private func want(_ request: Request, _ user: User) async throws -> HandlerResult {
        let text = try request.form()["ids"] ?? ""
        let ids = text.splitBytes(at: ",").compactMap { RepositoryID($0) }.filter { $0 > 0 }
        repositories.want(ids.suffix(Self.maximumPrefetches), for: user.userId)
        return .response(Response(status: 204))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/repositories")
        let notice = repositories.retry(RepositoriesQuery(carried: back.query).list, for: user.userId).notice
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    private func choose(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let list = try RepositoryChoices.List(form)
        let grouping: GroupingOption? = try form["group"].map { try Self.checked($0, "group") }
        let sort: RepositorySort? = try form["sort"].map { try Self.checked($0, "sort") }
        var back = ReturnURL(
            form[ReturnURL.field], else: list == .bookmarks ? "/bookmarks" : "/repositories")
        if grouping != nil { back.remove("group") }
        if sort != nil { back.remove("sort") }
        try await choices.choose(for: list, of: user.userId) { choices in
            choices.grouping = grouping ?? choices.grouping
            choices.sort = sort ?? choices.sort
        }
        return .response(.redirect(to: back.address))
    }

    private func collapse(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let list = try RepositoryChoices.List(form)
        guard let group = form["group"], !group.isEmpty, group.utf8.count <= 200 else {
            throw RoostError.invalid(field: "group", why: "There is no such group.")
        }
        let isCollapsed = form["collapsed"] == "true"
        try await choices.choose(for: list, of: user.userId) { choices in
            guard isCollapsed else {
                choices.collapsed.remove(group)
                return
            }
            if choices.collapsed.count >= Self.maximumCollapsed { _ = choices.collapsed.popFirst() }
            choices.collapsed.insert(group)
        }
        return .response(Response(status: 204))
    }

    private static func checked<Name: RawRepresentable<String>>(_ name: String, _ field: String) throws
        -> Name
    {
        guard let value = Name(rawValue: name) else {
            throw RoostError.invalid(field: field, why: "A list cannot be shown like this.")
        }
        return value
    }
}

/// How the explorer's page is filled.
extension RepositoriesController {
    func choices(_ query: RepositoriesQuery, _ user: User) async throws -> RepositoryChoices {
        query.choices(over: try await choices.choices(of: user.userId, for: .browse))
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        guard RepositoriesQuery.isAsked(in: request.query) else { return try await firstList(request, user) }
        // Its cursor is taken before the list is read: what changes meanwhile is heard of.
        let layout = try await site.layout(for: user, request, place: "/repositories")
        let query = RepositoriesQuery(request.query)
        let choices = try await choices(query, user)
        let board = try await RepositoryListPresenter(site: site, saved: saved, user: user).board(
            query, choices: choices)
        let view = RepositoriesView(
            layout: layout, list: .init(board: board, query: query, choices: choices),
            bookmarks: try await saved.count(of: user), web: site.services.gitHub.hosts.standard.webURL)
        return site.rendered(view)
    }

    /// Redirects to the reader's bookmarks, or to trending repositories if there are none. The list of all repositories
    /// begins with the oldest, and each of its pages takes one of the 60 requests an hour that GitHub gives without an account.
    private func firstList(_ request: Request, _ user: User) async throws -> RenderedPage {
        let hasBookmarks = try await saved.count(of: user) > 0
        let tab = hasBookmarks ? RepositoryTabs.Tab.bookmarks : .trending
        // A notice for the page goes along.
        let flash = request.query[FlashStore<NoticeView>.field].map { ticket in
            (tab.address.containsBytes("?") ? "&" : "?")
                + "\(FlashStore<NoticeView>.field)=\(PercentEncoding.encode(ticket))"
        }
        return RenderedPage(response: .redirect(to: tab.address + (flash ?? "")), isRepeatable: false)
    }
}

extension RepositoryChoices.List {
    /// Throws `RoostError.invalid(field: "list")`.
    init(_ form: Form) throws {
        guard let list = Self(rawValue: form["list"] ?? "browse") else {
            throw RoostError.invalid(field: "list", why: "There is no such list.")
        }
        self = list
    }
}
