import Accounts
import GitHub
import HTTPServer
import RoostSupport

/// `/repositories/OWNER/NAME`: one repository.
struct RepositoryController: Sendable {
    let site: WebContext
    let saved: any SavedRepositories

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
            let detail = try await shown(name, origin, user)
            return .response(try await saved.page(request, user, beside: detail))
        }
        // The layout's cursor is taken before the repository is read, so that a change meanwhile is noticed.
        let layout = try await site.layout(for: user, request, place: "/repositories")
        let detail = try await shown(name, origin, user)
        let view = RepositoriesView(
            layout: layout, list: try await list(origin, back: detail.back, user), detail: detail,
            bookmarks: try await saved.count(of: user), web: site.services.gitHub.hosts.standard.webURL)
        return .response(site.html(view))
    }

    /// The list that the reader came from; nil where he came from none, so that GitHub is not asked for one.
    private func list(_ origin: RepositoryReferrer, back: String, _ user: User) async throws
        -> RepositoriesView.List?
    {
        guard case .browse(let query) = origin else { return nil }
        let choices = try await RepositoriesController(site: site, saved: saved).choices(query, user)
        let board = try await RepositoryListPresenter(site: site, saved: saved, user: user).board(
            query, choices: choices, back: back)
        return RepositoriesView.List(board: board, query: query, choices: choices)
    }

    private func detail(_ request: Request, _ user: User) async throws -> HandlerResult {
        let view = try await shown(RepositoryName(of: request), RepositoryReferrer(request.query), user)
        let tag = RepositoryListPresenter(site: site, saved: saved, user: user).tag(view.fingerprint)
        return .response(site.fragment(view, version: tag, for: request))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try RepositoryName(of: request)
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/repositories/\(name)")
        let notice = site.services.repositoryDetails.retry(name, for: user.userId).notice
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    /// What is known of it: what was saved of it stands in where nothing else is known.
    private func shown(_ name: RepositoryName, _ origin: RepositoryReferrer, _ user: User) async throws
        -> RepositoryDetailView
    {
        var view = try await site.services.repositoryDetails.view(of: name, for: user.userId)
        let known = try await saved.saved(name, of: user)
        if view.item?.detail == nil, let item = known?.item { view.item = item }
        let pictures = site.services.pictures
        let host = site.services.gitHub.hosts.standard
        return RepositoryDetailView(
            view, isBookmarked: known != nil, origin: origin,
            gitHub: view.item?.repository.htmlURL ?? "\(host.webURL)/\(name)"
        ) { pictures.address(of: $0, from: host) }
    }
}

extension RepositoryName {
    /// Of an address with the parameters owner and name. Throws `RoostError.notFound`.
    init(of request: Request) throws {
        guard
            let name = RepositoryName(owner: request.parameters["owner"], name: request.parameters["name"])
        else {
            throw RoostError.notFound("There is no such repository, or none that you may see.")
        }
        self = name
    }
}
