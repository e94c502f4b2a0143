import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import TextFormats

/// A user's lists, how they look, and their files.
struct WatchlistSettingsController: Sendable {
    private static let path = "/watchlist/settings"
    private static let filesPath = "/watchlist/files"
    /// A file of four megabytes and the form around it.
    private static let uploadLimit = 4_300_000

    let site: WebContext
    private var watchlist: WatchlistService { site.services.watchlist }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.path, page),
            guarded.member(.post, "/watchlist/choices", choose),
            guarded.member(.post, "/watchlist/lists", add),
            guarded.member(.post, "/watchlist/lists/{id}/rename", rename),
            guarded.member(.post, "/watchlist/lists/{id}/move", move),
            guarded.member(.post, "/watchlist/lists/{id}/totals", showTotals),
            guarded.member(.post, "/watchlist/lists/{id}/remove", remove),
            guarded.member(.post, "/watchlist/lists/{id}/undo", undo),
            guarded.member(.get, Self.filesPath, files),
            guarded.member(.post, Self.filesPath, bodyLimit: Self.uploadLimit, read),
            guarded.member(.get, "/watchlist/export", export),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(site.html(try await view(request, user)))
    }

    private func choose(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let currency = form["currency"].flatMap { $0.isBlank ? nil : $0 }
        // In their own order, whatever the form's is.
        let columns = Set(form.all("column").compactMap(WatchlistColumn.init))
        let choices = WatchlistChoices(
            columns: WatchlistColumn.allCases.filter(columns.contains),
            density: WatchlistChoices.Density(rawValue: form["density"] ?? "") ?? .comfortable,
            redIsUp: form["redIsUp"] != nil, currency: currency)
        do {
            try await watchlist.setChoices(choices, for: user.userId)
        } catch RoostError.invalid("currency", let why) {
            let view = try await view(request, user, errors: ["currency": why])
            return .response(site.html(view, status: 422))
        }
        return site.redirect(to: "/watchlist", showing: NoticeView(text: "Saved."), to: user)
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try request.form()["name"] ?? ""
        do {
            let list = try await watchlist.addList(name: name, for: user.userId)
            let notice = NoticeView(text: "“\(list.name)” is ready for coins.")
            return site.redirect(to: WatchlistQuery(list: list.id).address, showing: notice, to: user)
        } catch RoostError.invalid("name", let why) {
            let view = try await view(request, user, errors: ["new": why], typed: name)
            return .response(site.html(view, status: 422))
        }
    }

    private func rename(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (id, name) = (try Self.list(request), try request.form()["name"] ?? "")
        do {
            try await watchlist.renameList(id, to: name, for: user.userId)
        } catch RoostError.invalid("name", let why) {
            let view = try await view(request, user, errors: ["\(id)": why], typed: name)
            return .response(site.html(view, status: 422))
        }
        return site.redirect(to: Self.path, showing: NoticeView(text: "Renamed."), to: user)
    }

    private func move(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let direction = WatchlistService.Direction(rawValue: try request.form()["direction"] ?? "")
        else {
            throw RoostError.invalid(field: "direction", why: "A list moves up or down.")
        }
        try await watchlist.moveList(Self.list(request), direction, for: user.userId)
        return site.redirect(to: Self.path, showing: nil, to: user)
    }

    private func showTotals(_ request: Request, _ user: User) async throws -> HandlerResult {
        let shows = try request.form()["shows"] == "1"
        try await watchlist.showTotals(shows, of: Self.list(request), for: user.userId)
        return site.redirect(to: Self.path, showing: nil, to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let list = try await watchlist.removeList(Self.list(request), of: user.userId)
        let notice = NoticeView(
            text: "“\(list.name)” was removed.", undo: "/watchlist/lists/\(list.id)/undo")
        return site.redirect(to: Self.path, showing: notice, to: user)
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await watchlist.undoRemoveList(Self.list(request), of: user.userId)
        return site.redirect(to: Self.path, showing: nil, to: user)
    }

    private func files(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(site.html(try await filesView(request, user)))
    }

    private func read(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let content = WatchlistFiles.Content(rawValue: form["what"] ?? "") ?? .list
        let list = WatchlistQuery(form).list
        let file = form.files.first { $0.name == "file" }
        do {
            let report = try await site.services.watchlistFiles.read(
                file?.bytes ?? [], as: content, for: user.userId, list: list)
            return .response(site.html(try await filesView(request, user, content, list, report: report)))
        } catch RoostError.invalid("file", let why) {
            let view = try await filesView(request, user, content, list, fileError: why)
            return .response(site.html(view, status: 422))
        }
    }

    private func export(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let content = WatchlistFiles.Content(rawValue: request.query["what"] ?? "list") else {
            throw RoostError.invalid(field: "what", why: "A file holds a list or holdings.")
        }
        let bytes = try await site.services.watchlistFiles.export(
            content, of: user.userId, list: WatchlistQuery(request.query).list)
        let day = ISO8601.seconds(site.services.clock.now()).prefix(10)
        var response = Response.content(bytes, type: "text/csv; charset=utf-8")
        let name = content == .list ? "watchlist" : "holdings"
        response["Content-Disposition"] = "attachment; filename=\"roost-\(name)-\(day).csv\""
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    /// Throws `RoostError.notFound` for what is no number.
    private static func list(_ request: Request) throws -> WatchlistID {
        guard let id = WatchlistID(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such list.")
        }
        return id
    }
}

/// How the pages are filled.
extension WatchlistSettingsController {
    /// - Parameters:
    ///   - errors: by the number of the list that they are about, "new" or "currency"
    ///   - typed: the name that was refused
    private func view(
        _ request: Request, _ user: User, errors: [String: String] = [:], typed: String? = nil
    ) async throws -> WatchlistSettingsView {
        // The page offers all currencies that CoinGecko knows.
        site.services.currencies.want()
        let layout = try await site.layout(for: user, request, place: "/watchlist")
        return WatchlistSettingsView(
            layout: layout, choices: try await watchlist.choices(of: user.userId),
            lists: try await watchlist.lists(of: user.userId), currencies: site.services.currencies.all,
            standard: site.services.currency, errors: errors, typed: typed)
    }

    private func filesView(
        _ request: Request, _ user: User, _ content: WatchlistFiles.Content = .list,
        _ list: WatchlistID? = nil, report: WatchlistFiles.Report? = nil, fileError: String? = nil
    ) async throws -> WatchlistFilesView {
        let layout = try await site.layout(for: user, request, place: "/watchlist")
        return WatchlistFilesView(
            layout: layout, lists: try await watchlist.lists(of: user.userId), content: content,
            list: list, report: report, fileError: fileError)
    }
}
