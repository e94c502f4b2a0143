import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct RepositoryController: Sendable {
    let site: WebContext
    let services: GitHubServices
    private var bookmarks: BookmarksController { BookmarksController(site: site, services: services) }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let repository = "/repositories/{owner}/{name}"
        return [
            guarded.member(.get, repository, page),
            guarded.member(.get, repository + "/detail", detail),
            guarded.member(.post, repository + "/refresh", refresh),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try RepositoryName(of: request)
        let origin = RepositoryReferrer(request.query)
        if case .bookmarks = origin {
            let page = try await bookmarks.renderedPage(request, user) {
                try detailView($0, name, origin, user)
            }
            return .response(page.response)
        }
        let lists = RepositoryListPresenter(site: site, services: services, user: user)
        // Without a list to return to, none is read: that could cost a request to GitHub.
        let query: RepositoriesQuery? = if case .browse(let query) = origin { query } else { nil }
        let (layout, detail, content, count) = try await site.database.read { reads in
            (
                try site.layout(reads, for: user, request, currentEntry: "/repositories"),
                try detailView(reads, name, origin, user), try query.map { try lists.content(reads, $0) },
                try bookmarks.count(reads, of: user)
            )
        }
        var list: RepositoriesView.List?
        if let content, let query {
            let board = try await lists.board(content, query, back: detail.back)
            list = RepositoriesView.List(board: board, query: query, choices: content.choices)
        }
        let view = RepositoriesView(
            layout: layout, list: list, detail: detail, bookmarks: count,
            web: services.accounts.hosts.standard.webURL)
        return .response(site.html(view))
    }

    private func detail(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let view = try detailView(reads, RepositoryName(of: request), RepositoryReferrer(request.query), user)
        let tag = RepositoryListPresenter(site: site, services: services, user: user).tag(
            view.fingerprint)
        return .response(site.fragment(view, version: tag, for: request))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try RepositoryName(of: request)
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/repositories/\(name)")
        let notice = services.repositoryDetails.retry(name, for: user.userId).notice
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    /// Falls back to the bookmarked copy if GitHub's details are missing.
    private func detailView(
        _ reads: Reads, _ name: RepositoryName, _ origin: RepositoryReferrer, _ user: User
    ) throws
        -> RepositoryDetailView
    {
        var view = try services.repositoryDetails.view(reads, of: name, for: user.userId)
        let bookmark = try bookmarks.bookmark(reads, named: name, of: user)
        if view.item?.detail == nil, let item = bookmark?.item { view.item = item }
        let pictures = services.pictures
        let host = services.accounts.hosts.standard
        return RepositoryDetailView(
            view, isBookmarked: bookmark != nil, origin: origin,
            gitHub: view.item?.repository.htmlURL ?? "\(host.webURL)/\(name)"
        ) { pictures.address(of: $0, from: host) }
    }
}

extension RepositoryName {
    /// Reads the path parameters `owner` and `name`. Throws `RoostError.notFound`.
    init(of request: Request) throws {
        guard
            let name = RepositoryName(owner: request.parameters["owner"], name: request.parameters["name"])
        else {
            throw RoostError.notFound("This repository does not exist, or you have no access to it.")
        }
        self = name
    }
}
